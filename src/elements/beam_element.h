/* Strain forces of the elements of an exact beam, in space and in the plane, with exact tangents.
 *
 * Relative rotations psi_i = log(R_r^T R_i) of the nodes of an element to one of them, r, are
 * interpolated, and positions:
 *
 *   psi = sum N_i psi_i,   R = R_r exp(psi),   x' = sum N_i' x_i
 *   gamma = R^T x' - gamma0,   kappa = T(psi) psi' - kappa0,   (n, m) = C (gamma, kappa) + C_d
 * (rates)
 *
 * gamma0 and kappa0 are those of the undeformed shape, which is free of stress whatever it is. The
 * energy is sum over points of Gauss of w (gamma, kappa) . C (gamma, kappa) / 2, as many points as
 * the order, and the forces are its exact gradient. Strains do not change when the element moves as
 * a whole. In the plane psi is the angle itself; the last element of a ring ends at the first node,
 * whose angle is less by the turns of the ring. */
#ifndef LMB_ELEMENTS_BEAM_ELEMENT_H
#define LMB_ELEMENTS_BEAM_ELEMENT_H

#include "elements/exact_beam.h"

/* Strains or their rates, or section forces and moments, in the order of 6 x 6 matrices. */
typedef struct lmb_strain {
    vec3 gamma, kappa;
} lmb_strain;

/* A point of Gauss: the same for all elements of an order but for the length. */
typedef struct lmb_gauss_point {
    double weight;             /* along the arc length */
    double N[LMB_BEAM_NODES];  /* shape functions */
    double dN[LMB_BEAM_NODES]; /* their derivatives by arc length */
} lmb_gauss_point;

typedef struct lmb_beam_element {
    int order;
    double damping; /* s: C_d = damping C */
    double winding; /* in the plane: what closes a ring, added to the angle of the last node */
    lmb_gauss_point points[LMB_BEAM_HIGHEST_ORDER]; /* order */
    lmb_strain undeformed[LMB_BEAM_HIGHEST_ORDER];  /* gamma0, kappa0 */
    const double *stiffness;                        /* order x 36 */
} lmb_beam_element;

/* What is asked for besides the configuration of the nodes (q: 3 or 7 numbers each): their
 * velocities (3 or 6), or NULL where only the configuration matters. */
typedef struct lmb_beam_state {
    const double *q[LMB_BEAM_NODES], *v[LMB_BEAM_NODES];
} lmb_beam_state;

/* Fills in an element of a beam; its undeformed strains are those of its nodes there. */
void lmb_beam_element_set(const lmb_exact_beam *beam, int element, lmb_beam_element *out);

/* What happens at a point of Gauss. */
typedef struct lmb_beam_section_state {
    lmb_strain strain, rate, force; /* rate: 0 without velocities */
} lmb_beam_section_state;

/* The table of an element kind: one for space, one for the plane. Forces and blocks are those of
 * the velocity coordinates of nodes, `size` of each. */
typedef struct lmb_beam_kind {
    int size;

    /* Adds the forces Q on its nodes. */
    void (*force)(const lmb_beam_element *e, const lmb_beam_state *s, double *const Q[]);

    /* The tangents -dQ/dq and -dQ/dv, by columns ((order + 1) size squared each). */
    void (*tangent)(const lmb_beam_element *e, const lmb_beam_state *s, double *by_q, double *by_v);

    /* Strains, their rates and section forces at point k of Gauss. */
    void (*section)(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                    lmb_beam_section_state *out);

    /* Their derivatives by the position and by the velocity along each of the (order + 1) size
     * velocity coordinates of the nodes. */
    void (*section_columns)(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                            lmb_beam_section_state *by_q, lmb_beam_section_state *by_v);
} lmb_beam_kind;

extern const lmb_beam_kind lmb_beam_space, lmb_beam_plane;

/* The energy of an element, and the power that its damping takes. */
double lmb_beam_energy(const lmb_beam_kind *kind, const lmb_beam_element *e,
                       const lmb_beam_state *s);
double lmb_beam_loss(const lmb_beam_kind *kind, const lmb_beam_element *e, const lmb_beam_state *s);

/* C times a strain. */
lmb_strain lmb_beam_stress(const double C[36], const lmb_strain *strain);

#endif
