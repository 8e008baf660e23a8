/* One search of an optimisation: from the scaled variables of the optimiser to trials, and back. */
#include <math.h>
#include <string.h>

#include "study/optimise_internal.h"

/* A search under way. */
typedef struct running {
    const lmb_search *search;
    lmb_optimising *all;
    double *x;             /* variable_count */
    double worst;          /* the largest f so far */
    const lmb_trial *best; /* the best trial so far, */
    double violation;      /* with this one of its limits */
    int trials;
    double scale; /* of the objective */
} running;

static double sign_of(const lmb_optimising *o)
{
    return o->out->maximise ? -1 : 1;
}

/* The constraint of a number at a trial, scaled. */
static double constraint(const lmb_bounded *b, const lmb_trial *t)
{
    return b->sign * (t->values[b->function] - b->limit) / b->scale;
}

double lmb_trial_violation(const lmb_optimising *o, const lmb_trial *t)
{
    double worst = 0;
    if (t->failure)
        return INFINITY;
    for (int i = 0; i < o->inequality_count + o->equality_count; i++) {
        double g = constraint(&o->constraints[i], t);
        worst = fmax(worst, o->constraints[i].equal ? fabs(g) : g);
    }
    return worst;
}

/* The further limit of a search, on the other objective. */
static lmb_bounded further_of(const lmb_search *s)
{
    int other = 1 - s->function;
    return (lmb_bounded){other, sign_of(s->all), s->further, s->all->scales[other], false};
}

static double violation_of(const running *r, const lmb_trial *t)
{
    double v = lmb_trial_violation(r->all, t);
    if (!isnan(r->search->further) && !t->failure) {
        lmb_bounded further = further_of(r->search);
        v = fmax(v, constraint(&further, t));
    }
    return v;
}

/* Whether a trial is better: nearer to its limits or, within them, with a smaller objective. */
static bool is_better(const running *r, const lmb_trial *t, double violation)
{
    const double kept = 1e-11;
    double sign = sign_of(r->all);
    int f = r->search->function;
    if (!r->best || t->failure)
        return !t->failure;
    if (violation <= kept && r->violation <= kept)
        return sign * t->values[f] < sign * r->best->values[f];
    return violation < r->violation;
}

/* The variables of the model. */
static void place(running *r, const double *scaled)
{
    const lmb_optimising *o = r->all;
    memcpy(r->x, r->search->start, (size_t)o->out->variable_count * sizeof *r->x);
    for (int k = 0; k < o->continuous_count; k++) {
        int i = o->continuous[k];
        double lower = o->out->lower[i], upper = o->out->upper[i];
        r->x[i] = scaled[k] >= 1 ? upper : lower + scaled[k] * (upper - lower);
    }
}

/* Derivatives by the scaled variables. */
static void put_slopes(const lmb_optimising *o, const lmb_trial *t, int function, double factor,
                       double *out)
{
    int n = o->continuous_count;
    for (int k = 0; k < n; k++) {
        int i = o->continuous[k];
        double slope = t->derivatives[function * n + k];
        out[k] = factor * slope * (o->out->upper[i] - o->out->lower[i]);
    }
}

/* Where the model cannot be run: so bad that the optimiser steps back. */
static void put_failure(const running *r, int constraints, double *f, double *derivatives)
{
    f[0] = r->worst + 1 + fabs(r->worst);
    for (int i = 0; i < constraints; i++)
        f[1 + i] = 1;
    if (derivatives)
        memset(derivatives, 0,
               (size_t)(1 + constraints) * (size_t)r->all->continuous_count * sizeof *derivatives);
}

static bool evaluate(void *user, const double *scaled, double *f, double *derivatives)
{
    running *r = user;
    lmb_optimising *o = r->all;
    const lmb_search *s = r->search;
    int n = o->continuous_count, count = o->inequality_count + o->equality_count;
    bool further = !isnan(s->further);
    place(r, scaled);
    const lmb_trial *t = lmb_trials_run(o->work.trials, s->number, r->x, derivatives != NULL);
    if (!t)
        return false;
    r->trials++;
    if (t->failure) {
        put_failure(r, count + further, f, derivatives);
        return true;
    }
    double violation = violation_of(r, t);
    if (is_better(r, t, violation)) {
        r->best = t;
        r->violation = violation;
    }
    double sign = sign_of(o) / r->scale;
    f[0] = sign * t->values[s->function];
    r->worst = fmax(r->worst, f[0]);
    if (derivatives)
        put_slopes(o, t, s->function, sign, derivatives);
    /* inequalities, the further one last of them, then equalities */
    lmb_bounded added = further ? further_of(s) : (lmb_bounded){0};
    for (int i = 0; i < count + further; i++) {
        int at = i - (further && i > o->inequality_count);
        const lmb_bounded *b = further && i == o->inequality_count ? &added : &o->constraints[at];
        f[1 + i] = constraint(b, t);
        if (derivatives)
            put_slopes(o, t, b->function, b->sign / b->scale, derivatives + (1 + i) * n);
    }
    return true;
}

/* Keeps what a search came to. */
static void conclude(running *r, lmb_minimise_end end)
{
    lmb_search_end *e = r->search->end;
    const lmb_optimum *out = r->all->out;
    e->end = end;
    e->trials = r->trials;
    e->objective = r->best ? r->best->values[r->search->function] : NAN;
    e->violation = r->best ? r->violation : INFINITY;
    if (r->best) {
        memcpy(e->x, r->best->x, (size_t)out->variable_count * sizeof *e->x);
        memcpy(e->values, r->best->values, (size_t)out->objective_count * sizeof *e->values);
    }
}

/* The design that the optimiser ended with counts if it is as good as the best, to rounding: it
 * keeps to its limits more exactly than others on the way. */
static void look_at_end(running *r, const double *scaled)
{
    const double same = 1e-7;
    place(r, scaled);
    const lmb_trial *t =
        lmb_trials_run(r->all->work.trials, r->search->number, r->x, r->all->method->derivatives);
    if (!t || t->failure || !r->best)
        return;
    int f = r->search->function;
    double violation = violation_of(r, t), size = fabs(r->best->values[f]);
    if (violation <= fmax(same, r->violation) &&
        fabs(t->values[f] - r->best->values[f]) <= same * size) {
        r->best = t;
        r->violation = violation <= same ? fmin(violation, 1e-11) : violation;
    }
}

enum { ROUNDS = 4 };

/* An objective that has become much smaller is scaled anew, and the search goes on from where it
 * ended: steps that seemed small are not so any more. */
static bool is_to_go_on(const running *r, lmb_minimise_end end)
{
    const double smaller = 0.1;
    bool ended = end == LMB_MINIMISE_CONVERGED || end == LMB_MINIMISE_STUCK;
    if (!ended || !r->best || r->all->method->global || r->violation > 1e-9 ||
        r->trials >= r->all->work.study->evaluations)
        return false;
    double size = fabs(r->best->values[r->search->function]);
    return size > 0 && size < smaller * r->scale;
}

static void run_search(void *data, int part)
{
    const lmb_search *s = (lmb_search *)data + part;
    lmb_optimising *o = s->all;
    int n = o->continuous_count;
    double x[LMB_MOST_VARIABLES], scaled[LMB_MOST_VARIABLES];
    running r = {
        .search = s, .all = o, .x = x, .violation = INFINITY, .scale = o->scales[s->function]};
    memcpy(s->end->start, s->start, (size_t)o->out->variable_count * sizeof *s->start);
    for (int k = 0; k < n; k++) {
        int i = o->continuous[k];
        double width = o->out->upper[i] - o->out->lower[i];
        scaled[k] = fmin(fmax((s->start[i] - o->out->lower[i]) / width, 0), 1);
    }
    if (n == 0) { /* nothing but choices */
        double f[1 + 2 * LMB_MOST_LIMITS];
        evaluate(&r, scaled, f, NULL);
        conclude(&r, LMB_MINIMISE_CONVERGED);
        return;
    }
    lmb_minimise_task task = {.n = n,
                              .inequalities = o->inequality_count + !isnan(s->further),
                              .equalities = o->equality_count,
                              .evaluate = evaluate,
                              .user = &r,
                              .tolerance = o->work.study->tolerance,
                              .most = o->work.study->evaluations,
                              .seed = o->work.study->seed + (unsigned)s->number};
    lmb_minimise_end end = lmb_minimise(o->method, &task, scaled);
    for (int round = 1; round < ROUNDS && is_to_go_on(&r, end); round++) {
        r.scale = fabs(r.best->values[s->function]);
        r.worst = 0;
        task.most = o->work.study->evaluations - r.trials;
        end = lmb_minimise(o->method, &task, scaled);
    }
    if (end == LMB_MINIMISE_CONVERGED || end == LMB_MINIMISE_STUCK)
        look_at_end(&r, scaled);
    conclude(&r, end);
}

void lmb_searches_run(lmb_optimising *o, lmb_search *searches, int count)
{
    lmb_arena *arena = o->out->arena;
    for (int i = 0; i < count; i++) {
        lmb_search_end *e = searches[i].end;
        e->x = lmb_arena_numbers(arena, (size_t)o->out->variable_count);
        e->start = lmb_arena_numbers(arena, (size_t)o->out->variable_count);
        e->values = lmb_arena_numbers(arena, (size_t)o->out->objective_count);
        e->objective = NAN;
        e->violation = INFINITY;
    }
    if (lmb_arena_fine(arena))
        lmb_trials_share(o->work.trials, run_search, searches, count);
}
