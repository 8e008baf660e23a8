/* The invariants of a reduced body. */
#ifndef LMB_REDUCTION_GRAM_H
#define LMB_REDUCTION_GRAM_H

#include "reduction/reduced.h"
#include "reduction/rigid.h"

/* Fills gram of a body whose shapes are known. */
lmb_status lmb_find_gram(lmb_reduced *reduced, lmb_context *context, const lmb_fe_model *model);

/* Puts the sections of beams and the inertias of point masses in it, where the mass matrix alone
 * does not tell what they do; called by lmb_find_gram. */
lmb_status lmb_correct_sections(lmb_reduced *reduced, lmb_context *context,
                                const lmb_fe_model *model);

#endif
