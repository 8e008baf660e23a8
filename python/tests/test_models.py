"""Models, runs and results."""
import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import numpy as np

import limber
from support import PENDULUM, SLIDER_CRANK, in_threads, limber as program, same_bits, scratch


class Models(unittest.TestCase):
    def test_a_dictionary_is_a_model_file(self):
        tree = {
            "limber": 1, "dimension": 2, "gravity": np.array([0, -9.81]), "parameters": {"l": np.float64(1), "T": 1},
            "bodies": {"bob": {"mass": 2, "inertia": 0.1, "position": ["l", 0], "points": {"O": ["-l", 0]}}},
            "joints": {"pin": {"type": "revolute", "between": ["ground", "bob.O"]}},
            "analyses": {"swing": {"type": "dynamics", "duration": "T", "output_step": 0.01}}}
        model = limber.Model(tree)
        self.assertEqual(json.loads(model.text)["parameters"]["l"], 1)
        same_bits(self, model.run()["bob.angle"], limber.Model(PENDULUM).run()["bob.angle"])

    def test_set(self):
        path = scratch("set.h5")
        program("run", SLIDER_CRANK, "--set", "omega=20", "--set", "r=0.3*l", "-o", path, "--quiet")
        model = limber.load(SLIDER_CRANK)
        model.run()  # what was compiled then is not used any more
        result = model.set(omega=np.int64(20), r="0.3*l").run()
        same_bits(self, limber.open(path)["pin.force"], result["pin.force"])
        same_bits(self, copy.deepcopy(model).run()["pin.force"], result["pin.force"])
        model.set(omega=10)
        self.assertNotEqual(model.run()["pin.force"].tobytes(), result["pin.force"].tobytes())

    def test_a_change_of_a_parameter_compiles_a_variant(self):
        """Of the model that was compiled last, also in a copy; its results are those of a model that is compiled anew."""
        with mock.patch("limber._model.lib", wraps=limber._model.lib) as lib:
            lib.LMB_OK = 0
            model = limber.load(SLIDER_CRANK)
            model.run()
            changed = model.copy().set(r=0.1).run()["pin.force"]
            model.set(omega=20).set(omega=30).run()
            self.assertEqual((lib.lmb_model_compile.call_count, lib.lmb_model_variant.call_count), (1, 2))
        same_bits(self, changed, limber.load(SLIDER_CRANK).set(r=0.1).run()["pin.force"])

    def test_files_beside_a_model_are_found_from_anywhere(self):
        model = limber.load("examples/crane/crane.yaml")
        pickled = pickle.dumps(model)
        folder = os.getcwd()
        try:
            os.chdir("/")
            for other in (model, model.copy(), pickle.loads(pickled)):
                self.assertEqual(other.check().redundant, 0)
        finally:
            os.chdir(folder)

    def test_geometry_scripts_need_trust(self):
        os.makedirs(scratch("trust"), exist_ok=True)
        nodes = "".join(f"{i + 1} {i & 1} {i >> 1 & 1} {i >> 2}\n" for i in range(8))
        files = {"gmsh": "#!/bin/sh\nfor out; do :; done\ncat \"$(dirname \"$0\")/cube.msh\" > \"$out\"\n",
                 "part.geo": f'// {os.getpid()}\nSystemCall "true";\n',
                 "cube.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"left\"\n"
                             f"$EndPhysicalNames\n$Nodes\n8\n{nodes}$EndNodes\n$Elements\n2\n"
                             "1 3 2 1 1 1 3 7 5\n2 5 2 2 1 1 2 4 3 5 6 8 7\n$EndElements\n",
                 "script.yaml": "limber: 1\ndimension: 3\nbodies:\n  cube:\n"
                                "    mesh: {file: part.geo, material: steel}\n"
                                "    interfaces: {a: {point: [0, 0.5, 0.5], nodes: left}}\n"
                                "    reduction: {modes: 2}\n"}
        for name, text in files.items():
            with open(scratch(f"trust/{name}"), "w") as file:
                file.write(text)
        os.chmod(scratch("trust/gmsh"), 0o755)
        path = scratch("trust/script.yaml")
        with mock.patch.dict(os.environ, PATH=scratch("trust") + ":/usr/bin:/bin"):
            with self.assertRaisesRegex(limber.InputError, "geometry script"):
                limber.load(path).check()
            trusted = limber.load(path, trust=True)
            for model in (trusted, trusted.copy(), pickle.loads(pickle.dumps(trusted)),
                          limber.Model(files["script.yaml"], path, trust=True, meshing_time=60)):
                self.assertEqual(model.check().bodies, 1)
        with self.assertRaisesRegex(limber.UsageError, "meshing_time"):
            limber.Model(files["script.yaml"], meshing_time=0)

    def test_one_file_has_one_writer(self):
        path = scratch("twice.h5")

        def again(what, fraction):
            with self.assertRaisesRegex(limber.FileError, "is being written by process"):
                limber.Model(PENDULUM).run(path=path)
            return True

        with self.assertRaisesRegex(limber.SolverError, "interrupted"):
            limber.Model(PENDULUM).run(path=path, progress=again)
        self.assertEqual(len(limber.Model(PENDULUM).run(path=path, resume=True, wait=True)["bob.angle"]), 101)

    def test_all_or_none_is_set(self):
        model = limber.load(SLIDER_CRANK).set(r=0.1)
        with self.assertRaises(limber.InputError):
            model.set(omega=20, omgea=30)
        self.assertEqual(model.settings, {"r": "0.1"})
        same_bits(self, model.run()["pin.force"], limber.load(SLIDER_CRANK).set(r=0.1).run()["pin.force"])

    def test_threads_share_a_model(self):
        model = limber.Model(PENDULUM)
        expected = model.run()["bob.angle"]
        for one in in_threads(4, lambda: model.run()["bob.angle"]):
            same_bits(self, one, expected)

    def test_progress_and_log(self):
        seen, lines = [], []
        limber.Model(PENDULUM).run(progress=lambda what, fraction: seen.append((what, fraction)), log=lines.append)
        self.assertEqual({what for what, _ in seen}, {"swing"})
        self.assertEqual(seen[-1][1], 1)
        self.assertTrue(all(0 <= fraction <= 1 for _, fraction in seen))
        self.assertTrue(lines)

    def test_what_a_progress_function_raises_stops_the_run(self):
        def stop(what, fraction):
            if fraction > 0.4:
                raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            limber.Model(PENDULUM).run(progress=stop)

    def test_a_run_that_was_stopped_is_resumed(self):
        path = scratch("resumed.h5")
        model = limber.Model(PENDULUM).set(T=3)
        with self.assertRaises(limber.SolverError) as caught:
            model.run(path=path, progress=lambda what, fraction: fraction > 0.5)
        self.assertIn("interrupted", str(caught.exception))
        same_bits(self, model.run(path=path, resume=True)["bob.angle"], model.run()["bob.angle"])

    def test_ctrl_c(self):
        code = ("import sys, tempfile, limber\n"
                f"model = limber.Model({PENDULUM!r}).set(T=1e5)\n"
                "try:\n"
                "    model.run(progress=lambda what, fraction: print('begun', flush=True) if fraction < 1e-6 else None)\n"
                "except KeyboardInterrupt:\n"
                "    print('stopped')\n")
        temporary = scratch("ctrl-c")
        os.makedirs(temporary, exist_ok=True)
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, "TMPDIR": temporary})
        self.assertEqual(child.stdout.readline(), "begun\n")
        time.sleep(0.2)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertEqual(out.splitlines()[-1], "stopped", err)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(os.listdir(temporary), [])

    def test_the_lock_of_python_is_free_during_a_run(self):
        counted = 0
        thread = threading.Thread(target=limber.Model(PENDULUM).set(T=30).run)
        thread.start()
        while thread.is_alive():
            counted += 1
            time.sleep(0.001)
        self.assertGreater(counted, 5)


class Results(unittest.TestCase):
    def setUp(self):
        self.result = limber.load(SLIDER_CRANK).run()

    def test_series(self):
        force = self.result["pin.force"]
        self.assertIsInstance(force, np.ndarray)
        self.assertEqual((force.name, force.unit, force.channel.components), ("pin.force", "N", "xy"))
        self.assertTrue(force.doc)
        self.assertEqual(force.over.name, "time")
        same_bits(self, self.result["pin.force.x"], np.ascontiguousarray(force[:, 0]))
        self.assertEqual(len(force[10:20].time), 10)
        self.assertIs(type(force[3]), np.ndarray)
        self.assertIs(type(np.hypot(*force.T)), np.ndarray)
        self.assertIs(type(force.max()), np.float64)
        again = pickle.loads(pickle.dumps(force))
        same_bits(self, again, force)
        self.assertEqual((again.channel, again.over, again.time.tolist()), (force.channel, force.over, force.time.tolist()))

    def test_results_in_memory(self):
        self.assertIsNone(self.result.path)
        self.assertEqual(repr(self.result), "<limber.Result in memory: turn>")
        again = pickle.loads(pickle.dumps(self.result))
        effort, text = self.result["motor.effort"], self.result.text("model")
        self.result = None
        gc.collect()
        same_bits(self, again["motor.effort"], effort)
        self.assertEqual(again.text("model"), text)
        with self.assertRaisesRegex(limber.InputError, "no channel 'pin.farce' in 'result in memory'"):
            again["pin.farce"]
        broken = limber.Result.__new__(limber.Result)
        with self.assertRaises(limber.InputError):
            broken.__setstate__({"bytes": b"no result"})

    def test_memory_is_as_a_file(self):
        file = limber.load(SLIDER_CRANK).run(path=scratch("file.h5"))
        self.assertEqual(file.analyses, self.result.analyses)
        self.assertEqual(file.channels, self.result.channels)
        for name in file:
            same_bits(self, file[name], self.result[name])
        for name in ("model", "version", "title", "geometry", "parameters", "analyses"):
            self.assertEqual(file.text(name), self.result.text(name))
        saved = self.result.save(scratch("saved.h5"))
        done = subprocess.run([os.environ["LIMBER_PROGRAM"], "compare", "--tolerance", "0", file.path, saved.path],
                              stdout=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0)

    def test_save(self):
        path = scratch("saved.h5")
        saved = self.result.save(path)
        self.assertEqual(saved.path, os.path.abspath(path))
        self.assertEqual(pickle.loads(pickle.dumps(saved)).path, saved.path)
        saved.save(path)
        same_bits(self, limber.open(path)["pin.force"], self.result["pin.force"])
        for result in (saved, self.result):
            with self.assertRaises(limber.FileError):
                result.save("/no/such/folder/a.h5")
            with self.assertRaises(limber.UsageError):
                result.save("a\0b")
            with self.assertRaisesRegex(limber.FileError, "is not a result file, so it is not replaced"):
                result.save(__file__)

    def test_nodes(self):
        result = limber.load("examples/roll-up/roll-up.yaml").run()
        nodes = next(c for c in result.channels.values() if len(c.components) > 1 and c.size > len(c.components))
        self.assertEqual(result[nodes.name].shape[1:], (nodes.size // len(nodes.components), len(nodes.components)))
        self.assertEqual(len(nodes.columns), nodes.size)

    def test_notebook(self):
        self.assertIn("<td>motor.effort</td><td>N m</td>", self.result._repr_html_())
        self.assertIn("<td>degrees of freedom</td><td>1</td>", limber.load(SLIDER_CRANK)._repr_html_())
        self.assertIn("no joint type &#x27;revolut&#x27;", limber.Model(PENDULUM.replace("revolute", "revolut"))._repr_html_())

    def test_report(self):
        path = scratch("report.html")
        try:
            report = self.result.report(path, title="A crank", compare=self.result, start=0.5)
        except limber.UsageError as error:
            self.assertIn("Node.js", error.hint)  # a library without the viewer says so
            return
        self.assertEqual(report.path, os.path.abspath(path))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), report.html)
        self.assertIn('"title": "A crank"', report.html)
        self.assertIn('"ghost"', report.html)
        plain = self.result.report()
        self.assertIsNone(plain.path)
        cell = plain._repr_html_()
        self.assertTrue(cell.startswith('<iframe srcdoc="&lt;!doctype html&gt;'))
        self.assertNotIn("<script", cell)
        self.assertEqual(pickle.loads(pickle.dumps(plain)).html, plain.html)
        saved = self.result.save(scratch("compared.h5"))
        self.assertIn('"source": "compared.h5"', self.result.report(compare=saved.path).html)
        self.assertIn('"source": "compared.h5"', self.result.report(compare=saved).html)

    def test_reports_of_measurements(self):
        path = scratch("measured.csv")
        x = self.result["slider.position.x"]
        with open(path, "w") as file:
            file.write("time [s],CH1 [m]\n" + "".join(f"{t},{v}\n" for t, v in zip(x.time, x)))
        try:
            report = self.result.report(compare=path, columns={"CH1": "slider.position.x"})
        except limber.UsageError as error:
            self.assertIn("Node.js", error.hint)
            return
        self.assertIn('"name": "slider.position.x", "size": 1', report.html)

    def test_mistakes_in_reports(self):
        for wrong in (dict(shift=float("nan")), dict(rate=-1.0), dict(start=2.0, end=1.0), dict(title="a\0b")):
            with self.assertRaises(limber.UsageError):
                self.result.report(scratch("wrong.html"), **wrong)
        with self.assertRaises(limber.InputError):
            self.result.report(start=9.0)
        with self.assertRaises(limber.FileError):
            self.result.report(compare="/no/such.h5")
        with self.assertRaises(limber.Error):
            self.result.report("/no/such/folder/a.html")
        self.assertFalse(os.path.exists(scratch("wrong.html")))

    def test_reports_in_a_browser(self):
        opened = []
        with tempfile.TemporaryDirectory() as folder, mock.patch("tempfile.tempdir", folder), \
                mock.patch("webbrowser.open", opened.append):
            try:
                report = self.result.report(open=True)
            except limber.UsageError as error:
                self.assertIn("Node.js", error.hint)
                return
            self.assertEqual(opened, ["file://" + report.path])
            self.assertTrue(os.path.exists(report.path))
            again = self.result.report(open=True)  # the browser may not have read the page yet
            self.assertTrue(os.path.exists(report.path))
            for path in (report.path, again.path):
                os.utime(os.path.dirname(path), (0, 0))
            again = self.result.report(open=True)
            self.assertEqual(os.listdir(folder), [os.path.basename(os.path.dirname(again.path))])

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                self.result.to_pandas()
            return
        frame = self.result.to_pandas("pin.force", "motor.effort")
        self.assertEqual(list(frame.columns), ["pin.force.x", "pin.force.y", "motor.effort"])
        self.assertEqual(frame.index.name, "time")
        self.assertEqual(frame["motor.effort"].iloc[-1], self.result["motor.effort"][-1])
        self.assertEqual(len(self.result.to_pandas()), 101)

    def test_xarray(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-xarray"):
                self.result.to_xarray()
            return
        data = self.result.to_xarray("pin.force")
        self.assertEqual(data["pin.force"].attrs["units"], "N")
        self.assertEqual(float(data["pin.force"].sel({"pin.force.component": "x"})[-1]), self.result["pin.force.x"][-1])

    def test_plot(self):
        try:
            import matplotlib
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-matplotlib"):
                self.result.plot("pin.force")
            return
        matplotlib.use("agg")
        axes = self.result.plot("pin.force", "motor.effort")
        self.assertEqual([line.get_label() for line in axes.lines],
                         ["pin.force.x [N]", "pin.force.y [N]", "motor.effort [N m]"])


if __name__ == "__main__":
    unittest.main()
