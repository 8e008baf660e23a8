/* The stresses that single elements of solids have at a node, before they are averaged.
 *
 * Programs extrapolate stresses to nodes and average them in different ways. The range of the
 * elements that meet at a node shows how far their results can differ there. */
#ifndef LMB_CHANNELS_ELEMENT_STRESS_H
#define LMB_CHANNELS_ELEMENT_STRESS_H

#include <stdbool.h>

struct lmb_body_data;

/* Finds the lowest and the highest stress of von Mises that single elements have at a place of a
 * solid (stress_node of the body), for coordinates e of its stresses (lmb_stress_columns numbers).
 * Returns false for places of beams, or out of memory. */
bool lmb_element_stress_range(const struct lmb_body_data *data, const double *e, int place,
                              double out[2]);

#endif
