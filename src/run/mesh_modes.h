/* Natural modes of a mesh without a model, for comparison with another program */
#ifndef LMB_RUN_MESH_MODES_H
#define LMB_RUN_MESH_MODES_H

#include "limber/linear.h"

typedef struct lmb_mesh_modes_options {
    const char *path;
    const char *material;    /* name in the library, for elements without modulus or density */
    const char *units;       /* units of the file; NULL: SI */
    const char *const *hold; /* names of held node sets, terminated by NULL */
    bool free;               /* ignore the supports of the file */
    int elastic;             /* number of modes in addition to the rigid ones */
    bool trusted;            /* geometry scripts are allowed to run */
    double meshing_time;     /* s, time limit of gmsh; 0: default */
} lmb_mesh_modes_options;

typedef struct lmb_mesh_facts {
    int nodes, held; /* number of element nodes; number of them with held degrees of freedom */
    double mass;     /* kg */
} lmb_mesh_facts;

/* Return true if the extension of a file name is that of a mesh with elements, or of geometry. */
bool lmb_is_mesh_file(const char *path);

/* Find the modes, rigid modes first. Their shapes are left out. */
lmb_status lmb_mesh_modes(lmb_mode_list *out, lmb_mesh_facts *facts, lmb_context *context,
                          const lmb_mesh_modes_options *options);

#endif
