/* Reading finite element models as matrices of Ansys, Abaqus, CalculiX and others. */
#ifndef LMB_IMPORT_MATRIX_READ_H
#define LMB_IMPORT_MATRIX_READ_H

#include "base/message.h"
#include "fe/fe_model.h"
#include "import/units.h"

typedef struct lmb_matrix_files {
    const char *stiffness, *mass;
    const char *damping;    /* NULL: none */
    const char *mapping;    /* which node and direction each equation belongs to; NULL: it is looked
                               for    beside the stiffness, and not needed where rows have labels */
    const char *nodes;      /* a mesh or a table with the coordinates (import/mesh_read.h) */
    const lmb_units *units; /* of all files; NULL: SI */
} lmb_matrix_files;

/* Reads the files and makes a model of them, in SI. The format of a matrix file follows from its
 * content:
 *
 *   %%MatrixMarket ...                       Matrix Market, and MMF of Ansys
 *   a type RSA or RUA in the third line      Harwell-Boeing, as HBMAT of Ansys
 *   row column value                         COORDINATE of Abaqus, .sti and .mas of CalculiX
 *   node direction node direction value      MATRIX INPUT of Abaqus, substructures of CalculiX
 *
 * Matrices must be symmetric, with a positive diagonal of the stiffness and no negative one of the
 * mass. The model has all nodes of the mesh, in its order. All lives in the arena. */
lmb_status lmb_matrices_read(lmb_fe_model **out, lmb_context *context, lmb_arena *arena,
                             const lmb_matrix_files *files);

/* The mapping that is taken where the files name none: the file beside the stiffness, or beside the
 * mass, with another ending. NULL: there is none. */
const char *lmb_mapping_beside(lmb_arena *arena, const lmb_matrix_files *files);

#endif
