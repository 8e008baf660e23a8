"""Functions that processes of a pool call."""
import os

import limber


def largest_force(result):
    return result["pin.force"].max()


def fail(_):
    raise limber.UsageError("on purpose")


def title_of(model):
    return model.run().text("title")


def pull_back(x, v):
    return -200 * x - 3 * v


def force_and_process(result):
    return float(result["pin.force"].max()), os.getpid()
