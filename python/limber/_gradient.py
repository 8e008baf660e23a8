"""Gradients: the objectives of a model and their derivatives by its parameters."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, Tuple, Union

import numpy as np

from . import _errors
from ._arrays import call_long, html_table, name_list, numbers, path_text, texts, thread_count
from ._library import Call, encode, ffi, lib, text_of
from ._progress import Bar, Progress, progress_of

if TYPE_CHECKING:
    from ._model import Model, Path

_METHODS = ("auto", "direct", "adjoint", "differences")  # in the order of lmb_gradient_method
_BASES = ("moving", "held")
Numbers = np.ndarray  # of floats


@dataclass(frozen=True)
class GradientHistory:
    """How the expressions of the objectives of an analysis, and their derivatives, run over time."""

    analysis: str  #: its name
    over: str  #: what `t` is: "time", "mode"
    objectives: Tuple[str, ...]  #: names
    t: "Numbers[Any, Any]"  #: the instants
    values: "Numbers[Any, Any]"  #: instants x objectives
    derivatives: "Numbers[Any, Any]"  #: instants x objectives x parameters


@dataclass(frozen=True)
class GradientCheck:
    """A check of a gradient: all parameters are changed at once, by s times about 1 %."""

    s: "Numbers[Any, Any]"  #: 1, 1/2, 1/4, ...
    remainders: "Numbers[Any, Any]"  #: objectives x s: what the gradient does not account for; it falls with s**2
    direct_against_adjoint: "Numbers[Any, Any]"  #: of each objective, as a part of its largest term; NaN: not known


@dataclass(frozen=True)
class Gradient:
    """Objectives and their derivatives by parameters; `gradient["sway", "k1"]` is one derivative."""

    objectives: Tuple[str, ...]  #: names, in the order of the model
    parameters: Tuple[str, ...]  #: names
    values: "Numbers[Any, Any]"  #: of the objectives
    derivatives: "Numbers[Any, Any]"  #: objectives x parameters
    parameter_values: "Numbers[Any, Any]"  #: where the derivatives are
    methods: Tuple[str, ...]  #: of each objective: "direct", "adjoint", "differences"; "combined" of one made of others
    histories: Dict[str, GradientHistory] = field(default_factory=dict)  #: by analysis, if asked for
    check: Optional[GradientCheck] = None  #: if asked for

    def __getitem__(self, key: Union[str, Tuple[str, str]]) -> Any:
        """The derivative of an objective by a parameter, or with an objective alone those by all parameters."""
        objective, parameter = (key, None) if isinstance(key, str) else key
        row = self.derivatives[_place(self.objectives, objective, "objective")]
        return row if parameter is None else float(row[_place(self.parameters, parameter, "parameter")])

    def _repr_html_(self) -> str:
        rows = [[f"d {name} / d {parameter}", float(self.derivatives[i, p]),
                 float(0.01 * self.parameter_values[p] * self.derivatives[i, p])]
                for i, name in enumerate(self.objectives) for p, parameter in enumerate(self.parameters)]
        values = [[name, float(value), method]
                  for name, value, method in zip(self.objectives, self.values, self.methods)]
        return (html_table(["objective", "value", "method"], values) +
                html_table(["", "derivative", "change by +1 %"], rows))


def _place(names: Tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        raise KeyError(f"there is no {what} {name!r}: there are {', '.join(names)}")
    return names.index(name)


def _choice(words: Tuple[str, ...], word: str, what: str) -> int:
    if word not in words:
        raise _errors.UsageError(f"{what} is one of {', '.join(words)}, not {word!r}")
    return words.index(word)


def _history(g: Any, h: Any) -> GradientHistory:
    all_numbers = numbers(h.values, h.points, 1 + g.parameter_count, h.count)
    return GradientHistory(text_of(h.analysis), text_of(h.over) or "time", texts(h.names, h.count),
                           numbers(h.t, h.points), all_numbers[:, 0, :].copy(),
                           all_numbers[:, 1:, :].transpose(0, 2, 1).copy())


def _gradient_of(g: Any, check: Optional[GradientCheck]) -> Gradient:
    n, m = g.objective_count, g.parameter_count
    methods = tuple(_METHODS[g.methods[i]] if g.methods[i] else "combined" for i in range(n))
    histories = [_history(g, g.histories[i]) for i in range(g.history_count)]
    return Gradient(texts(g.objectives, n), texts(g.parameters, m), numbers(g.values, n),
                    numbers(g.derivatives, n, m), numbers(g.parameter_values, m), methods,
                    {h.analysis: h for h in histories}, check)


def gradient(model: "Model", of: "str | Iterable[str] | None", by: "str | Iterable[str] | None", method: str,
             basis: str, integrator: Optional[str], step: float, memory: float, jobs: Optional[int], histories: bool,
             check: bool, path: "Optional[Path]", progress: Union[bool, Progress, None]) -> Gradient:
    """See Model.gradient."""
    objectives, held = name_list(of)
    parameters, kept = name_list(by)
    name = ffi.NULL if integrator is None else ffi.new("char[]", encode(integrator))
    spec, like = model._for_study()
    request = ffi.new("lmb_gradient_request *", {
        "objectives": objectives, "parameters": parameters, "method": _choice(_METHODS, method, "method"),
        "basis": _choice(_BASES, basis, "basis"), "integrator": name, "step": step, "memory": memory,
        "jobs": thread_count(jobs), "histories": histories or path is not None, "like": like})
    shown = progress_of(progress)
    call = Call(shown, functions=model._bound())
    out = ffi.new("lmb_gradient **")
    checked = ffi.new("lmb_gradient_check **")
    file = path_text(path)
    try:
        call.check(call_long(call, lib.lmb_gradient_find, out, call.context, spec, request))
        if check:
            call.check(call_long(call, lib.lmb_gradient_check_find, checked, call.context, spec, request, out[0]))
        if path is not None:
            call.check(lib.lmb_gradient_write(call.context, out[0], file))
        c, n = checked[0], out[0].objective_count
        found = GradientCheck(numbers(c.s, lib.LMB_CHECK_STEPS), numbers(c.remainders, n, lib.LMB_CHECK_STEPS),
                              numbers(c.other, n)) if c else None
        return _gradient_of(out[0], found)
    finally:
        if isinstance(shown, Bar):
            shown.close()
        lib.lmb_gradient_check_free(checked[0])
        lib.lmb_gradient_free(out[0])
        del held, kept
