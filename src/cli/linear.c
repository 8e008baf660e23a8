/* Finding what to linearise about, and saying what it is. */
#include "cli/linear.h"

#include <stdio.h>

#include "analysis/steadiness.h"

lmb_status lmb_typed_linear(const lmb_arguments *a, const lmb_model *m, lmb_linearised **out)
{
    double at = 0;
    bool there = lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &at);
    const lmb_linearised_options options = {.analysis = lmb_option_value(a, "--analysis"),
                                            .at = there ? &at : NULL,
                                            .as_placed = lmb_option_value(a, "--as-placed"),
                                            .steady = lmb_option_value(a, "--steady"),
                                            .observer = lmb_option_value(a, "--observer")};
    *out = NULL;
    lmb_refuse(a, there && !options.analysis, "--at is for --analysis");
    return *a->status ? *a->status : lmb_linearised_new(out, a->context, m, &options);
}

lmb_status lmb_linearised_tell(lmb_linearised *linear, lmb_linearised_about *o)
{
    char text[200];
    lmb_status status = lmb_linearised_judge(linear, o);
    if (!status && o->on_path)
        fprintf(stderr, "About the equilibrium at load factor %.9g.\n", o->load);
    if (status || o->steadiness == LMB_AT_REST || o->steadiness == LMB_PERIODIC ||
        o->steadiness == LMB_CHANGING)
        return status;
    lmb_steadiness_text(o->steadiness, o->time, o->period, text, sizeof text);
    fprintf(stderr, "About %s: %d position%s, %d velocit%s.\n", text, o->positions,
            o->positions == 1 ? "" : "s", o->speeds, o->speeds == 1 ? "y" : "ies");
    return LMB_OK;
}

void lmb_linearised_json(const lmb_linearised_about *o, lmb_json *json)
{
    static const char *const about[] = {[LMB_AT_REST] = "equilibrium",
                                        [LMB_STEADY] = "steady motion",
                                        [LMB_CONSTANT] = "accelerated motion, constant matrix",
                                        [LMB_PERIODIC] = "periodic motion, frozen",
                                        [LMB_CHANGING] = "moving state, frozen"};
    lmb_json_text(json, "about", about[o->steadiness]);
    lmb_json_number(json, "time", o->time);
    if (o->on_path)
        lmb_json_number(json, "load", o->load);
    if (o->steadiness == LMB_PERIODIC)
        lmb_json_number(json, "period", o->period);
    if (o->state_names)
        lmb_json_texts(json, "states", (size_t)o->states, o->state_names);
}
