/* What the two files that read meshes of Gmsh share: numbers, text or binary, and elements. */
#ifndef LMB_IMPORT_MESH_GMSH_H
#define LMB_IMPORT_MESH_GMSH_H

#include "import/mesh_formats.h"

typedef struct lmb_gmsh {
    lmb_mesh_draft *draft;
    lmb_scan *scan;
    bool binary, swap;
    int version;      /* 2 or 4 */
    int line;         /* while a section of numbers is binary: the line that it began with */
    lmb_list groups;  /* physical groups and their names */
    lmb_list members; /* which entities are in which groups */
    bool nodes, elements;
} lmb_gmsh;

/* The next number; `what` is for messages. A size has eight bytes in binary files of 4.1. */
lmb_status lmb_gmsh_int(lmb_gmsh *r, const char *what, int *out);
lmb_status lmb_gmsh_ints(lmb_gmsh *r, const char *what, int *out, int count);
lmb_status lmb_gmsh_size(lmb_gmsh *r, const char *what, int *out);
lmb_status lmb_gmsh_sizes(lmb_gmsh *r, const char *what, int *out, int count);
lmb_status lmb_gmsh_point(lmb_gmsh *r, vec3 *x);
lmb_status lmb_gmsh_skip(lmb_gmsh *r, int count);

/* Enters and leaves the binary part of a section, where there are no lines. */
void lmb_gmsh_begin(lmb_gmsh *r);
void lmb_gmsh_end(lmb_gmsh *r);

typedef struct lmb_gmsh_kind {
    int type, nodes, dimension;
    lmb_element_kind kind; /* LMB_ELEMENT_KINDS: not supported as a part of the body */
    const char *name;
} lmb_gmsh_kind;

/* The kind of a type, or NULL. */
const lmb_gmsh_kind *lmb_gmsh_find(int type);

/* Adds an element; its nodes are put into the order of Limber. */
lmb_status lmb_gmsh_add(lmb_gmsh *r, const lmb_gmsh_kind *kind, int number, int *nodes);

#endif
