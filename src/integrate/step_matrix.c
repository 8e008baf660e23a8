/* The choice of a step matrix. */
#include "integrate/step_matrix.h"

lmb_step_matrix *lmb_step_matrix_new(const lmb_model *model)
{
    lmb_step_matrix *matrix = lmb_step_matrix_schur.create(model);
    return matrix ? matrix : lmb_step_matrix_full.create(model);
}
