/* The effort of an analysis: how many steps it takes, by those so far, and how long that is.
 *
 * From FEW steps on, and again in each WINDOW of them, the rest of the analysis is taken to go as
 * fast as these did. More than LMB_LONG_STEPS are announced once, with the time they take;
 * more than LMB_MOST_STEPS are a failure. If friction had no solution in trial steps behind many of
 * the last SOME steps, LMB_LONG_STEPS are a failure. So an analysis ends, or says how long it
 * takes. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "integrate/motion.h"

enum { FEW = 1 << 14, SOME = 1 << 15, WINDOW = 1 << 20 };

/* What makes the steps short; returns what to do about it. */
static const char *find_cause(const lmb_motion *m, char cause[256])
{
    const lmb_state *s = m->solver->state;
    const lmb_model *model = s->model;
    bool implicit = m->options.integrator->implicit;
    for (int i = 0; i < model->force_count && !implicit; i++)
        if (!s->force_off[i] && strcmp(model->forces[i].type->name, "friction") == 0) {
            lmb_snprintf(cause, 256, "friction '%s' sets in within its 'stick_speed'",
                         model->forces[i].name);
            return "give it a greater 'stick_speed', or take 'integrator: generalized-alpha'";
        }
    char name[128];
    lmb_column_name(model, lmb_motion_fastest(s), name, sizeof name);
    lmb_snprintf(cause, 256, "'%s' accelerates most", name);
    return implicit ? "check masses, stiffnesses and the 'tolerance', or take a shorter 'duration'"
                    : "check masses and stiffnesses; for what is stiff take 'integrator: "
                      "generalized-alpha'";
}

static lmb_status fail_effort(const lmb_motion *m, double steps)
{
    double t = m->solver->state->t;
    char cause[256];
    const char *hint = find_cause(m, cause);
    lmb_fail(m->solver->context, LMB_SOLVER,
             "the steps are too short at t = %.10g: %d of them have brought %.3g s, and to the end "
             "of the 'duration' there would be %.1g more; %s",
             t, WINDOW, t - m->pace.t, steps, cause);
    return lmb_hint(m->solver->context, "%s", hint);
}

/* Fail because of friction that has no solution near most steps. */
static lmb_status fail_jams(const lmb_motion *m, double steps)
{
    double t = m->solver->state->t, h = (m->finish - t) / steps;
    lmb_fail(m->solver->context, LMB_SOLVER,
             "no normal force of '%s' agrees with its friction after steps longer than %.2g s at "
             "t = %.10g: to the end of the 'duration' there would be %.1g more",
             m->jammed->name, h, t, steps);
    return lmb_hint(m->solver->context, "the joint jams: a smaller 'coefficient' or a greater "
                                        "'stick_speed' may help, or 'integrator: ida'");
}

/* Says how long it takes, if that is long. It is no warning: those are kept with the results, which
 * must not depend on the speed of the machine. */
static lmb_status announce(lmb_motion *m, double steps, double seconds)
{
    const double patience = 60; /* s */
    char cause[256], time[32], text[512];
    if (steps < LMB_LONG_STEPS || seconds < patience)
        return LMB_OK;
    const char *hint = find_cause(m, cause);
    lmb_text_duration(time, seconds);
    m->pace.announced = steps;
    lmb_snprintf(text, sizeof text, "%.60s: %.1g steps, about %s; %s (%s)", m->name, steps, time,
                 cause, hint);
    return lmb_continue(m->solver->context, text, NAN);
}

/* A stretch of steps begins. */
static void begin(lmb_motion *m)
{
    m->pace.t = m->solver->state->t;
    m->pace.watched = m->watched;
    m->pace.jams = m->jams;
    clock_gettime(CLOCK_MONOTONIC, &m->pace.begun);
}

lmb_status lmb_motion_effort(lmb_motion *m)
{
    const double often = 0.25; /* jams per step */
    lmb_motion_pace *p = &m->pace;
    if (p->watched == 0)
        begin(m);
    double count = (double)(m->watched - p->watched);
    bool whole = count >= WINDOW;
    if (count < FEW)
        return LMB_OK;
    double t = m->solver->state->t, steps = (m->finish - t) / (t - p->t) * count;
    lmb_status status = LMB_OK;
    if (whole && !(steps <= LMB_MOST_STEPS))
        return fail_effort(m, steps);
    bool jams = (double)(m->jams - p->jams) > often * count;
    if (count >= SOME && jams && steps > LMB_LONG_STEPS)
        return fail_jams(m, steps);
    if (steps > 4 * p->announced) /* again where it gets worse */
        status = announce(m, steps, lmb_seconds_since(p->begun) * steps / count);
    if (whole)
        begin(m);
    return status;
}
