/* Strains and section forces of an exact beam at its nodes, and at places between them.
 *
 * They are known best at the points of Gauss. Those of an element are taken to its nodes by the
 * polynomial through them; where two elements meet, by linear interpolation between the two values,
 * each with the length of the other element. An element of order 1 has one point only: at an end of
 * the beam the line through the points of the last two elements is continued. So constant ones are
 * exact, and those that vary linearly as well.
 *
 * A load on a node between two elements makes section forces jump there; the mean is told. At a
 * corner, where the axes of the section jump, it is what follows after it.
 *
 * With h the length of elements and p their order, strains have errors of the order h^(p + 1) at
 * the points of Gauss and h^p elsewhere. gamma = R^T x' - gamma0 itself would be no better between
 * them and not even near: its degree is higher, and the shear stiffness makes large forces of what
 * is left over from bending. Frames between nodes are those of the element, with errors of the
 * order h^(p + 1). */
#ifndef LMB_ELEMENTS_BEAM_SECTIONS_H
#define LMB_ELEMENTS_BEAM_SECTIONS_H

#include "elements/beam_element.h"

/* A section as a sum over points of Gauss: the state of point k of an element times a factor. */
typedef struct lmb_section_part {
    int element, point;
    double factor;
} lmb_section_part;

enum { LMB_SECTION_PARTS = 2 * LMB_BEAM_HIGHEST_ORDER + 2 };

/* The parts of the section at a node, or at a probe; return their number. A probe at x of -1 or 1
 * has the section of the node there, another one the polynomial through the points of Gauss of its
 * element. With one such point, order 1, that is the line through it and the nearest node that is
 * no corner. */
int lmb_beam_node_parts(const lmb_exact_beam *beam, int node, lmb_section_part *parts);
int lmb_beam_probe_parts(const lmb_exact_beam *beam, const lmb_beam_probe *probe,
                         lmb_section_part *parts);

/* The state of a section given by its parts, in the axes of the section; q and v are those of the
 * nodes one after the other, v may be NULL, where there are no rates. */
void lmb_beam_section_evaluate(const lmb_exact_beam *beam, const lmb_section_part *parts, int count,
                               const double *q, const double *v, lmb_beam_section_state *out);

/* The states at all nodes (node_count). */
void lmb_beam_sections(const lmb_exact_beam *beam, const double *q, const double *v,
                       lmb_beam_section_state *out);

/* Adds the derivatives of a weighted sum of the numbers of a section by the velocity coordinates of
 * the nodes, of positions and of velocities. */
void lmb_beam_section_slopes(const lmb_exact_beam *beam, const lmb_section_part *parts, int count,
                             const double *q, const double *v,
                             const lmb_beam_section_state *weights, double *by_q, double *by_v);

/* The frame at x in -1 ... 1 of an element: R_r exp(psi) at sum N_i x_i, as the element has it. */
lmb_frame lmb_beam_frame_at(const lmb_exact_beam *beam, int element, double x, const double *q);

/* The largest size of a rotation between the first and another node of an element, and which
 * element, of the angles or quaternions of the nodes, `stride` numbers apart. */
double lmb_beam_largest_turn(const lmb_exact_beam *beam, const double *turns, int stride,
                             int *element);

#endif
