/* Natural modes of a mesh without a model, as analysts compare them with another program. */
#ifndef LMB_RUN_MESH_MODES_H
#define LMB_RUN_MESH_MODES_H

#include "limber/linear.h"

typedef struct lmb_mesh_modes_options {
    const char *path;
    const char *material;    /* for elements without modulus or density: a name of the library */
    const char *units;       /* of the file; NULL: SI */
    const char *const *hold; /* sets of nodes that are held, ended by NULL */
    bool free;               /* supports of the file do not hold */
    int elastic;             /* how many modes besides the rigid ones */
    bool trusted;            /* geometry scripts may run */
    double meshing_time;     /* s that gmsh may take; 0: the usual time */
} lmb_mesh_modes_options;

typedef struct lmb_mesh_facts {
    int nodes, held; /* of the elements; of them with held degrees of freedom */
    double mass;     /* kg */
} lmb_mesh_facts;

/* Whether the name of a file is that of a mesh with elements, or of geometry. */
bool lmb_is_mesh_file(const char *path);

/* Finds the modes, rigid ones first, without their shapes. */
lmb_status lmb_mesh_modes(lmb_mode_list *out, lmb_mesh_facts *facts, lmb_context *context,
                          const lmb_mesh_modes_options *options);

#endif
