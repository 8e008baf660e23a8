"""Reduced bodies and rotors: the numbers of the command line, theory, mistakes."""
import json
import pickle
import unittest

import numpy as np

import limber
from support import PENDULUM, limber as program, same_bits, scratch

CANTILEVER = "examples/cantilever/cantilever.yaml"
FRAME = "examples/frame/frame.yaml"
ROTORS = [f"examples/{name}/{name}.yaml" for name in ("jeffcott", "nelson-rotor")]


class Reduction(unittest.TestCase):
    def test_as_the_command_line(self):
        for model in (CANTILEVER, FRAME):
            path = scratch("reduced.h5")
            expected = json.loads(program("reduce", model, "--json", "--quiet", "--no-cache", "-o", path).stdout)
            body = limber.load(model).reduce(cache=False)
            self.assertEqual((body.name, body.mass, body.cached), (expected["body"], expected["mass"], False))
            for name in ("centre", "inertia", "origin"):
                self.assertEqual(getattr(body, name).tolist(), expected[name])
            self.assertEqual({name: place.tolist() for name, place in body.points.items()}, expected["points"])
            self.assertEqual(body.fixed_frequency.tolist(), [mode["frequency"] for mode in expected["fixed"]])
            self.assertEqual(body.effective_mass.tolist(), [mode["effective_mass"] for mode in expected["fixed"]])
            self.assertEqual((body.all_frequency.tolist(), body.frequency.tolist()), (expected["all"], expected["kept"]))
            self.assertEqual(len(body.nodes), expected["nodes"])
            matrices = json.loads(program("matrices", path, "--json").stdout)
            for name in ("K", "M", "gram"):
                self.assertEqual(getattr(body, name).tolist(), matrices[name])
            free = json.loads(program("modes", path, "--json").stdout)
            self.assertEqual(body.modes.frequency.tolist(), [mode["frequency"] for mode in free["modes"]])
            self.assertEqual(body.modes.shapes.tolist(), [mode["shape"] for mode in free["modes"]])
            self.assertEqual(list(body.modes.coordinates), free["coordinates"])

    def test_numbers_agree(self):
        """Modes have unit mass and the stiffness of their frequencies; translations through the mass matrix are the mass."""
        body = limber.load(FRAME).reduce(cache=False)
        n = len(body.frequency)
        omega2 = (2 * np.pi * body.frequency)**2
        self.assertLess(abs(body.M - np.eye(n)).max(), 1e-9)
        self.assertLess(abs(np.diag(body.K) / omega2 - 1).max(), 1e-9)
        self.assertAlmostEqual(body.gram[0, 0] / body.mass, 1, delta=1e-9)
        self.assertEqual(body.shapes.shape, (n, len(body.nodes), 3))
        self.assertEqual(body.point_shapes.shape, (len(body.points), 6, n))

    def test_files(self):
        """The file is that of the command line."""
        ours, theirs = scratch("ours.h5"), scratch("theirs.h5")
        body = limber.load(CANTILEVER).reduce(path=ours, cache=False)
        program("reduce", CANTILEVER, "--quiet", "--no-cache", "-o", theirs)
        with open(ours, "rb") as a, open(theirs, "rb") as b:
            self.assertEqual(a.read(), b.read())
        self.assertTrue(body.path.endswith("ours.h5"))
        same_bits(self, pickle.loads(pickle.dumps(body)).K, body.K)
        self.assertIn("frequency (Hz)", body._repr_html_())

    def test_mistakes(self):
        model = limber.load(CANTILEVER)
        result = scratch("run.h5")
        limber.Model(PENDULUM).run(path=result)
        for call, error, piece in ((lambda: model.reduce("beem"), limber.InputError, "no flexible body 'beem'"),
                                   (lambda: model.reduce(2), limber.UsageError, "`body` must be a text or None"),
                                   (lambda: model.reduce(path="/nowhere/b.h5"), limber.FileError, "/nowhere"),
                                   (lambda: model.reduce(path=result), limber.UsageError, "has results"),
                                   (lambda: limber.Model(PENDULUM).reduce(), limber.InputError, "has no flexible body")):
            with self.assertRaisesRegex(error, piece):
                call()


class Rotors(unittest.TestCase):
    def same_whirl(self, whirl, expected):
        self.assertEqual((float(whirl.speed), bool(whirl.stable)), (expected["speed"], expected["stable"]))
        for name in ("frequency", "natural", "damping", "decrement", "whirl"):
            found = [None if x != x else x for x in getattr(whirl, name).tolist()]
            self.assertEqual(found, [mode[name] for mode in expected["modes"]])

    def test_as_the_command_line(self):
        for path in ROTORS:
            expected = json.loads(program("rotor", path, "--json").stdout)
            rotor = limber.load(path).rotor()
            self.assertEqual((rotor.title, rotor.elements, rotor.mass, rotor.shaft_mass),
                             tuple(expected[key] for key in ("title", "elements", "mass", "shaft_mass")))
            critical = expected["critical_speeds"]
            for name in ("speed", "damped_speed", "damping", "decrement"):
                found = [None if x != x else x for x in getattr(rotor.criticals, name).tolist()]
                self.assertEqual(found, [c[name] for c in critical])
            self.assertEqual(list(rotor.criticals.whirl), [c["whirl"] for c in critical])
            self.same_whirl(rotor.service, expected["service"])
            for i, at in enumerate(expected["campbell"]):
                one = limber.Whirl(*(part[i] for part in vars(rotor.campbell).values()))
                self.same_whirl(one, at)
            orbits = expected["service"]["modes"][0]["orbits"]
            for name in ("major", "minor", "angle", "phase"):
                self.assertEqual(getattr(rotor.orbits, name)[0].tolist(), [orbit[name] for orbit in orbits])
            self.assertEqual([list(row) for row in rotor.sag], [[at["y"], at["z"]] for at in expected["sag"]])
            self.assertEqual({name: load.tolist() for name, load in rotor.bearing_loads.items()},
                             expected["bearing_loads"])
            estimates = expected["estimates"]
            self.assertEqual((rotor.estimates.discs, rotor.estimates.dunkerley, rotor.estimates.rayleigh),
                             tuple(estimates[key] for key in ("discs", "dunkerley", "rayleigh")))
            self.assertEqual(rotor.instability is None, "instability" not in expected)
            self.assertEqual(list(rotor.words), expected["words"])
            self.same_response(rotor, expected)

    def same_response(self, rotor, expected):
        self.assertEqual(rotor.unbalance is None, "unbalance" not in expected)
        self.assertEqual(rotor.run_up is None, "run_up" not in expected)
        for k, name in enumerate(rotor.stations):
            if rotor.unbalance is not None:
                at = expected["unbalance"][name]
                self.assertEqual(rotor.unbalance.speed.tolist(), [x["speed"] for x in at])
                for part in ("major", "minor", "angle"):
                    self.assertEqual(getattr(rotor.unbalance.orbits, part)[:, k].tolist(), [x[part] for x in at])
                # NumPy's hypot is not rounded as that of C
                amplitude = np.array([x["amplitude_y"] for x in at])
                self.assertLessEqual(abs(abs(rotor.unbalance.y[:, k]) - amplitude).max(), 1e-14 * amplitude.max())
                self.assertEqual(rotor.unbalance.peak_speed[k], expected["largest"][name]["speed"])
            if rotor.run_up is not None:
                self.assertEqual((rotor.run_up.peak[k], rotor.run_up.peak_speed[k]),
                                 tuple(expected["run_up"][name][key] for key in ("amplitude", "speed")))

    def test_results(self):
        """The analyses in memory and in a file are those of the command line."""
        theirs, ours = scratch("theirs-rotor.h5"), scratch("ours-rotor.h5")
        model = limber.load(ROTORS[0])
        program("rotor", ROTORS[0], "-o", theirs)
        expected = limber.open(theirs)
        for rotor in (model.rotor(), model.rotor(path=ours)):
            self.assertEqual(rotor.result.analyses, expected.analyses)
            for name in ("campbell/mode1.frequency", f"unbalance/{rotor.stations[0]}.amplitude"):
                same_bits(self, np.asarray(rotor.result[name]), np.asarray(expected[name]))
        rotor = model.rotor()
        same_bits(self, np.ascontiguousarray(rotor.result["campbell/mode1.frequency"]),
                  np.ascontiguousarray(rotor.campbell.frequency[:, 0]))
        self.assertEqual(rotor.result["campbell/mode1.frequency"].over.name, "speed")
        self.assertGreater(len(rotor.report().html), 10000)

    def test_ratio(self):
        """At twice the speed of whirl: the critical speeds are lower."""
        model = limber.load(ROTORS[1])
        expected = json.loads(program("rotor", ROTORS[1], "--ratio", "2", "--json").stdout)
        rotor = model.rotor(ratio=2)
        self.assertEqual(rotor.criticals.speed.tolist(), [c["speed"] for c in expected["critical_speeds"]])
        self.assertLess(rotor.criticals.speed[0], model.rotor().criticals.speed[0])

    def test_it_pickles_and_shows_itself(self):
        rotor = limber.load(ROTORS[0]).rotor()
        again = pickle.loads(pickle.dumps(rotor))
        same_bits(self, again.campbell.frequency, rotor.campbell.frequency)
        self.assertEqual(again.result.analyses, rotor.result.analyses)
        self.assertIn("rpm", rotor._repr_html_())

    def test_mistakes(self):
        model = limber.load(ROTORS[0])
        for ratio in (0, -1, float("nan"), True, "1"):
            with self.assertRaisesRegex(limber.UsageError, "ratio"):
                model.rotor(ratio)
        with self.assertRaisesRegex(limber.UsageError, "below 1e6"):
            model.rotor(float("inf"))
        with self.assertRaisesRegex(limber.InputError, "no section 'rotor'"):
            limber.Model(PENDULUM).rotor()
        with self.assertRaisesRegex(limber.FileError, "/nowhere"):
            model.rotor(path="/nowhere/r.h5")


if __name__ == "__main__":
    unittest.main()
