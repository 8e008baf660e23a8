"""Reads exported files back with readers that are not Limber's:  read_back.py PROGRAM FOLDER

.vtu with the reader of VTK (the one of ParaView), .pvd, CSV and MAT with Python's own modules, and compares
them with what `limber get` says. Ends with 77 (skipped) where there is no VTK, except in continuous
integration (CI is set), where that is a failure. Debian's package is python3-vtk9.
"""
import csv
import math
import os
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml

try:
    from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError as missing:
    print(f"No VTK to read .vtu files with (Debian's package python3-vtk9): {missing}")
    sys.exit(1 if os.environ.get("CI") else 77)

PROGRAM, FOLDER = sys.argv[1:3]
TRIANGLE = 5  # VTK's number of these cells
SINGLE = 2.0**-23  # .vtu files have numbers of single precision


def limber(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def run(example):
    """The result of an example, made once for all tests."""
    words = [PROGRAM, os.path.join(FOLDER, "../examples-shared"), "run", example]
    made = subprocess.run(["tests/support/example.sh", *words], check=True, capture_output=True, text=True)
    return made.stdout.strip()


def get(result, channel, t):
    return [float(x) for x in limber("get", result, channel, "--at", repr(t)).split()]


def close(a, b, tolerance, what):
    """Lists of numbers are the same; a number that is not one is not."""
    assert len(a) == len(b), f"{what}: {len(a)} numbers, not {len(b)}"
    for x, y in zip(a, b):
        assert abs(x - y) <= tolerance, f"{what}: {a} is not {b} within {tolerance:g}"


# --- .vtu and .pvd ---------------------------------------------------------------------------------


class Grid:
    """A .vtu file as VTK reads it. Anything that VTK complains about is an error."""

    def __init__(self, path):
        said = vtkStringOutputWindow()
        vtkOutputWindow.SetInstance(said)
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(path)
        reader.Update()
        self.grid = reader.GetOutput()
        if said.GetOutput() or reader.GetErrorCode():
            raise ValueError(f"{path}: {said.GetOutput()}")
        count = self.grid.GetNumberOfPoints()
        self.points = [self.grid.GetPoint(i) for i in range(count)]
        self.cells = []  # kind, points
        for i in range(self.grid.GetNumberOfCells()):
            cell = self.grid.GetCell(i)
            ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
            assert all(0 <= k < count for k in ids), f"cell {i} of {path} has points {ids}"
            self.cells.append((self.grid.GetCellType(i), ids))
        body = self.grid.GetCellData().GetArray("body")
        self.bodies = [int(body.GetTuple1(i)) for i in range(len(self.cells))] if body else []

    def array(self, name):
        """The numbers at the points, a tuple each; None if there are none."""
        array = self.grid.GetPointData().GetArray(name)
        if array is None:
            return None
        assert array.GetNumberOfTuples() == len(self.points)
        return [array.GetTuple(i) for i in range(len(self.points))]

    def nodes_of(self, body):
        """The numbers of the points of a body, from 1 in the order of the model."""
        return sorted({k for (_, ids), b in zip(self.cells, self.bodies) if b == body for k in ids})


def grids(result, step):
    """The times and grids of an export, by its list."""
    name = os.path.basename(result)[:-3]
    folder = os.path.join(FOLDER, f"{name}-vtk")
    shutil.rmtree(folder, ignore_errors=True)
    limber("export", result, "--vtk", folder, "--step", repr(step))
    root = xml.parse(os.path.join(folder, f"{name}.pvd")).getroot()
    assert (root.tag, root.get("type")) == ("VTKFile", "Collection")
    sets = root.findall("Collection/DataSet")
    assert len(sets) == len([f for f in os.listdir(folder) if f.endswith(".vtu")])
    return [(float(s.get("timestep")), os.path.join(folder, s.get("file"))) for s in sets]


def mean(vectors):
    return [math.fsum(v[k] for v in vectors) / len(vectors) for k in range(3)]


def to_body(quaternion, v):
    """A vector in the axes of a body with this orientation (w x y z)."""
    w, x, y, z = quaternion
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
    return [sum(r * c for r, c in zip(row, v)) for row in rows]


def von_mises(s):
    xx, yy, zz, xy, yz, zx = s
    return math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (xy * xy + yz * yz + zx * zx))


def rigid_bodies_are_where_they_are():
    result = run("slider-crank")
    files = grids(result, 0.25)
    close([t for t, _ in files], [0, 0.25, 0.5, 0.75, 1], 1e-15, "times")
    for t, path in files:
        grid = Grid(path)
        assert {kind for kind, _ in grid.cells} == {TRIANGLE}
        assert sorted(set(grid.bodies)) == [1, 2, 3]
        assert grid.array("deformation") is None
        for number, body in enumerate(("crank", "rod", "slider"), 1):
            corners = [grid.points[i] for i in grid.nodes_of(number)]
            assert len(corners) == 8
            # boxes about their centres of mass
            close(mean(corners)[:2], get(result, f"{body}.position", t), SINGLE, f"{body} at {t}")


def beams_bend():
    """Beams in the plane are drawn by nodes on their axis and on both sides of it."""
    result = run("slider-crank-beams")
    for t, path in grids(result, 0.25):
        grid = Grid(path)
        assert {kind for kind, _ in grid.cells} == {TRIANGLE}
        moved, mises = grid.array("deformation"), grid.array("von_mises")
        for number, body, point in ((1, "crank", "B"), (2, "rod", "C")):
            nodes = grid.nodes_of(number)
            at = get(result, f"{body}.{point}.position", t) + [0.0]
            nearest = min(nodes, key=lambda i: math.dist(grid.points[i], at))
            close(grid.points[nearest], at, 4 * SINGLE, f"{body}.{point} at {t}")
            u = get(result, f"{body}.{point}.displacement", t)
            (angle,) = get(result, f"{body}.angle", t)
            u = [math.cos(angle) * u[0] - math.sin(angle) * u[1], math.sin(angle) * u[0] + math.cos(angle) * u[1], 0.0]
            # a sum of modes in single precision, of the size of the largest of them
            largest = max(math.hypot(*moved[i]) for i in nodes)
            close(moved[nearest], u, 8 * SINGLE * largest + 1e-12, f"deformation of {body}.{point} at {t}")
            (stress,) = get(result, f"{body}.stress.max", t)
            close([max(mises[i][0] for i in nodes)], [stress], 1e-4 * stress, f"stress of {body} at {t}")


def solids_have_deformation_and_stress():
    result = run("clapper")
    files = grids(result, 4.0)
    close([t for t, _ in files], [0, 4, 8, 12, 16, 20], 1e-14, "times")
    for t, path in files:
        grid = Grid(path)
        assert {kind for kind, _ in grid.cells} == {TRIANGLE}
        moved, stress, mises = (grid.array(name) for name in ("deformation", "stress", "von_mises"))
        # The nodes of the flange around the lower bearing move with it as one piece; as they lie evenly around it,
        # their mean is the point.
        position, turn = (get(result, f"clapper.{what}", t) for what in ("position", "quaternion"))
        local = [to_body(turn, [p - u - x for p, u, x in zip(grid.points[i], moved[i], position)])
                 for i in range(len(moved))]
        lowest = min(p[2] for p in local)
        flange = [i for i, p in enumerate(local) if p[2] < lowest + 1e-5]
        assert len(flange) >= 12
        close(mean([local[i] for i in flange])[:2], [0, 0], 32 * SINGLE, "middle of the flange at rest")
        close(mean([grid.points[i] for i in flange]), get(result, "clapper.bearing.position", t), 32 * SINGLE,
              f"bearing at {t}")
        u = get(result, "clapper.bearing.displacement", t)
        size = max(math.hypot(*moved[i]) for i in range(len(moved)))
        close(to_body(turn, mean([moved[i] for i in flange])), u, 32 * SINGLE * size, f"displacement at {t}")
        # the largest stress of the body is on its surface
        for s, (m,) in zip(stress, mises):
            assert abs(von_mises(s) - m) <= 8 * SINGLE * max(m, *map(abs, s))
        (largest,) = get(result, "clapper.stress.max", t)
        close([max(m for (m,) in mises)], [largest], 1e-5 * largest, f"stress at {t}")


def inertia_forces_balance_interface_loads():
    """Loads of the boom of the crane as a grid: its nodes have their numbers, its hexahedra 20 different points."""
    result = run("crane")
    path = os.path.join(FOLDER, "boom.vtu")
    limber("export", result, "--loads", "boom", "--at", "6", "-o", path)
    grid = Grid(path)
    assert all(kind == 25 and len(set(ids)) == 20 for kind, ids in grid.cells)
    numbers = [int(n) for n, in grid.array("node")]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    force = grid.array("force")
    inner = [math.fsum(f[k] for f in force) for k in range(3)]
    outer = [math.fsum(get(result, f"boom.{p}.force.{x}", 6)[0] for p in ("foot", "ram", "head")) for x in "xyz"]
    size = math.fsum(math.hypot(*f) for f in force)
    close(inner, [-x for x in outer], SINGLE * size, "inertia forces")


def damaged_files_are_noticed():
    """Else the tests above would not see what VTK complains about."""
    (_, path), *_ = grids(run("slider-crank"), 0.5)
    with open(path, encoding="ascii") as file:
        text = file.read()
    broken = os.path.join(FOLDER, "broken.vtu")
    for wrong in (text.replace('NumberOfPoints="24"', 'NumberOfPoints="25"'), text[: len(text) // 2],
                  text.replace("connectivity", "connections")):
        with open(broken, "w", encoding="ascii") as file:
            file.write(wrong)
        try:
            Grid(broken)
        except (ValueError, AssertionError):
            continue
        raise AssertionError("a damaged file was taken for a good one")


# --- tables ----------------------------------------------------------------------------------------


def mat_variables(path):
    """The numeric matrices of a MAT-file of Level 5: rows and columns, values by columns."""
    with open(path, "rb") as file:
        data = file.read()
    assert data.startswith(b"MATLAB 5.0 MAT-file") and data[124:128] == b"\x00\x01IM"
    at, found = 128, {}

    def element(where):  # kind, contents, next
        kind, size = struct.unpack_from("<II", data, where)
        if kind >> 16:  # a small one
            return kind & 0xFFFF, data[where + 4 : where + 4 + (kind >> 16)], where + 8
        return kind, data[where + 8 : where + 8 + size], where + 8 + (size + 7) // 8 * 8

    while at < len(data):
        kind, _, end = element(at)
        assert kind == 14, "a matrix"
        at += 8
        _, flags, at = element(at)
        _, shape, at = element(at)
        _, name, at = element(at)
        if flags[0] == 6:  # of doubles
            kind, numbers, at = element(at)
            assert kind == 9
            found[name.decode()] = (struct.unpack("<ii", shape), struct.unpack(f"<{len(numbers) // 8}d", numbers))
        at = end
    return found


def tables_have_every_bit():
    """CSV (decimal digits), MAT (binary) and `limber get` agree in every number of every channel."""
    result = run("spatial-slider-crank")
    table, mat = (os.path.join(FOLDER, f"all.{kind}") for kind in ("csv", "mat"))
    limber("export", result, "--csv", table)
    limber("export", result, "--mat", mat)
    with open(table, newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    columns = {name: [float(row[i]) for row in rows] for i, name in enumerate(head)}
    variables = mat_variables(mat)
    channels = [line.split()[0] for line in limber("list", result).splitlines()[1:]]
    assert len(channels) > 30
    seen = 0
    for channel in channels:
        lines = [[float(x) for x in line.split()] for line in limber("get", result, channel).splitlines()]
        (count, width), values = variables[channel.replace(".", "_")]
        assert count == len(lines) and width == len(lines[0]) - 1
        names = [name for name in head if name == channel or name.rpartition(".")[0] == channel and width > 1]
        assert len(names) == width, f"{channel} has the columns {names}"
        for k, name in enumerate(names):
            told = [line[1 + k] for line in lines]
            assert columns[name] == told, f"{name} in CSV"
            assert list(values[k * count : (k + 1) * count]) == told, f"{name} in MAT"
            assert columns["time"] == [line[0] for line in lines] == list(variables["time"][1])
            seen += 1
    assert seen == len(head) - 1


os.makedirs(FOLDER, exist_ok=True)
TESTS = (rigid_bodies_are_where_they_are, beams_bend, solids_have_deformation_and_stress,
         inertia_forces_balance_interface_loads, damaged_files_are_noticed, tables_have_every_bit)
failed = 0
for test in TESTS:
    try:
        test()
        print(f"ok: {test.__name__}")
    except (AssertionError, ValueError, subprocess.CalledProcessError) as error:
        failed += 1
        print(f"FAILED: {test.__name__}: {error}\n{getattr(error, 'stderr', '')}")
sys.exit(1 if failed else 0)
