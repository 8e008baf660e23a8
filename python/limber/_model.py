"""Models: reading, changing, checking and running them."""
from __future__ import annotations

import contextlib
import html
import json
import math
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _errors, _linear
from ._checks import checked, shown
from ._functions import Bound, Function, definition, function_of
from ._library import Call, encode, ffi, lib, text_of
from ._part import Part, name_for
from ._progress import Bar, Progress, progress_of
from ._result import Result

if TYPE_CHECKING:
    from ._gradient import Gradient
    from ._reduction import ReducedBody
    from ._rotor import Rotor
    from ._studies import Fit, Optimum, SweepStudy, Tolerance
    from ._simulation import Simulation

#: The value of a parameter: a number, an expression, or several of these for a vector.
Value = Union[float, str, Iterable[Union[float, str]]]
Path = Union[str, "os.PathLike[str]"]
#: Functions of Python by the names that the expressions of a model have for them.
Functions = Mapping[str, Union[Function, Callable[..., Any]]]


@dataclass(frozen=True)
class Mobility:
    """The degrees of freedom of a model in its assembled position."""

    bodies: int  #: without the ground
    coordinates: int  #: velocity coordinates
    joint_rows: int  #: constraint equations of the joints
    driver_rows: int  #: constraint equations of the drivers
    rank: int  #: number of independent equations
    redundant: int  #: number of redundant equations
    free: int  #: degrees of freedom with the drivers: coordinates - rank
    free_undriven: int  #: degrees of freedom without the drivers
    analysis: Optional[str] = None  #: as in this analysis; None: with everything
    redundant_equations: Tuple[str, ...] = ()  #: equations that repeat others, such as "pin.x"
    not_unique: Tuple[str, ...] = ()  #: equations whose reactions are therefore not unique
    moved: Optional[str] = None  #: the body that assembly has moved noticeably, and why


def value_text(value: Any) -> str:
    """The value of a parameter as the model file has it, with all digits.

    >>> value_text(0.1), value_text("2*pi"), value_text([1, 0.5])
    ('0.1', '2*pi', '[1, 0.5]')
    """
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        try:
            return "[" + ", ".join(value_text(v) for v in value) + "]"
        except RecursionError:
            raise _errors.UsageError("lists of numbers are nested too deeply") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _errors.UsageError(f"a parameter is a number, an expression or a list of these, not {shown(value)}")
    try:
        finite = math.isfinite(value)
    except OverflowError:  # of a whole number
        finite = False
    if not finite:
        raise _errors.UsageError(f"a parameter must be finite and below 1.8e308 in size, not {shown(value)}")
    return repr(value)


def _plain(value: Any) -> Any:
    """What json does not know."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise _errors.UsageError(f"a model has no place for {shown(value)}")


def _json(value: Any, parts: Dict[str, Part]) -> str:
    """A value as JSON; parts are called by their names, and collected."""

    def plain(other: Any) -> Any:
        return name_for(parts, other) if isinstance(other, Part) else _plain(other)

    try:
        return json.dumps(value, default=plain, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, _errors.Error):
            raise
        what = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise _errors.UsageError(f"this is no model: {what}") from None


def _model_text(tree: Mapping[str, Any], parts: Dict[str, Part]) -> str:
    """A model file of nested dictionaries, with a line for each entry of a section, for messages to show."""
    sections = []
    for key, value in tree.items():
        if isinstance(value, Mapping) and value:
            entries = ",\n".join(f"  {_json(str(name), parts)}: {_json(entry, parts)}" for name, entry in value.items())
            sections.append(f"{_json(str(key), parts)}: {{\n{entries}}}")
        else:
            sections.append(f"{_json(str(key), parts)}: {_json(value, parts)}")
    return "{" + ",\n".join(sections) + "}\n"


def _set(spec: Any, name: str, text: str) -> None:
    call = Call()
    call.check(lib.lmb_spec_set(spec, call.context, encode(name), encode(text)))


def _handle(name: str, function: "Union[Function, Callable[..., Any]]") -> Any:
    """A function as the library knows it (a handle of cffi)."""
    if not isinstance(name, str):
        raise _errors.UsageError(f"the name of a function is a text, not {name!r}")
    return ffi.new_handle(Bound(name, function_of(function)))


def _define(spec: Any, name: str, handle: Any) -> None:
    call = Call()
    function, kept = definition(encode(name), handle)
    call.check(lib.lmb_spec_define(spec, call.context, function))
    del kept


def _owned(pointer: Any, free: Callable[[Any], object], functions: Mapping[str, Any]) -> Any:
    """An object of the library that is freed when it is no longer used, and keeps the functions that it calls."""
    if not pointer:
        return None
    return ffi.gc(pointer, lambda gone, kept=tuple(functions.values()): free(gone))


class Model:
    """A mechanism with its analyses, of a text or of nested dictionaries as in a model file.

    `functions` are functions of Python that its expressions may call; see define().

    A model can be used by several threads, and it pickles: as its text, its name, what was set and its functions.

    `trust=True` lets gmsh run the geometry scripts (.geo) that it names, which can run any command; `meshing_time` is
    how many seconds gmsh may take for a mesh (600).

    >>> import limber
    >>> pendulum = limber.Model({
    ...     "limber": 1, "dimension": 2, "gravity": [0, -9.81],
    ...     "parameters": {"l": 1.0},
    ...     "bodies": {"bob": {"mass": 2, "inertia": 0.1, "position": ["l", 0], "points": {"O": ["-l", 0]}}},
    ...     "joints": {"pin": {"type": "revolute", "between": ["ground", "bob.O"]}},
    ...     "analyses": {"swing": {"type": "dynamics", "duration": 1, "output_step": 0.1}}})
    >>> pendulum.check().free
    1
    >>> pendulum.set(l=0.5).analyses
    ('swing',)
    >>> pendulum.run()["bob.position"].shape
    (11, 2)
    """

    @checked
    def __init__(self, source: "str | Mapping[str, Any]", name: str = "model", *,
                 functions: Optional[Functions] = None, trust: bool = False,
                 meshing_time: Optional[float] = None) -> None:
        parts: Dict[str, Part] = {}
        if isinstance(source, Mapping):
            source = _model_text(source, parts)
        elif "\n" not in source and source.endswith((".yaml", ".yml", ".json")):
            raise _errors.UsageError((_errors.Message("this is the name of a file, not a model",
                                                      f"limber.load({source!r}) reads it"),))
        self._begin(source, name, {}, None, functions, parts, trust, meshing_time)

    def _begin(self, text: str, name: str, settings: Mapping[str, str], folder: Optional[str],
               functions: Optional[Functions], parts: Mapping[str, Part], trust: bool,
               meshing_time: Optional[float]) -> None:
        if meshing_time is not None and not meshing_time > 0:
            raise _errors.UsageError(f"meshing_time is a number of seconds above 0, not {meshing_time!r}")
        self._text = text
        self._name = name
        self._folder = folder  # where a loaded file was found from
        self._trust = bool(trust)
        self._meshing_time = meshing_time
        self._settings = dict(settings)
        self._functions = {name: _handle(name, function) for name, function in (functions or {}).items()}
        self._parts = dict(parts)  # arrays of flexible bodies
        self._lock = threading.RLock()
        self._parse()

    def _parse(self) -> None:
        """Makes the tree of the file (an lmb_spec) with the settings and functions."""
        self._compiled: Any = None
        self._base: Any = None  # a model of the same tree with other parameters
        self._parsed_in = os.getcwd() if self._folder else None
        call = Call()
        out = ffi.new("lmb_spec **")
        status = lib.lmb_spec_parse(out, call.context, encode(self._place()), encode(self._text))
        self._spec = ffi.gc(out[0], lib.lmb_spec_free) if out[0] else None
        call.check(status)
        lib.lmb_spec_trust(self._spec, self._trust)
        if self._meshing_time is not None:
            lib.lmb_spec_meshing_time(self._spec, self._meshing_time)
        for name, text in self._settings.items():
            _set(self._spec, name, text)
        for name, handle in self._functions.items():
            _define(self._spec, name, handle)
        for name, part in self._parts.items():
            part._attach(self._spec, name)

    def _place(self) -> str:
        """The name for the library, which finds files beside the model by it."""
        if self._folder and self._folder != self._parsed_in:
            return os.path.join(self._folder, self._name)
        return self._name

    def _take(self, spec: Any) -> None:
        """Takes a changed copy of the tree; what is compiled is the base of the next model."""
        self._spec = spec
        self._base = self._base if self._compiled is None else self._compiled
        self._compiled = None

    def _copy_spec(self) -> Any:
        """A copy of the tree, which keeps its functions."""
        call = Call()
        out = ffi.new("lmb_spec **")
        status = lib.lmb_spec_copy(out, call.context, self._spec)
        spec = _owned(out[0], lib.lmb_spec_free, self._functions)
        call.check(status)
        return spec

    @classmethod
    def _loaded(cls, path: Path, functions: Optional[Functions], trust: bool,
                meshing_time: Optional[float]) -> "Model":
        name = os.fspath(path)
        call = Call()
        out = ffi.new("lmb_spec **")
        status = lib.lmb_spec_load(out, call.context, encode(name))  # says what is wrong with the file
        if out[0]:
            lib.lmb_spec_free(out[0])
        call.check(status)
        with open(name, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
        model = cls.__new__(cls)
        model._begin(text, name, {}, os.getcwd(), functions, {}, trust, meshing_time)
        return model

    @property
    def name(self) -> str:
        """The name in messages: that of the file, if there is one."""
        return self._name

    @property
    def text(self) -> str:
        """The model file."""
        return self._text

    @property
    def settings(self) -> Dict[str, str]:
        """The parameters that were set, as the model file would have them."""
        return dict(self._settings)

    @property
    def analyses(self) -> Tuple[str, ...]:
        """The names of the analyses, in order."""
        model = self.compiled()
        return tuple(text_of(lib.lmb_model_analysis_name(model, i)) for i in range(lib.lmb_model_analysis_count(model)))

    def set(self, /, **parameters: Value) -> "Model":
        """Changes parameters, each to a number or an expression; returns the model.

        >>> import limber
        >>> model = limber.load("examples/slider-crank/slider-crank.yaml")
        >>> model.set(omega=20, r="0.3*l").settings
        {'omega': '20', 'r': '0.3*l'}
        >>> model.set(omgea=20)
        Traceback (most recent call last):
          ...
        limber.InputError: limber: error: examples/slider-crank/slider-crank.yaml has no parameter 'omgea'
          hint: did you mean 'omega'?
        """
        texts: Dict[str, str] = {}
        for name, value in parameters.items():
            try:
                texts[name] = value_text(value)
            except _errors.UsageError as error:
                raise _errors.UsageError(f"`{name}`: {error.text}") from None
        with self._lock:
            spec = self._copy_spec()  # all of them are set, or none
            for name, text in texts.items():
                _set(spec, name, text)
            self._take(spec)
            self._settings.update(texts)
        return self

    @checked
    def define(self, name: str, function: "Union[Function, Callable[..., Any]]",
               gradient: Optional[Callable[..., Any]] = None, hessian: Optional[Callable[..., Any]] = None, *,
               arguments: Optional[int] = None, results: int = 1) -> "Model":
        """Lets expressions of the model call a function of Python by a name; returns the model.

        It is a law of a force or of a driver, a sensor or the condition of an event. `function` takes numbers and
        returns one, or `results` of them; what the rest means is said by limber.Function, which can be given as well.

        An exception in the function ends the call that needed it, such as run() or step(), which raises it again. With
        NaN it says that it has no value: the step is tried again shorter, and fails in the end.

        >>> import limber
        >>> box = limber.Model({
        ...     "limber": 1, "dimension": 2,
        ...     "bodies": {"box": {"mass": 2, "inertia": 1, "position": [0.3, 0]}},
        ...     "joints": {"rail": {"type": "prismatic", "between": ["ground", "box"], "axis": [1, 0]}},
        ...     "forces": {"spring": {"type": "motor", "joint": "rail", "effort": "pull(offset)"}},
        ...     "analyses": {"swing": {"type": "dynamics", "duration": 0.2, "output_step": 0.1}}})
        >>> box.define("pull", lambda x: -200 * x).run()["box.position.x"].round(4).tolist()
        [0.3, 0.1621, -0.1248]
        """
        if gradient is not None or hessian is not None or arguments is not None or results != 1:
            if isinstance(function, Function):
                raise _errors.UsageError("a limber.Function has its own gradient, hessian, arguments and results")
            function = Function(function, gradient, hessian, arguments=arguments, results=results)
        handle = _handle(name, function)
        with self._lock:
            spec = self._copy_spec()
            _define(spec, name, handle)
            self._take(spec)
            self._functions = {**self._functions, name: handle}
        return self

    @property
    def functions(self) -> Dict[str, Function]:
        """The functions of Python that its expressions can call."""
        return {name: bound.function for name, bound in zip(self._functions, self._bound())}

    def _bound(self) -> Tuple[Bound, ...]:
        return tuple(ffi.from_handle(handle) for handle in self._functions.values())

    def copy(self) -> "Model":
        """Another model of the same text with the same settings and functions."""
        model = type(self).__new__(type(self))
        with self._lock:
            own = {key: value for key, value in self.__dict__.items() if key != "_lock"}
            model.__dict__.update(own, _settings=dict(self._settings), _parts=dict(self._parts),
                                  _spec=self._copy_spec(), _lock=threading.RLock())
        return model

    @checked
    def attach(self, name: str, part: Part) -> "Model":
        """Gives the model the part that its bodies call by a name (`arrays: name`), in place of one of that name; returns
        the model. In dictionaries a part may stand itself where its name is expected."""
        with self._lock:
            spec = self._copy_spec()
            part._attach(spec, name)
            self._take(spec)
            self._parts = {**self._parts, name: part}
        return self

    def compiled(self, warn: Optional[Callable[[_errors.Message], object]] = None) -> Any:
        """The compiled model of the library (an lmb_model), which is kept until a parameter changes."""
        with self._lock:
            if self._compiled is None:
                if self._folder and self._parsed_in != os.getcwd():
                    self._parse()
                call = Call(warn=warn)
                out = ffi.new("lmb_model **")
                if self._base is None:
                    status = lib.lmb_model_compile(out, call.context, self._spec)
                else:
                    status = lib.lmb_model_variant(out, call.context, self._spec, self._base)
                compiled = _owned(out[0], lib.lmb_model_free, self._functions)
                call.check(status)
                self._compiled, self._base = compiled, None
            return self._compiled

    @checked
    def check(self, analysis: Optional[str] = None) -> Mobility:
        """Assembles the model, counts its degrees of freedom and names redundant constraints.

        All items are counted, or those that are active in an analysis; if every analysis leaves joints out, those of
        the first.

        >>> import limber
        >>> mobility = limber.load("examples/slider-crank/slider-crank.yaml").check()
        >>> mobility.free, mobility.free_undriven, mobility.redundant_equations
        (0, 1, ())
        """
        model = self.compiled()
        call = Call()
        out = ffi.new("lmb_redundancy *")
        name = ffi.NULL if analysis is None else encode(analysis)
        call.check(lib.lmb_redundancy_find(out, call.context, model, name))
        try:
            c = out.counts
            return Mobility(c.bodies, c.coordinates, c.joint_rows, c.driver_rows, c.rank, c.redundant, c.free,
                            c.free_undriven, text_of(out.analysis) if out.analysis else None,
                            _linear.names(out.redundant, out.redundant_count),
                            _linear.names(out.not_unique, out.not_unique_count),
                            text_of(out.moved) if out.moved else None)
        finally:
            lib.lmb_redundancy_free(out)

    # --- the model at an instant

    @checked
    def matrices(self, analysis: Optional[str] = None, at: Optional[float] = None, *,
                 state: Optional[Path] = None) -> "_linear.Matrices":
        """The matrices of the equations of motion, with the names of their rows and columns.

        They are those of the assembled position, at rest or as the drivers move it at the beginning; at the time `at`
        of the driven motion; of an analysis where it begins, or at its time or load factor `at`; or of a state file.

        >>> import limber
        >>> m = limber.load("examples/slider-crank/slider-crank.yaml").matrices(at=0.1)
        >>> abs(m.M @ m.a + m.Phi_q.T @ m.multipliers - m.Q).max() < 1e-9
        True
        >>> m.coordinates[:3]
        ('crank.x', 'crank.y', 'crank.angle')
        """
        return _linear.matrices_of(self, analysis=analysis, at=at, state=state)

    @checked
    def embedded(self, independent: "_linear.Names" = None, analysis: Optional[str] = None, at: Optional[float] = None, *,
                 state: Optional[Path] = None) -> "_linear.Embedded":
        """The equations of motion in independent coordinates, which are chosen if they are not named, without multipliers.

        >>> import limber
        >>> crank = limber.load("examples/slider-crank-dynamics/slider-crank-dynamics.yaml").embedded("crank.angle")
        >>> crank.independent, crank.M.shape
        (('crank.angle',), (1, 1))
        """
        return _linear.embedded_of(self, independent, analysis=analysis, at=at, state=state)

    @checked
    def modes(self, count: Optional[int] = None, *, analysis: Optional[str] = None, at: Optional[float] = None,
              as_placed: bool = False, steady: bool = False, observer: Optional[str] = None) -> "_linear.Modes":
        """The lowest modes; without a count all of them, or 20 in models of more than 400 coordinates.

        The model is linearised about its static equilibrium; with `analysis` about the motion in which that begins, or
        at its time or load factor `at`; with `as_placed` about the motion that begins at the assembled position with the
        velocities of the model; with `steady` about the steady motion near that. `observer` is the body that others
        without joint coordinates are seen from. A warning says if the matrix changes along the motion.

        >>> import limber
        >>> modes = limber.load("examples/particles/particles.yaml").modes()
        >>> modes.frequency.round(4)
        array([2.1995, 4.1836, 5.7583, 6.7693])
        >>> modes.about.kind
        'equilibrium'
        """
        return _linear.modes_of(self, count, analysis=analysis, at=at, as_placed=as_placed, steady=steady,
                                observer=observer)

    @checked
    def state_space(self, inputs: "_linear.Names" = None, outputs: "_linear.Names" = None, *,
                    analysis: Optional[str] = None, at: Optional[float] = None, as_placed: bool = False,
                    steady: bool = False, observer: Optional[str] = None) -> "_linear.StateSpace":
        """The matrices A, B, C, D of xdot = A x + B u, z = C x + D u, with names, about a state as for modes().

        Inputs are forces of the model that are added to, such as "motor" or "load.x" (all motors, forces and torques if
        none are named), outputs channels of a dynamic analysis (positions, angles and velocities of all bodies).

        >>> import limber
        >>> space = limber.load("examples/particles/particles.yaml").state_space("s1", ["p4.position.x", "p1.velocity.x"])
        >>> space.A.shape, space.inputs, space.outputs
        ((8, 8), ('s1',), ('p4.position.x', 'p1.velocity.x'))
        >>> A, B, C, D = space
        """
        return _linear.state_space_of(self, inputs, outputs, analysis=analysis, at=at, as_placed=as_placed,
                                      steady=steady, observer=observer)

    @checked
    def response(self, input: str, output: str, frequencies: Any = None, *, start: Optional[float] = None,
                 end: Optional[float] = None, points: int = 200, linear: bool = False, analysis: Optional[str] = None,
                 at: Optional[float] = None, as_placed: bool = False, steady: bool = False,
                 observer: Optional[str] = None) -> "_linear.Response":
        """The frequency response of a channel to a force, about a state as for modes().

        `frequencies` are in Hz; without them there are `points`, in equal ratios or with `linear` in equal steps, from
        `start` (a tenth of the lowest natural frequency) to `end` (three times the highest).

        >>> import limber
        >>> r = limber.load("examples/particles/particles.yaml").response("s1", "p4.position.x", [0.5, 1, 2])
        >>> abs(r.values).round(6) == r.amplitude.round(6)
        array([ True,  True,  True])
        """
        return _linear.response_of(self, input, output, frequencies, start, end, points, linear, analysis=analysis, at=at,
                                   as_placed=as_placed, steady=steady, observer=observer)

    @checked
    def run(self, analyses: "str | Iterable[str] | None" = None, path: Optional[Path] = None, *,
            progress: Union[bool, Progress, None] = None, log: Optional[Callable[[str], object]] = None,
            resume: bool = False, wait: bool = False) -> Result:
        """Runs analyses, all of them if none is named, and returns their result.

        The results are in the file `path`, or without one in memory (Result.save writes them). `progress` is
        True for a bar, or a function of the name of what is computed and the fraction done, which may return True to
        stop; `log` receives the lines of the solver's log. `resume` goes on with a run whose file is `path`.
        Where another process writes that file, this is a FileError, unless `wait` says to wait for its end.

        Ctrl-C stops a run. If a solver fails, `result` of the exception has what was computed up to there.

        >>> import limber
        >>> result = limber.load("examples/slider-crank/slider-crank.yaml").run()
        >>> result.analyses
        ('turn',)
        >>> round(result["motor.effort"].max(), 6)
        6.257686
        """
        return self._run(analyses, path, progress, log, resume, None, wait)

    def _run(self, analyses: "str | Iterable[str] | None", path: Optional[Path], progress: Union[bool, Progress, None],
             log: Optional[Callable[[str], object]], resume: bool,
             warn: Optional[Callable[[_errors.Message], object]], wait: bool = False) -> Result:
        if resume and path is None:
            raise _errors.UsageError("to resume a run takes the path of its result")
        names = [analyses] if isinstance(analyses, str) else None if analyses is None else list(analyses)
        if names is not None and not names:
            raise _errors.UsageError("no analysis is named: leave `analyses` out to run all of them")
        model = self.compiled(warn)
        shown = progress_of(progress)
        call = Call(shown, log, warn, self._bound())
        lib.lmb_context_wait(call.context, wait)
        texts = [ffi.new("char[]", encode(name)) for name in names or []]
        array = ffi.new("const char *[]", [*texts, ffi.NULL]) if names is not None else ffi.NULL
        out = ffi.new("lmb_result **")
        computed: Optional[Result] = None
        try:
            if path is None:
                status = lib.lmb_run_to_memory(out, call.context, model, array)
            elif resume:
                status = lib.lmb_resume(call.context, model, array, encode(os.fspath(path)), ffi.new("bool *"))
            else:
                status = lib.lmb_run(call.context, model, array, encode(os.fspath(path)))
            computed = Result._in_memory(out[0]) if out[0] else None
            call.check(status)
        except _errors.SolverError as error:
            if path is not None and os.path.exists(path):
                with contextlib.suppress(_errors.Error):  # nothing in it yet
                    computed = Result(path)
            error.result = computed
            raise
        finally:
            if isinstance(shown, Bar):
                shown.close()
        if path is not None:
            return Result(path)
        assert computed is not None
        return computed

    @checked
    def simulation(self, analysis: Optional[str] = None) -> "Simulation":
        """A simulation of an analysis, of the last one over time if none is named, to be advanced step by step."""
        from ._simulation import Simulation

        return Simulation(self, analysis)

    def _for_study(self) -> Tuple[Any, Any]:
        """The tree of the file as it is now (an lmb_spec), for a call that compiles it at other parameters, and the
        compiled model where there is one, else NULL."""
        with self._lock:
            if self._folder and self._parsed_in != os.getcwd():
                self._parse()
            return self._copy_spec(), ffi.NULL if self._compiled is None else self._compiled

    @checked
    def gradient(self, of: "str | Iterable[str] | None" = None, by: "str | Iterable[str] | None" = None, *,
                 method: str = "auto", basis: str = "moving", integrator: Optional[str] = None, step: float = 0,
                 memory: float = 0, jobs: Optional[int] = None, histories: bool = False, check: bool = False,
                 path: Optional[Path] = None, progress: Union[bool, Progress, None] = None) -> "Gradient":
        """The objectives of the model and their derivatives by its parameters, exact to rounding.

        `of` names objectives and `by` parameters, else all are taken; `by=()` gives the values alone. `method` is
        "direct", "adjoint", "differences" or "auto", what suits; `basis` "moving" or "held" says what becomes of the
        modes of flexible bodies; `integrator` and `step` (in s) are used in place of those of the model; `memory` is how
        many bytes the adjoint method may keep. `histories` keeps how expressions change over time, and with a `path` they
        are written to a result file. `check` tests the gradient by Taylor's theorem. `jobs` is a number of threads.

        >>> import limber
        >>> gradient = limber.load("examples/five-bar/five-bar.yaml").gradient(by=["L01", "L02"])
        >>> gradient.objectives, gradient.methods
        (('sway', 'force', 'cost'), ('direct', 'direct', 'combined'))
        >>> print(f"{gradient['sway', 'L01']:.5f} {gradient['sway', 'L02']:.5f}")
        -2.11818 -0.73556
        """
        from ._gradient import gradient

        return gradient(self, of, by, method, basis, integrator, step, memory, jobs, histories, check, path, progress)

    # --- studies of the file

    @checked
    def optimise(self, study: Optional[str] = None, *, path: Optional[Path] = None, resume: bool = False,
                 jobs: Optional[int] = None, progress: Union[bool, Progress, None] = None) -> "Optimum":
        """The best design of a study of type optimise, the only one of the model if none is named.

        With a `path` the study is kept in a file, as `limber optimise` keeps it, from which `resume` goes on with one
        that was stopped, and of which there are reports. `jobs` is a number of threads, on which the numbers do not
        depend; `progress` is as for run(). Ctrl-C stops it.

        >>> import limber
        >>> found = limber.load("examples/half-car/half-car.yaml").optimise("tight")
        >>> {name: round(value, 1) for name, value in found.best.items()}
        {'cf': 1102.0, 'cr': 1591.0}
        >>> [(limit.name, limit.active) for limit in found.limits]
        [('travel', True)]
        >>> found.model.settings == {name: repr(value) for name, value in found.best.items()}
        True
        """
        from ._studies import optimise

        return optimise(self, study, path, resume, jobs, progress)

    @checked
    def fit(self, study: Optional[str] = None, *, path: Optional[Path] = None, resume: bool = False,
            jobs: Optional[int] = None, progress: Union[bool, Progress, None] = None) -> "Fit":
        """Parameters of the model from a measurement, by a study of type fit; the rest is as for optimise().

        >>> import limber
        >>> found = limber.load("examples/pendulum-fit/pendulum-fit.yaml").fit()
        >>> found.variables, found.converged, found.errors.max() < 0.01
        (('L', 'c', 'theta0'), True, True)
        >>> found.columns["theta"].residuals.std() < found.columns["theta"].rms_before
        True
        """
        from ._studies import fit

        return fit(self, study, path, resume, jobs, progress)

    @checked
    def sweep_study(self, study: Optional[str] = None, *, path: Optional[Path] = None, resume: bool = False,
                    jobs: Optional[int] = None, progress: Union[bool, Progress, None] = None) -> "SweepStudy":
        """The objectives of the model over values of its parameters, by a study of type sweep of its file; the rest is as
        for optimise(). (limber.sweep runs over values that are given in Python, and on other machines.)

        >>> import limber
        >>> found = limber.load("examples/straight-line/straight-line.yaml").sweep_study()
        >>> found.sampling, found.x.shape, found["error"].shape
        ('grid', (121, 2), (121,))
        """
        from ._studies import sweep

        return sweep(self, study, path, resume, jobs, progress)

    @checked
    def tolerance(self, study: Optional[str] = None, *, path: Optional[Path] = None, resume: bool = False,
                  jobs: Optional[int] = None, progress: Union[bool, Progress, None] = None) -> "Tolerance":
        """How results scatter with parameters, to first order and over samples, by a study of type tolerance; the rest is
        as for optimise().

        >>> import limber
        >>> found = limber.load("examples/half-car/half-car.yaml").tolerance()
        >>> found.variables, found.slopes.shape == (len(found.objectives), 5)
        (('m', 'kf', 'kr', 'cf', 'cr'), True)
        >>> bool(abs((found.contributions**2).sum(axis=1) / found.budget**2 - 1).max() < 1e-12)
        True
        """
        from ._studies import tolerance

        return tolerance(self, study, path, resume, jobs, progress)

    # --- parts of the file

    @checked
    def reduce(self, body: Optional[str] = None, path: Optional[Path] = None, *, cache: bool = True,
               progress: Union[bool, Progress, None] = None) -> "ReducedBody":
        """A flexible body of the model, the only one if none is named, reduced to its modes.

        With a `path` it is written to a file, as `limber reduce` does. It is taken from the cache beside the model file, and
        kept there, unless `cache` is False.

        >>> import limber
        >>> body = limber.load("examples/cantilever/cantilever.yaml").reduce(cache=False)
        >>> body.K.shape == body.M.shape == (len(body.frequency), len(body.frequency))
        True
        >>> body.modes.rigid.sum()
        3
        """
        from ._reduction import reduce

        return reduce(self, body, path, cache, progress)

    @checked
    def rotor(self, ratio: float = 1, path: Optional[Path] = None, *,
              progress: Union[bool, Progress, None] = None) -> "Rotor":
        """Critical speeds, whirl, response to unbalance and run-up of the section `rotor` of the model.

        Critical speeds are those at which the whirl is `ratio` times the rotation. The result with the analyses over speed is
        in the file `path`, or without one in memory.

        >>> import limber
        >>> rotor = limber.load("examples/jeffcott/jeffcott.yaml").rotor()
        >>> rotor.campbell.frequency.shape == rotor.campbell.speed.shape + rotor.service.frequency.shape
        True
        >>> rotor.result.analyses[-1]
        'campbell'
        """
        from ._rotor import rotor

        return rotor(self, ratio, path, progress)

    def __getstate__(self) -> Dict[str, Any]:
        # files beside the model are found from its place
        name = os.path.join(self._folder, self._name) if self._folder else self._name
        return {"text": self._text, "name": name, "settings": self._settings, "folder": self._folder,
                "functions": self.functions, "parts": self._parts, "trust": self._trust,
                "meshing_time": self._meshing_time}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._begin(state["text"], state["name"], state["settings"], state["folder"], state["functions"], state["parts"],
                    state["trust"], state["meshing_time"])

    def __repr__(self) -> str:
        settings = "".join(f", {name}={text}" for name, text in self._settings.items())
        return f"<limber.Model {self._name}{settings}>"

    def _repr_html_(self) -> str:
        """What it is and its degrees of freedom, or what is wrong with it, for notebooks."""
        settings = ", ".join(f"{name} = {text}" for name, text in self._settings.items())
        title = f"<p><b>{html.escape(self._name)}</b> {html.escape(settings)}</p>"
        try:
            counts, analyses = self.check(), self.analyses
        except _errors.Error as error:
            return f"{title}<pre>{html.escape(str(error))}</pre>"
        rows = {"bodies": counts.bodies, "coordinates": counts.coordinates, "degrees of freedom": counts.free_undriven,
                "left with the drivers": counts.free, "redundant constraints": counts.redundant,
                "analyses": html.escape(", ".join(analyses))}
        return title + "<table>" + "".join(f"<tr><td>{key}</td><td>{value}</td></tr>" for key, value in rows.items()) + "</table>"


@checked
def load(path: Path, *, functions: Optional[Functions] = None, trust: bool = False,
         meshing_time: Optional[float] = None) -> Model:
    """Reads a model file, YAML or JSON; its expressions may call `functions` of Python (see Model.define); see `Model`
    for what it may be trusted with.

    >>> import limber
    >>> limber.load("examples/four-bar/four-bar.yaml").set(a=0.12)
    <limber.Model examples/four-bar/four-bar.yaml, a=0.12>
    """
    return Model._loaded(path, functions, trust, meshing_time)
