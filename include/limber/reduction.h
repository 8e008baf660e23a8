/* Reduced flexible bodies: a finite element model, or matrices, reduced to the modes of a body of a
 * model.
 *
 *   lmb_reduced_body *rod;
 *   if (!lmb_reduced_body_find(&rod, context, spec, NULL))
 *       printf("%g kg, %d modes from %g Hz\n", rod->mass, rod->mode_count, rod->frequency[0]);
 *   lmb_reduced_body_free(rod);
 *
 * Places are from the origin of the frame of the body, in its axes, if nothing else is said; lists
 * of three numbers are x, y, z, and those of six displacements and then rotations about x, y, z. */
#ifndef LIMBER_REDUCTION_H
#define LIMBER_REDUCTION_H

#include "limber/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which body; all zero: the only flexible one. */
typedef struct lmb_reduced_body_options {
    const char *body; /* its name; NULL: the only one that is reduced to modes */
    bool no_cache;    /* reduce anew: neither read nor write the folder .limber-cache beside the
                         model */
    bool untied;      /* also compute free_untied */
} lmb_reduced_body_options;

/* An interface point and the nodes that it is tied to, in the coordinates of the finite element
 * model. */
typedef struct lmb_reduced_point {
    const char *tie;       /* "node", "rigid" or "average" */
    int node_count;        /* number of tied nodes */
    const int *node_index; /* node_count: indices from 0 */
    double position[3];    /* of the point, m */
    double low[3];         /* m, lower corner of the box around the nodes */
    double high[3];        /* m, upper corner of the box */
    double radius; /* m, of the cylinder fitted to the nodes; 0 if their faces do not go around an
                      axis */
    double fit_error; /* rms distance of the nodes from the cylinder / radius */
} lmb_reduced_point;

/* A reduced body. Square matrices are stored by columns. */
typedef struct lmb_reduced_body {
    struct lmb_arena *arena;    /* owns the struct, and */
    struct lmb_body_data *data; /* all of its numbers */
    const char *name;           /* of the body */
    bool cached;                /* it was in the cache */
    int dimension;              /* 2: in the plane, 3: in space */
    double mass;                /* kg */
    double centre[3];           /* of mass, in the coordinates of the finite element model, m */
    double inertia[9];          /* about it, kg m^2 */
    double origin[3];           /* of the frame of the body, in the same coordinates, m */

    int node_count;          /* how many nodes there are */
    const double *nodes;     /* node_count x 3: their places, m */
    const int *node_numbers; /* node_count: in the file */

    int point_count;                /* how many interface points there are */
    const char *const *point_names; /* point_count */
    const double *points;           /* point_count x 3: their places, m */
    const double *point_shapes;     /* point_count x 6 x mode_count: how the modes move them */
    const struct lmb_reduced_point *point_ties; /* point_count: tied nodes; NULL without nodes */

    int fixed_count;               /* modes with all interface points held */
    const double *fixed_frequency; /* fixed_count: Hz */
    const double *effective_mass;  /* fixed_count x 6: kg, kg m^2 about the mass centre */

    int all_count;               /* modes of the basis in the frame of the body, */
    const double *all_frequency; /* all_count: Hz, before some are left out */

    int mode_count;          /* modes that are kept */
    const double *frequency; /* mode_count: Hz, in the frame of the body */
    const double *K, *M, *C; /* mode_count x mode_count: stiffness, mass and damping of the modes; C
                                NULL without a damping matrix */
    const double *shapes;    /* mode_count x node_count x 3: displacements of the nodes */
    const double *rotations; /* mode_count x node_count x 3: of the nodes; NULL if none has any */

    int gram_count;     /* columns of the invariants: 3 translations, 3 rotations, the modes, and 3
                           for each mode, of its shape turned about x, y, z */
    const double *gram; /* gram_count x gram_count: the products of all of them through the mass
                           matrix of the finite element model */

    /* point_count x 6: share of the static flexibility under a force or torque on each point that
     * the kept modes represent; 0 in directions that a planar model does not have; NULL if not
     * computed */
    const double *flexibility;

    int free_count;            /* number of compared modes of the free body; 0 if not computed */
    const double *free_tied;   /* free_count: Hz, frequencies with the ties of the points */
    const double *free_untied; /* free_count: Hz, frequencies without ties */
} lmb_reduced_body;

/* Reduces a flexible body of a model, or takes it from the cache; options may be NULL. What is
 * doubtful in its basis is warned of. */
LMB_API lmb_status lmb_reduced_body_find(lmb_reduced_body **out, lmb_context *context,
                                         const lmb_spec *spec,
                                         const lmb_reduced_body_options *options);

/* Reads a body from its file. */
LMB_API lmb_status lmb_reduced_body_open(lmb_reduced_body **out, lmb_context *context,
                                         const char *path);

/* Writes a body to a file (HDF5), which bodies of models may be made of; a file of that name is
 * replaced unless it has results. */
LMB_API lmb_status lmb_reduced_body_save(lmb_context *context, const lmb_reduced_body *body,
                                         const char *path);

/* The modes of a body that nothing holds, in the motions of its frame and its modes, rigid ones
 * first; eigenvalues are those of the damping ratios. */
LMB_API lmb_status lmb_reduced_body_modes(const lmb_reduced_body *body, lmb_context *context,
                                          lmb_mode_list *out);

/* Frees a body, or does nothing with NULL. */
LMB_API void lmb_reduced_body_free(lmb_reduced_body *body);

#ifdef __cplusplus
}
#endif
#endif
