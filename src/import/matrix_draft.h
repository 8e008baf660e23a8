/* Matrices and mappings while their files, or the arrays of a program, are being read. */
#ifndef LMB_IMPORT_MATRIX_DRAFT_H
#define LMB_IMPORT_MATRIX_DRAFT_H

#include "base/list.h"
#include "fe/fe_model.h"
#include "import/scan.h"

/* The node and direction of an equation, and where that was read. */
typedef struct lmb_equation {
    int node, direction; /* number in the file; LMB_UX ... */
    int line;
} lmb_equation;

typedef struct lmb_mapping {
    const char *file;
    lmb_list equations; /* lmb_equation */
    lmb_numbers places; /* of nodes and directions among the equations */
    bool complete;      /* no equations are added any more */
} lmb_mapping;

/* Whether a number can be that of a node; it is a failure of the scan otherwise. */
lmb_status lmb_mapping_check(lmb_scan *scan, int node);

/* Adds the equation of a node and a direction (from 0), which must not be there yet. */
lmb_status lmb_mapping_add(lmb_mapping *mapping, lmb_scan *scan, int node, int direction);

/* Makes a model of all but its matrices: the nodes of a mesh, with the equations of a mapping. The
 * mesh is that of the model if it has elements or sets. */
lmb_status lmb_mapping_model(lmb_fe_model *model, lmb_context *context, lmb_arena *arena,
                             const lmb_mapping *mapping, const lmb_mesh *mesh);

/* The words of Ansys for the directions: UX, UY, UZ, ROTX, ROTY, ROTZ. */
extern const char *const lmb_direction_words[];

typedef enum lmb_matrix_role { LMB_STIFFNESS, LMB_MASS, LMB_DAMPING } lmb_matrix_role;

/* Which entries a file has. */
typedef enum lmb_matrix_form {
    LMB_FORM_ANY,      /* one triangle or both: the entries tell */
    LMB_FORM_TRIANGLE, /* one of the triangles */
    LMB_FORM_FULL      /* all entries */
} lmb_matrix_form;

typedef struct lmb_matrix_draft {
    lmb_scan *scan; /* the file: its status is that of the draft */
    lmb_mapping *mapping;
    lmb_matrix_role role;
    lmb_matrix_form form;
    lmb_list entries;  /* lmb_triplet */
    bool from_zero;    /* messages count rows from 0 */
    bool lower, upper; /* there are entries below and above the diagonal */
} lmb_matrix_draft;

/* Checks the size that a file states. This and what follows fails in the draft's scan. */
void lmb_matrix_size(lmb_matrix_draft *draft, int rows, int columns);

/* Adds an entry; rows and columns count from 1. */
void lmb_matrix_add(lmb_matrix_draft *draft, int row, int column, double value);

/* Checks symmetry and makes the matrix. */
lmb_status lmb_matrix_finish(lmb_matrix_draft *draft, lmb_arena *arena, lmb_symmetric *out);

/* Harwell-Boeing: whether a file has that format, and reading it. */
bool lmb_is_harwell_boeing(lmb_scan scan);
void lmb_read_harwell_boeing(lmb_matrix_draft *draft);

#endif
