/* Strains and section forces of an exact beam at its nodes.
 *
 * They are known best at the points of Gauss. Those of an element are taken to its nodes by the
 * polynomial through them; where two elements meet, by linear interpolation between the two values,
 * each with the length of the other element. An element of order 1 has one point only: at an end of
 * the beam the line through the points of the last two elements is continued. So constant ones are
 * exact, and those that vary linearly as well.
 *
 * A load on a node between two elements makes section forces jump there; the mean is told. At a
 * corner, where the axes of the section jump, it is what follows after it. */
#ifndef LMB_ELEMENTS_BEAM_SECTIONS_H
#define LMB_ELEMENTS_BEAM_SECTIONS_H

#include "elements/beam_element.h"

/* At all nodes (node_count) in the axes of the section, of coordinates and velocities of the nodes
 * one after the other; v may be NULL, where there are no rates. */
void lmb_beam_sections(const lmb_exact_beam *beam, const double *q, const double *v,
                       lmb_beam_section_state *out);

/* The largest size of a rotation between the first and another node of an element, and which
 * element, of the angles or quaternions of the nodes, `stride` numbers apart. */
double lmb_beam_largest_turn(const lmb_exact_beam *beam, const double *turns, int stride,
                             int *element);

#endif
