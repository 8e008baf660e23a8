/* Effect of the ties of interface points: frequencies of the free body with and without ties. A
 * rigid spider on a large surface stiffens the part around it. */
#ifndef LMB_REDUCTION_UNTIED_H
#define LMB_REDUCTION_UNTIED_H

#include "reduction/body_data.h"

enum { LMB_FREE_MODES = 3 }; /* number of compared modes */

/* Return true if a body can be compared: it has a point tied to several nodes, inertia, and enough
 * modes. */
bool lmb_can_untie(const lmb_body_data *data);

/* Fill free_count, free_tied and free_untied of a comparable body reduced from `model`. Frequencies
 * with ties use the kept modes. Frequencies without ties need a factorisation of the model. */
lmb_status lmb_find_untied(lmb_body_data *data, lmb_context *context, const lmb_fe_model *model);

#endif
