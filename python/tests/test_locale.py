"""A program with a decimal comma in its locale gets the same results, and keeps its locale."""
import locale
import os
import subprocess
import unittest

import limber
from support import PENDULUM, same_bits, scratch

COMMA = 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n'
STUDY = (
    "objectives: {far: {max: bob.position.x, of: swing}}\n"
    "studies: {s: {type: sweep, results: [far], vary: {l: {from: 0.5, to: 1.25, points: 4}}}}\n"
)


class Locale(unittest.TestCase):
    def use_decimal_comma(self):
        """Makes a locale with a decimal comma (localedef warns of all that it lacks) and sets it."""
        source = scratch("comma.src")
        with open(source, "w", encoding="ascii") as file:
            file.write(COMMA)
        subprocess.run(["localedef", "-c", "--no-archive", "-i", source, scratch("comma")], capture_output=True)
        os.environ["LOCPATH"] = os.path.dirname(source)
        self.addCleanup(locale.setlocale, locale.LC_NUMERIC, "C")
        locale.setlocale(locale.LC_NUMERIC, "comma")
        self.assertEqual(locale.str(0.5), "0,5")

    def everything(self):
        """Channels, text, gradient and sweep of a model, and how its callback saw a number."""
        seen = set()
        model = limber.Model(PENDULUM + STUDY)
        result = model.run(progress=lambda what, fraction: seen.add(locale.str(0.5)))
        result.save(scratch("comma.h5"))
        result.report(scratch("comma.html"))
        saved = limber.open(scratch("comma.h5"))
        return [
            result["bob.position"],
            saved["pin.force"],
            saved.text("geometry"),
            model.gradient().derivatives,
            model.sweep_study(jobs=2).values,
        ], seen

    def test_results_are_those_of_the_c_locale(self):
        expected, seen = self.everything()
        self.assertLessEqual(seen, {"0.5"})
        self.use_decimal_comma()
        given, seen = self.everything()
        self.assertLessEqual(seen, {"0,5"})
        self.assertEqual(locale.str(0.5), "0,5")
        for a, b in zip(given, expected):
            if isinstance(a, str):
                self.assertEqual(a, b)
            else:
                same_bits(self, a, b)


if __name__ == "__main__":
    unittest.main()
