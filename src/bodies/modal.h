/* The constants of a flexible body in its floating frame: what its inertia, elasticity and
 * interface points are made of, ordered from the invariants of its reduction.
 *
 * With the body axes as axes, displacements psi_j eta_j, and eta the modal coordinates:
 *
 *   first moments           s = s0 + sum eta_j D_j
 *   moments of inertia      J = J0 + sum eta_j J1_j + 1/2 sum eta_j eta_k J2_jk
 *   angular momentum of a   E_k = E0_k + sum eta_j E1_jk
 *   unit rate of mode k
 *   stretching              e_k = eta_k + q_k / K_kk,  q_k = 1/2 eta^T B_k eta (with stiffening)
 *   a point                 c = p + sum psi_j eta_j, turned by theta = sum phi_j eta_j  */
#ifndef LMB_BODIES_MODAL_H
#define LMB_BODIES_MODAL_H

#include "reduction/reduced.h"

typedef struct lmb_modal_point {
    vec3 p;
    vec3 *psi, *phi; /* modes: displacement and rotation */
} lmb_modal_point;

/* Components of moments of inertia (xx yy zz xy xz yz), and with those of angular momentum. */
enum { LMB_INERTIAS = 6, LMB_CHANGES = LMB_INERTIAS + 3 };

typedef struct lmb_modal {
    int modes;
    double mass;
    vec3 s0, *D, *S;   /* modes; S: how first moments change, D unless coupling is constant */
    mat3 J0, *J1, *J2; /* modes, modes x modes */
    vec3 *E0, *E1;     /* modes, modes x modes: E1[j * modes + k] */
    double *M, *K, *C; /* modes x modes; damping may be zero */
    bool orthonormal;  /* M is 1 */
    bool diagonal;     /* K and C are diagonal */

    /* J1 and E0, J2 and E1 once more by components: LMB_CHANGES x modes of k, and that for each j;
     * the parts of E1_jk that are odd (E1_kj - E1_jk) and even (half their sum; NULL if that is
     * zero) in the two modes, 3 x modes of k for each j */
    double *change0, *change, *odd, *even;

    int stretch_count;         /* modes whose stress changes the stiffness of modes, */
    int *stretch;              /* which they are, */
    double *B;                 /* and how: stretch_count x modes x modes */
    double *stretch_stiffness; /* stretch_count: K_kk of them */
    double *along, *back; /* stretch_count x modes: their coordinates, and their shapes, in another
                             basis than that of their own; else NULL (modal_stretch.c) */
    double *size;         /* modes: the largest displacement of a point or node, in m */
    lmb_modal_point *points;
    int point_count;
    bool no_quadratic; /* forces quadratic in the velocities are left out */
    double *zeros;     /* modes */
} lmb_modal;

/* How a flexible body moves besides what its reduction says. All zero: no damping but that of the
 * reduced body, nothing left out. */
typedef struct lmb_modal_options {
    double ratio;         /* damping of every mode as a part of the critical one, */
    const double *ratios; /* or, if not NULL, of each mode */
    double by_mass;       /* 1/s, and */
    double by_stiffness;  /* s: C = by_mass M + by_stiffness K */
    bool no_quadratic;    /* leave out the forces quadratic in the velocities */
    bool constant;        /* mass as if undeformed */
} lmb_modal_options;

/* Orders the constants of a reduced body; NULL: out of memory. */
lmb_modal *lmb_modal_new(lmb_arena *arena, const lmb_reduced *reduced,
                         const lmb_modal_options *options);

/* The constants in the basis Psi T of its modes (reduction/align.h), with the inverse of T and the
 * reduced body in that basis; NULL: out of memory. Modal coordinates were T times those of it. */
lmb_modal *lmb_modal_in_basis(lmb_arena *arena, const lmb_modal *modal, const lmb_reduced *changed,
                              const double *T, const double *inverse);

/* Stiffening by the stress of the modes: the part V of the elastic energy that is of higher order,
 *
 *   1/2 eta^T K eta + V,   V = sum over k of eta_k q_k + q_k^2 / (2 K_kk)
 *
 * which makes the share of mode k in the energy K_kk e_k^2 / 2, never negative. K is diagonal where
 * there is stiffening. The strains and stresses are those of e: `strained` returns it, in the room
 * (modes) that is given, or eta where nothing stiffens; `strained_slope` adds the derivatives of
 * weights . e by eta. The others add -dV/deta to Q, and the Hessian of V to a matrix by columns. */
const double *lmb_modal_strained(const lmb_modal *modal, const double *eta, double *room);
void lmb_modal_strained_slope(const lmb_modal *modal, const double *eta, const double *weights,
                              double *by);
double lmb_modal_stretch_energy(const lmb_modal *modal, const double *eta);
void lmb_modal_add_stretch_force(const lmb_modal *modal, const double *eta, double *Q);
void lmb_modal_add_stretch_tangent(const lmb_modal *modal, const double *eta, double *matrix,
                                   int stride);

#endif
