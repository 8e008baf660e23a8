/* The registry of verbs, in the order in which they are listed. */
#include <stddef.h>

#include "cli/verb.h"

extern const lmb_verb lmb_verb_new, lmb_verb_check, lmb_verb_run, lmb_verb_view, lmb_verb_report,
    lmb_verb_plot, lmb_verb_list, lmb_verb_get, lmb_verb_compare, lmb_verb_export,
    lmb_verb_matrices, lmb_verb_modes, lmb_verb_response, lmb_verb_gradient, lmb_verb_optimise,
    lmb_verb_fit, lmb_verb_sweep, lmb_verb_tolerance, lmb_verb_reduce, lmb_verb_participation,
    lmb_verb_rotor, lmb_verb_bearing, lmb_verb_spectrum, lmb_verb_beam, lmb_verb_help,
    lmb_verb_schema;

const lmb_verb *const lmb_verbs[] = {
    &lmb_verb_new,      &lmb_verb_check,         &lmb_verb_run,
    &lmb_verb_view,     &lmb_verb_report,        &lmb_verb_plot,
    &lmb_verb_list,     &lmb_verb_get,           &lmb_verb_compare,
    &lmb_verb_export,   &lmb_verb_matrices,      &lmb_verb_modes,
    &lmb_verb_response, &lmb_verb_gradient,      &lmb_verb_optimise,
    &lmb_verb_fit,      &lmb_verb_sweep,         &lmb_verb_tolerance,
    &lmb_verb_reduce,   &lmb_verb_participation, &lmb_verb_rotor,
    &lmb_verb_bearing,  &lmb_verb_spectrum,      &lmb_verb_beam,
    &lmb_verb_help,     &lmb_verb_schema,        NULL};
