/* Stresses of single solid elements at a node, before averaging.
 *
 * Finite element programs extrapolate and average nodal stresses in different ways. The range over
 * the elements at a node shows how far their results can differ there. */
#ifndef LMB_CHANNELS_ELEMENT_STRESS_H
#define LMB_CHANNELS_ELEMENT_STRESS_H

#include <stdbool.h>

struct lmb_body_data;

/* Compute the lowest and the highest von Mises stress of single elements at a place of a solid (an
 * index of stress_node of the body). `e` has the lmb_stress_columns coordinates of the stresses.
 * Returns false for places of beams, or if memory runs out. */
bool lmb_element_stress_range(const struct lmb_body_data *data, const double *e, int place,
                              double out[2]);

#endif
