/* What the ties of interface points do to a body: frequencies of the free body with and without
 * them. A rigid spider on a large surface stiffens the part around it. */
#ifndef LMB_REDUCTION_UNTIED_H
#define LMB_REDUCTION_UNTIED_H

#include "reduction/body_data.h"

enum { LMB_FREE_MODES = 3 }; /* how many are compared */

/* Whether a body can be compared: it has points that are tied to several nodes, inertia, and enough
 * modes. */
bool lmb_can_untie(const lmb_body_data *data);

/* Fills free_count, free_tied and free_untied of a body that was reduced from `model` and can be
 * compared. Frequencies with ties are of the modes that the body keeps; those without need a
 * factorisation of the model. */
lmb_status lmb_find_untied(lmb_body_data *data, lmb_context *context, const lmb_fe_model *model);

#endif
