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

/* At all nodes (node_count) in the axes of the section, of coordinates and velocities of the nodes
 * one after the other; v may be NULL, where there are no rates. */
void lmb_beam_sections(const lmb_exact_beam *beam, const double *q, const double *v,
                       lmb_beam_section_state *out);

/* The frame at x in -1 ... 1 of an element: R_r exp(psi) at sum N_i x_i, as the element has it. */
lmb_frame lmb_beam_frame_at(const lmb_exact_beam *beam, int element, double x, const double *q);

/* Strains and section forces at a probe, in the axes of its section: at x of -1 and 1 those of the
 * node there, `nodes` being all of these (lmb_beam_sections); inside of an element those of the
 * polynomial through its points of Gauss. With one such point, order 1, that is the line through it
 * and the nearest node that is no corner. */
void lmb_beam_probe_section(const lmb_exact_beam *beam, const lmb_beam_probe *probe,
                            const double *q, const double *v, const lmb_beam_section_state *nodes,
                            lmb_beam_section_state *out);

/* The largest size of a rotation between the first and another node of an element, and which
 * element, of the angles or quaternions of the nodes, `stride` numbers apart. */
double lmb_beam_largest_turn(const lmb_exact_beam *beam, const double *turns, int stride,
                             int *element);

#endif
