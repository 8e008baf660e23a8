"""Parts: flexible bodies from arrays, nodes with a stiffness and a mass matrix and sets of nodes."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple, Union

import numpy as np

from . import _errors
from ._checks import checked
from ._library import Call, encode, ffi, lib

#: A matrix of compressed rows: where each begins, columns, values.
_Compressed = Tuple["np.ndarray[Any, np.dtype[np.int32]]", "np.ndarray[Any, np.dtype[np.int32]]",
                    "np.ndarray[Any, np.dtype[np.float64]]"]
_MOST = 2**31 - 1
_ELEMENT_NODES = {"tet4": 4, "tet10": 10, "hex8": 8, "hex20": 20}


def _numbers(values: Any, what: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """A copy as an array of floating point numbers."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iuf":
            raise ValueError
        return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise _errors.UsageError(f"{what} must be an array of real numbers") from None


def _integers(values: Any, what: str) -> "np.ndarray[Any, np.dtype[np.int32]]":
    """A copy as an array of whole numbers for the library."""
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths or depths
        raise _errors.UsageError(f"{what} must be an array of whole numbers") from None
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise _errors.UsageError(f"{what} must be whole numbers")
    if array.min() < -_MOST or array.max() > _MOST:
        raise _errors.UsageError(f"{what} must be less than 2^31")
    return np.array(array, dtype=np.int32, order="C")


def _compressed(matrix: Any, what: str) -> Tuple[int, _Compressed]:
    """The rows of a matrix of scipy.sparse or of a dense one."""
    if not hasattr(matrix, "shape"):
        matrix = _numbers(matrix, what)
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1] or shape[0] == 0:
        raise _errors.UsageError(f"{what} must be a square matrix, not one of the shape {tuple(shape)}")
    if hasattr(matrix, "tocsr"):
        rows = matrix.tocsr(copy=True)
        rows.sum_duplicates()
        start, index, value = rows.indptr, rows.indices, rows.data
    else:
        dense = _numbers(matrix, what)
        row, index = np.nonzero(dense)
        value = dense[row, index]
        start = np.searchsorted(row, np.arange(len(dense) + 1))
    return int(shape[0]), (_integers(start, f"the rows of {what}"), _integers(index, f"the columns of {what}"),
                           _numbers(value, what))


class Part:
    """A flexible body of arrays, for a model of dictionaries or Model.attach().

    `nodes` has a row x, y, z per node. `M` and `K` are the mass and stiffness matrices, `C` optionally that of damping:
    of scipy.sparse or dense, with both triangles. Their rows are the degrees of freedom of the nodes one after the other,
    x y z or x y z and the rotations about them; otherwise `dofs` has the directions that each node has, such as
    (0, 1, 5), or a row (node, direction) per row of the matrices, directions being 0 to 5. `sets` are the rows of `nodes`
    (from 0) that an interface names. `numbers` are those by which the model otherwise knows the nodes, 1, 2, ... without
    them. `elements` has the nodes of solid elements by their kind, tet4, tet10, hex8 or hex20: they give stresses where
    the body has a material, and without `M` and `K` these are assembled from them.

    The arrays are copied. Their contents are checked with the model that they go to.

    >>> import limber, numpy as np
    >>> k, m = 1e6, 0.5  # two masses with a spring in each direction, which turn against springs, too
    >>> K = np.kron([[1, -1], [-1, 1]], k * np.eye(6))
    >>> M = np.kron(np.eye(2), np.diag([m, m, m, 1e-3, 1e-3, 1e-3]))
    >>> pair = limber.Part([[0, 0, 0], [0, 0, 0]], M, K, sets={"a": [0], "b": [1]}, name="pair")
    >>> model = limber.Model({"limber": 1, "dimension": 3, "bodies": {"pair": {
    ...     "arrays": pair, "interfaces": {"A": {"node": "a"}, "B": {"node": "b"}}}}})
    >>> f = model.modes().frequency
    >>> bool(np.allclose(f[-6:-3], np.sqrt(2 * k / m) / (2 * np.pi)))  # the pair against each other
    True
    """

    @checked
    def __init__(self, nodes: Any, M: Any = None, K: Any = None, *, C: Any = None, dofs: Any = None,
                 numbers: "Iterable[int] | None" = None, sets: "Mapping[str, Union[Sequence[int], int]] | None" = None,
                 elements: "Mapping[str, Any] | None" = None, name: str = "part") -> None:
        if not name:
            raise _errors.UsageError("the name of a part is empty")
        self.name = name  #: by which a model of dictionaries calls it
        self.nodes = _numbers(nodes, "nodes")
        if self.nodes.ndim != 2 or self.nodes.shape[1] != 3 or len(self.nodes) == 0:
            raise _errors.UsageError(f"nodes must be rows of x, y, z, not an array of the shape {self.nodes.shape}")
        self._matrices: Dict[str, _Compressed] = {}
        self._rows = 0
        self._take_matrices({"K": K, "M": M, "C": C})
        self._dofs = self._rows_of(dofs)
        self._numbers = None if numbers is None else _integers(list(numbers), "numbers of nodes")
        if self._numbers is not None and self._numbers.shape != (len(self.nodes),):
            raise _errors.UsageError(f"there are {len(self.nodes)} nodes, but {self._numbers.size} numbers of nodes")
        #: the named sets of nodes, as rows of `nodes`
        self.sets = {str(key): np.atleast_1d(_integers(some, f"the nodes of {key!r}")).ravel()
                     for key, some in (sets or {}).items()}
        self.elements = {str(kind): self._elements_of(kind, some) for kind, some in (elements or {}).items()}

    def _take_matrices(self, given: Mapping[str, Any]) -> None:
        for key, matrix in given.items():
            if matrix is None:
                continue
            rows, self._matrices[key] = _compressed(matrix, key)
            if self._rows and rows != self._rows:
                raise _errors.UsageError(f"{key} has {rows} rows, but {next(iter(self._matrices))} has {self._rows}")
            self._rows = rows

    def _rows_of(self, dofs: Any) -> "np.ndarray[Any, np.dtype[np.int32]] | None":
        """The node and direction of each row of the matrices."""
        if dofs is None:
            return None
        found = _integers(dofs, "dofs")
        if found.ndim == 1:
            nodes = len(self.nodes)
            found = np.column_stack([np.repeat(np.arange(nodes), len(found)), np.tile(found, nodes)]).astype(np.int32)
        if found.ndim != 2 or found.shape[1] != 2:
            raise _errors.UsageError("dofs are the directions of every node, or a row (node, direction) for each row")
        if len(found) != self._rows:
            raise _errors.UsageError(f"the matrices have {self._rows} rows, but dofs has {len(found)}")
        return found

    @staticmethod
    def _elements_of(kind: str, some: Any) -> "np.ndarray[Any, np.dtype[np.int32]]":
        """Rows of nodes; that there is such a kind is checked with the model."""
        found = _integers(some, f"elements {kind!r}")
        nodes = _ELEMENT_NODES.get(kind)
        if nodes is not None and (found.ndim != 2 or found.shape[1] != nodes):
            raise _errors.UsageError(f"elements {kind!r} must be rows of {nodes} nodes, not an array of the shape "
                                     f"{found.shape}")
        return found

    @property
    def dof_count(self) -> int:
        """The number of degrees of freedom, rows of the matrices; 0 where these are assembled."""
        return self._rows

    def __repr__(self) -> str:
        made_of = f"{self._rows} degrees of freedom" if self._rows else f"{sum(map(len, self.elements.values()))} elements"
        return f"<limber.Part {self.name}: {len(self.nodes)} nodes, {made_of}>"

    def _attach(self, spec: Any, name: str) -> None:
        """Attaches it to an lmb_spec by a name."""
        held: List[Any] = []

        def array(kind: str, values: "Union[np.ndarray[Any, Any], None]") -> Any:
            if values is None:
                return ffi.NULL
            values = np.ascontiguousarray(values)
            held.append(ffi.from_buffer(f"{kind}[]", values) if values.size else ffi.new(f"{kind}[1]"))
            return held[-1]

        def text(value: str) -> Any:
            held.append(ffi.new("char[]", encode(value)))
            return held[-1]

        out = ffi.new("lmb_arrays *")
        out.nodes, out.x, out.number = len(self.nodes), array("double", self.nodes), array("int", self._numbers)
        out.n = self._rows
        if self._dofs is not None:
            out.node, out.direction = array("int", self._dofs[:, 0]), array("int", self._dofs[:, 1])
        for key, (start, index, value) in self._matrices.items():
            matrix = getattr(out, key)
            matrix.start, matrix.index, matrix.value = array("int", start), array("int", index), array("double", value)
        sets = ffi.new("lmb_array_set[]", len(self.sets) + 1)
        for i, (key, nodes) in enumerate(self.sets.items()):
            sets[i].name, sets[i].count, sets[i].nodes = text(key), len(nodes), array("int", nodes)
        kinds = ffi.new("lmb_array_elements[]", len(self.elements) + 1)
        for i, (key, rows) in enumerate(self.elements.items()):
            kinds[i].kind, kinds[i].count, kinds[i].nodes = text(key), len(rows), array("int", rows)
        out.sets, out.set_count, out.elements, out.element_count = sets, len(self.sets), kinds, len(self.elements)
        call = Call()
        call.check(lib.lmb_spec_attach(spec, call.context, encode(name), out))


def name_for(parts: Dict[str, Part], part: Part) -> str:
    """The name of a part in a model, in which another one may have its own.

    >>> one, two = Part([[0, 0, 0]]), Part([[1, 0, 0]])
    >>> parts = {}
    >>> name_for(parts, one), name_for(parts, two), name_for(parts, one)
    ('part', 'part-2', 'part')
    """
    name, number = part.name, 1
    while parts.setdefault(name, part) is not part:
        number += 1
        name = f"{part.name}-{number}"
    return name
