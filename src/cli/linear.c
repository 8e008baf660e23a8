/* Finding what to linearise about, and saying what it is. */
#include "cli/linear.h"

#include <stdio.h>
#include <string.h>

#include "run/run.h"

lmb_status lmb_typed_analysis(const lmb_arguments *a, const lmb_model *m, int *out)
{
    const char *name = lmb_option_value(a, "--analysis");
    *out = name ? lmb_run_find(a->context, m, name) : -1;
    return name && *out < 0 ? LMB_BAD_INPUT : LMB_OK;
}

static lmb_status find_observer(const lmb_arguments *a, const lmb_model *m, int *out)
{
    const char *name = lmb_option_value(a, "--observer");
    lmb_nearest nearest;
    *out = name ? lmb_find_name(m->bodies, sizeof *m->bodies, m->body_count, name, &nearest) : 0;
    if (*out < 0)
        return lmb_fail_choice(a->context, "body", &nearest, "the observer is ground or a body");
    if (*out > 0 && !m->bodies[*out].ops->turns)
        return lmb_fail(a->context, LMB_USAGE, "body '%s' has no axes to observe from", name);
    return LMB_OK;
}

lmb_status lmb_linear_point_find(const lmb_arguments *a, const lmb_model *m, lmb_linear_use use,
                                 lmb_linear_point *out)
{
    int analysis, observer;
    double at = 0;
    bool there = lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &at);
    *out = (lmb_linear_point){0};
    lmb_refuse(a, there && !lmb_option_value(a, "--analysis"), "--at is for --analysis");
    lmb_status status = *a->status ? *a->status : lmb_typed_analysis(a, m, &analysis);
    if (status || (status = find_observer(a, m, &observer)) ||
        (status = lmb_operating_point_find(&out->at, a->context, m, analysis,
                                           lmb_option_value(a, "--as-placed"), there ? &at : NULL)))
        return status;
    lmb_solver *s = out->at.solver;
    if (lmb_option_value(a, "--steady") && (status = lmb_find_steady_motion(s, observer)))
        return status;
    if (use == LMB_LINEAR_MATRICES || m->nv <= LMB_MODES_DENSE)
        return lmb_small_motion_new(&out->motion, s, observer);
    if (use == LMB_LINEAR_MODES && lmb_modes_are_symmetric(s))
        return LMB_OK;
    return lmb_sparse_motion_new(&out->sparse, s, observer, NULL);
}

void lmb_linear_point_free(lmb_linear_point *p)
{
    lmb_small_motion_free(p->motion);
    lmb_sparse_motion_free(p->sparse);
    lmb_operating_point_free(&p->at);
}

lmb_status lmb_linear_point_modes(const lmb_linear_point *p, int count, lmb_mode_list *out)
{
    lmb_context *context = p->at.solver->context;
    if (p->sparse)
        return lmb_sparse_modes(p->sparse, count ? count : LMB_MODES_LARGE, out);
    if (!p->motion)
        return lmb_find_some_modes(p->at.solver, 0, count, out);
    lmb_status status = lmb_modes_of(p->motion, context, out);
    if (count && count < out->count)
        out->count = count;
    return status;
}

lmb_status lmb_linear_point_judge(const lmb_arguments *a, lmb_linear_point *p)
{
    char text[200];
    lmb_solver *s = p->at.solver;
    lmb_status status = p->motion   ? lmb_find_steadiness(s, p->motion, &p->steadiness, &p->period)
                        : p->sparse ? lmb_find_sparse_steadiness(s, p->sparse, &p->steadiness)
                                    : LMB_OK;
    if (!status && p->at.on_path)
        fprintf(stderr, "About the equilibrium at load factor %.9g.\n", s->state->load);
    if (status || p->steadiness == LMB_AT_REST)
        return status;
    lmb_steadiness_text(p->steadiness, s->state->t, p->period, text, sizeof text);
    if (p->steadiness != LMB_PERIODIC && p->steadiness != LMB_CHANGING) {
        int positions = p->motion ? p->motion->positions : p->sparse->positions;
        int speeds = p->motion ? p->motion->speeds : p->sparse->speeds;
        fprintf(stderr, "About %s: %d position%s, %d velocit%s.\n", text, positions,
                positions == 1 ? "" : "s", speeds, speeds == 1 ? "y" : "ies");
        return LMB_OK;
    }
    lmb_warn(a->context, "about %s", text);
    lmb_hint(a->context, "eigenvalues of a frozen matrix do not tell whether the motion is stable; "
                         "another --observer may see a constant one");
    return LMB_OK;
}

void lmb_linear_point_json(const lmb_linear_point *p, lmb_json *json)
{
    static const char *const about[] = {[LMB_AT_REST] = "equilibrium",
                                        [LMB_STEADY] = "steady motion",
                                        [LMB_CONSTANT] = "accelerated motion, constant matrix",
                                        [LMB_PERIODIC] = "periodic motion, frozen",
                                        [LMB_CHANGING] = "moving state, frozen"};
    lmb_json_text(json, "about", about[p->steadiness]);
    lmb_json_number(json, "time", p->at.solver->state->t);
    if (p->at.on_path)
        lmb_json_number(json, "load", p->at.solver->state->load);
    if (p->steadiness == LMB_PERIODIC)
        lmb_json_number(json, "period", p->period);
    if (!p->motion)
        return;
    lmb_json_texts(json, "states", (size_t)p->motion->states,
                   (const char *const *)p->motion->names);
}
