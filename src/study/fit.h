/* Parameters with which a model comes nearest to a measurement:
 *
 *   minimise  S(p) = sum w_c (m_c(t_i; p) - y_ci)^2    over columns c and instants i
 *
 * by Levenberg's and Marquardt's method (math/least_squares.h), with the derivatives of the
 * channels over time that gradients know. With s^2 = S / (number of values - number of parameters)
 * the covariance of the parameters is s^2 (J^T W J)^-1: standard errors and correlations follow
 * from it, and mean something where the weights tell how good the columns are and the model is
 * right. */
#ifndef LMB_STUDY_FIT_H
#define LMB_STUDY_FIT_H

#include "math/least_squares.h"
#include "study/study.h"

/* Fits as lmb_fit does; `finish` may be NULL. */
lmb_status lmb_fit_study(lmb_fitted **out, lmb_context *context, const lmb_spec *spec,
                         const lmb_study_options *options, lmb_study_finish *finish);

#endif
