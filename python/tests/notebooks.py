"""Runs notebooks without Jupyter, as far as those of examples/python need it.

    notebooks.py run NOTEBOOK           prints the outputs of its code cells as JSON
    notebooks.py refresh NOTEBOOK...    runs each in a process of its own and stores the outputs in it

An output is what a cell prints, the value of its last line (as text and, where it has one, as HTML), and its figures.
"""
import ast
import base64
import contextlib
import io
import json
import os
import subprocess
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def lines(text):
    """A text as notebooks store it."""
    return text.splitlines(keepends=True)


def execute(source, space):
    """Executes the lines of a cell and returns the value of the last one, if it is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), space)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)


def figures():
    """The figures that are open, as small PNG files; they are closed."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    from matplotlib import pyplot

    images = []
    for number in pyplot.get_fignums():
        file = io.BytesIO()
        pyplot.figure(number).savefig(file, format="png", dpi=64, metadata={"Software": None})
        images.append(base64.b64encode(file.getvalue()).decode())
    pyplot.close("all")
    return images


def outputs_of(source, space, count):
    """The outputs of a code cell."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = execute(source, space)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = lines(value._repr_html_())
        outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    for image in figures():
        data = {"image/png": image, "text/plain": ["<Figure>"]}
        outputs.append({"output_type": "display_data", "metadata": {}, "data": data})
    return outputs


def run(path):
    """The outputs of all code cells of a notebook, which is run in its folder."""
    os.environ["MPLBACKEND"] = "agg"
    cells = [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]
    os.chdir(os.path.dirname(os.path.abspath(path)))
    space = {"__name__": "__main__"}
    return [outputs_of("".join(cell["source"]), space, i + 1) for i, cell in enumerate(cells)]


def run_apart(path):
    """The same in a process of its own; what that writes to the standard error, too."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "run", path], capture_output=True, text=True,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return (json.loads(done.stdout) if done.returncode == 0 else None), done.stderr


def refresh(path):
    outputs, errors = run_apart(path)
    if outputs is None:
        sys.exit(f"{path}: {errors}")
    notebook = read(path)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for i, cell in enumerate(code):
        cell["execution_count"], cell["outputs"] = i + 1, outputs[i]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")
    sys.stderr.write(errors)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 3:
        found = run(sys.argv[2])
        json.dump(found, sys.stdout)
    elif sys.argv[1:2] == ["refresh"] and len(sys.argv) > 2:
        for notebook_path in sys.argv[2:]:
            refresh(notebook_path)
    else:
        sys.exit(__doc__)
