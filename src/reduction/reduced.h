/* A reduced flexible body: a frame that moves with it, and modes in that frame.
 *
 * A point of the body at x (from the origin of its frame, in its axes) is at x + Psi(x) eta.
 * Inertia comes from the mass matrix M of the finite element model alone: with the velocities of
 * all its degrees of freedom,
 *
 *   V = P_t v + (Z + sum eta_j Z_j) omega + Psi etadot
 *
 * (P_t translations, Z rotations about the origin, Z_j of the displacements of mode j: e_a x
 * psi_j), all that the floating frame formulation needs are the products of these columns through
 * M, the invariants: `gram`. Beams and point masses add what the rotations of their sections do in
 * second order (gram_sections.c). */
#ifndef LMB_REDUCTION_REDUCED_H
#define LMB_REDUCTION_REDUCED_H

#include "reduction/craig_bampton.h"

typedef enum lmb_body_frame {
    LMB_FRAME_MASS_CENTRE, /* modes have no rigid part: momentum comes from the frame alone */
    LMB_FRAME_POINT,       /* fixed to an interface point */
    LMB_FRAME_CHORD        /* from one point towards another */
} lmb_body_frame;

/* Which of the modes are kept: a number of them, a list (counted from 1), or all below a frequency;
 * all by default; or none, for a rigid body of the same mass. */
typedef struct lmb_mode_choice {
    bool none;
    int number; /* 0: not by number */
    const int *list;
    int list_count;
    double below; /* Hz; 0: not by frequency */
} lmb_mode_choice;

/* Share of a node in a force that is spread over nodes */
typedef struct lmb_node_share {
    double part; /* fraction of the force */
    vec3 lean;   /* rotations of beam nodes add theta x lean to the mean, because deflections are
                    cubic; +-h^2/12 along a segment of length h */
} lmb_node_share;

struct lmb_body_data;

typedef struct lmb_reduction {
    lmb_mode_count fixed; /* fixed-interface modes */
    lmb_body_frame frame;
    int frame_point, chord_point; /* numbers of interface points */
    lmb_mode_choice keep;
    bool stiffening; /* geometric stiffness is computed, too */
    bool residual;   /* also compute residual displacements (residual.h) */
    bool untied;     /* also compute frequencies of the free model without ties (untied.h) */
    int patch_count; /* number of patches with unit loads */
    /* computes the shares of all nodes in a force on a patch; lmb_reduce_body calls it */
    lmb_status (*share_patch)(void *patches, lmb_context *context, const struct lmb_body_data *data,
                              int patch, lmb_node_share *out);
    void *patches;
    const lmb_node_share *shares; /* patches x nodes */
    /* the modes are those of this body, at another value of a parameter (held.c); or NULL */
    const struct lmb_reduced *held;
    const int *drawn; /* nodes at which the shapes of the basis are kept, to look at */
    int drawn_count;
    /* sees the basis, columns of numbers for all degrees of freedom, before it is forgotten; NULL:
     * nobody */
    lmb_status (*on_basis)(void *user, lmb_context *context, int columns, const double *U);
    void *user;
} lmb_reduction;

/* What a fixed-interface mode takes part in when the points move: effective masses (kg) and moments
 * of inertia (kg m^2, about the mass centre) of the six rigid motions. */
typedef struct lmb_effective_mass {
    double of[LMB_DIRECTIONS];
} lmb_effective_mass;

/* Columns of the invariants, in the order 3 translations, 3 rotations, modes, 3 for each mode. */
static inline int lmb_gram_translation(int a)
{
    return a;
}
static inline int lmb_gram_rotation(int a)
{
    return 3 + a;
}
static inline int lmb_gram_mode(int j)
{
    return 6 + j;
}
static inline int lmb_gram_turned_mode(int modes, int j, int a)
{
    return 6 + modes + 3 * j + a;
}
static inline int lmb_gram_size(int modes)
{
    return 6 + 4 * modes;
}

/* Products of two angular velocities: xx, yy, zz, xy, yz, zx; most modes with stiffening. */
enum { LMB_SPINS = 6, LMB_STIFFENED_MODES_MAX = 300 };

/* In warnings that a body keeps only some of several modes of the same frequency. */
#define LMB_PARTED_MODES "have the same frequency"

typedef struct lmb_reduced {
    lmb_arena *arena;
    int dimension;
    double mass;  /* kg */
    vec3 centre;  /* of mass, in the coordinates of the finite element model */
    mat3 inertia; /* about it */
    vec3 origin;  /* of the body frame, whose axes are those of the finite element model */

    int fixed_count; /* fixed-interface modes of the basis */
    double *fixed_frequency;
    lmb_effective_mass *effective;

    int all_count;         /* elastic modes of the reduced body in its frame, */
    double *all_frequency; /* Hz, before some are left out */

    bool given;        /* its modes are those of the model file, not of an eigenvalue problem */
    bool held;         /* its modes are those of another body: K and M are full matrices */
    int mode_count;    /* kept */
    double *frequency; /* Hz */
    double *K, *M, *C; /* mode_count x mode_count; C NULL without a damping matrix */
    double *gram;      /* lmb_gram_size squared */

    /* geometric stiffness of the modes, modes x modes each; NULL without stiffening */
    double *spin_stiffness; /* LMB_SPINS: under the centrifugal stress of omega_a omega_b that the
                               modes do not have themselves */
    double *mode_stiffness; /* modes: under the stress of a unit of each mode */

    int point_count;
    const char **point_name;
    vec3 *point;         /* from the origin */
    double *point_shape; /* point x direction x mode: displacements and rotations of the modes */

    /* static response to unit loads that the modes do not represent (residual.h) */
    int load_count;   /* 0: not computed */
    int patch_count;  /* number of patches among the loads */
    double *residual; /* loads x degrees of freedom of the model; NULL after reading from a file */
    double *flexibility; /* points x directions: share of the static flexibility that the modes
                            represent; NULL if not computed */

    int node_count;
    vec3 *x;       /* from the origin */
    int *number;   /* in the file */
    double *shape; /* mode x node x 3: displacements of the modes */
    double *turn;  /* mode x node x 3: rotations, NULL if no node has any */

    /* the basis, to look at: one column per motion of the points (all of the first point, in the
     * order of lmb_interface_direction, then of the next), then the fixed-interface modes */
    int basis_count; /* of columns; 0 where no nodes are drawn */
    int drawn_count;
    int *drawn;         /* numbers of nodes, from 0 */
    float *basis_shape; /* column x drawn x 3 */
    float *basis_turn;  /* column x drawn x 3, NULL if no node has rotations */

    lmb_factor_facts factor; /* of the inner stiffness: what it took */
} lmb_reduced;

/* Reduces a model with its interface points: ties, basis of Craig and Bampton, modes in the body
 * frame, invariants. Reports progress; what is wrong with the model is said with its cause. */
lmb_status lmb_reduce(lmb_reduced **out, lmb_context *context, const lmb_fe_model *model,
                      const lmb_interface *points, int point_count, const lmb_reduction *options);
void lmb_reduced_free(lmb_reduced *reduced);

/* Return true if the body has inertia about all axes. A body of a few point masses may lack it
 * about one. */
bool lmb_has_inertia(const lmb_reduced *reduced);

/* Projects a model on the modes of options->held, which were found at another value of a parameter:
 * no equations are solved. lmb_reduce calls it. Nodes and points must be the same ones. */
lmb_status lmb_reduce_held(lmb_reduced **out, lmb_context *context, const lmb_fe_model *model,
                           const lmb_interface *points, int point_count,
                           const lmb_reduction *options);

/* The displacements of all degrees of freedom of the model in a mode (n), for stresses. */
void lmb_reduced_displacements(const lmb_reduced *reduced, const lmb_fe_model *model, int mode,
                               double *u);

/* --- modes of a reduced body that nothing holds ----------------------------------------------- */

/* Coordinates are the motions of its frame (x, y, angle, or three translations and three rotations)
 * and then its modes. Shapes have unit modal mass. */
typedef struct lmb_free_modes {
    int rigid;                   /* the first modes: 3 in the plane, 6 in space */
    int count;                   /* of modes, and of coordinates */
    double *frequency, *damping; /* Hz; ratio */
    double *shape;               /* mode x coordinate */
} lmb_free_modes;

lmb_status lmb_free_modes_find(lmb_free_modes *out, lmb_context *context, lmb_arena *arena,
                               const lmb_reduced *body);

/* The name of a motion of a body's frame, of which there are 3 in the plane and 6 in space, or of a
 * mode behind them. */
const char *lmb_motion_name(lmb_arena *arena, int rigid, int number);

#endif
