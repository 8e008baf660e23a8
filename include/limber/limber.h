/* Limber: multibody dynamics. Includes the whole interface.
 *
 *   lmb_context *context = lmb_context_new();
 *   lmb_spec *spec;
 *   lmb_model *model;
 *   if (!lmb_spec_load(&spec, context, "slider-crank.yaml") &&
 *       !lmb_model_compile(&model, context, spec))
 *       lmb_run(context, model, NULL, "slider-crank.h5");
 */
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include "limber/analysis.h"
#include "limber/arrays.h"
#include "limber/context.h"
#include "limber/function.h"
#include "limber/gradient.h"
#include "limber/linear.h"
#include "limber/model.h"
#include "limber/reduction.h"
#include "limber/report.h"
#include "limber/result.h"
#include "limber/rotor.h"
#include "limber/simulation.h"
#include "limber/study.h"

#endif
