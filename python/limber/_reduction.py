"""Reduced flexible bodies: mass, modes and matrices of a body of a model."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

import numpy as np

from . import _errors
from ._arrays import call_long, html_table, numbers, path_text, texts
from ._library import Call, encode, ffi, lib, text_of
from ._linear import About, Modes, modes_in
from ._progress import Progress, showing

if TYPE_CHECKING:
    from ._model import Model, Path


@dataclass(frozen=True)
class ReducedBody:
    """A flexible body, reduced to modes in a frame that moves with it.

    Places are from the origin of the frame, in its axes, if nothing else is said.
    """

    name: str  #: of the body
    path: Optional[str]  #: of its file, or None
    cached: bool  #: whether it was in the cache
    dimension: int  #: 2: in the plane, 3: in space
    mass: float  #: kg
    centre: Any  #: of mass, in the coordinates of the finite element model, m
    inertia: Any  #: about it, kg m^2
    origin: Any  #: of the frame, in the same coordinates, m
    nodes: Any  #: nodes x 3: places, m
    node_numbers: Any  #: of the nodes in the file
    points: Dict[str, Any]  #: interface points: places, m
    point_shapes: Any  #: points x 6 x modes: displacements and rotations
    fixed_frequency: Any  #: Hz: of the modes with all interface points held
    effective_mass: Any  #: modes with held points x 6: kg, kg m^2 about the mass centre
    all_frequency: Any  #: Hz: of all modes in the frame, before some are left out
    frequency: Any  #: Hz: of the modes that are kept
    K: Any  #: modes x modes: stiffness
    M: Any  #: modes x modes: mass
    C: Any  #: modes x modes: damping; None without a damping matrix
    shapes: Any  #: modes x nodes x 3: displacements of the nodes
    rotations: Any  #: modes x nodes x 3: rotations of the nodes; None if none has any
    gram: Any  #: inertia invariants: products of 3 translations, 3 rotations, modes and 3 turned shapes of each mode
    modes: Modes  #: of the body that nothing holds, rigid ones first

    def _repr_html_(self) -> str:
        facts: List[List[Any]] = [["mass (kg)", self.mass], ["nodes", len(self.nodes)], ["interface points", ", ".join(self.points)],
                 ["modes kept", f"{len(self.frequency)} of {len(self.all_frequency)}"]]
        rows = [[str(i + 1), float(f)] for i, f in enumerate(self.frequency)]
        return html_table(["", ""], facts, self.name) + html_table(["mode", "frequency (Hz)"], rows)


def _free_modes(body: Any, call: Call) -> Modes:
    out = ffi.new("lmb_mode_list *")
    call.check(lib.lmb_reduced_body_modes(body, call.context, out))
    try:
        return modes_in(out, About("the free body", 0.0, None, None))
    finally:
        lib.lmb_mode_list_free(out)


def _body(b: Any, path: "Optional[Path]", modes: Modes) -> ReducedBody:
    n, nodes, fixed = b.mode_count, b.node_count, b.fixed_count
    places = numbers(b.points, b.point_count, 3)

    def square(pointer: Any, size: int) -> Any:
        return numbers(pointer, size, size).T.copy() if pointer else None

    return ReducedBody(
        text_of(b.name), None if path is None else os.path.abspath(os.fspath(path)), b.cached, b.dimension, b.mass,
        numbers(b.centre, 3), numbers(b.inertia, 3, 3), numbers(b.origin, 3), numbers(b.nodes, nodes, 3),
        np.frombuffer(ffi.buffer(b.node_numbers, 4 * nodes), dtype=np.int32).copy() if nodes else np.zeros(0, np.int32),
        dict(zip(texts(b.point_names, b.point_count), places)), numbers(b.point_shapes, b.point_count, 6, n),
        numbers(b.fixed_frequency, fixed), numbers(b.effective_mass, fixed, 6), numbers(b.all_frequency, b.all_count),
        numbers(b.frequency, n), square(b.K, n), square(b.M, n), square(b.C, n), numbers(b.shapes, n, nodes, 3),
        numbers(b.rotations, n, nodes, 3) if b.rotations else None, square(b.gram, b.gram_count), modes)


def reduce(model: "Model", body: Optional[str], path: "Optional[Path]", cache: bool,
           progress: Union[bool, Progress, None]) -> ReducedBody:
    """See Model.reduce."""
    name = ffi.NULL if body is None else ffi.new("char[]", encode(body))
    file = path_text(path)
    spec, _ = model._for_study()
    options = ffi.new("lmb_reduced_body_options *", {"body": name, "no_cache": not cache})
    out = ffi.new("lmb_reduced_body **")
    try:
        with showing(progress) as shown:
            call = Call(shown)
            call.check(call_long(call, lib.lmb_reduced_body_find, out, call.context, spec, options))
        if path is not None:
            call.check(lib.lmb_reduced_body_save(call.context, out[0], file))
        return _body(out[0], path, _free_modes(out[0], call))
    finally:
        lib.lmb_reduced_body_free(out[0])
