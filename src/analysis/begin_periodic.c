/* Periodic motions by Newton's method on the state, x(T) = x(0) up to whole turns.
 *
 * A state near another one, base, is given by p = (y, u, z): q = base (+) N y with joints closed,
 * v = base + N u / tau, N the free directions (orthonormal in the metric), tau = T / 2 pi. With the
 * flow P over a period, which the method of the analysis integrates,
 *
 *   F = P(x) (-) x,   (1 - dP) s = F,   x (+) s
 *
 * by GMRES: (1 - dP) w is a difference of two flows. dP, the monodromy matrix, has an eigenvalue 1
 * at a resonance without damping; what is then found is made by errors of the integration, and
 * changes when these are made smaller.
 *
 * The search starts from the quasi-static shape of flexible bodies. In the end periods are
 * integrated while accelerations repeat better. */
#include <math.h>
#include <string.h>

#include "analysis/begin.h"
#include "analysis/dynamics.h"
#include "analysis/linearise.h"
#include "analysis/period.h"
#include "math/late.h"
#include "math/gmres.h"
#include "system/extended.h"
#include "system/whole.h"

enum { PIECES = 16 }; /* of a period, for its amplitude */

typedef struct search {
    lmb_motion *motion;
    lmb_solver *solver;
    double start, period, tau;
    lmb_state *base, *from; /* where Newton's method is; where a flow began, */
    lmb_state *best;        /* and the one after which accelerations repeat best */
    lmb_linear_model *linear;
    lmb_extended *fit; /* of velocities to the joints */
    int n;             /* 2 free + nz */
    double *F;         /* n: of the base */
    double *p, *s;     /* n: a trial state, Newton's step */
    double *other;     /* n: F of a trial state */
    double *spare;     /* n */
    double *d;         /* nv */
    double amplitude;  /* of the motion of the base over a period */
    double *direction; /* n: of the longest step, */
    double longest;    /* its length, */
    double amplified;  /* and that over F */
    int products;      /* with 1 - dP in the present Newton step */
    lmb_status status;
    lmb_arena *arena;
} search;

/* --- states and flows ------------------------------------------------------------------------- */

/* Changes velocities by d so that they satisfy the joints, with the damping C and a long time t:
 *   (M / t + C) d + Phi_q^T y = 0,   Phi_q (v + d) = nu
 * So accelerations change by d / t only, and what a damper ties to a changed velocity follows it.
 * With M alone a light node would be left behind and have a huge acceleration. */
static void fit_velocities(search *w)
{
    const double t = 1e3 * w->tau;
    lmb_solver *solver = w->solver;
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    double size = 0, *H = w->fit->H;
    lmb_update_velocity(s);
    lmb_jacobian(s);
    lmb_tangent_blocks(s);
    lmb_mass_blocks(s, solver->mass);
    for (int i = 0; i < m->couple_values; i++)
        H[i] = t * s->tangent_v[i];
    for (int k = 0; k < m->couple_count; k++) {
        const lmb_couple *o = &m->couples[k];
        const double *M = solver->mass + m->clusters[o->column].mass;
        for (int i = 0; i < o->row_nv * o->column_nv; i++) {
            H[o->value + i] += o->row == o->column ? M[i] : 0;
            size = fmax(size, fabs(H[o->value + i]));
        }
    }
    for (int i = 0; i < m->couple_values; i++)
        H[i] /= size;
    w->fit->metric = 1e-16; /* next to nothing, for what has no mass */
    lmb_velocity_side(s, solver->side);
    lmb_jacobian_times(s, s->v, solver->phi);
    for (int r = 0; r < m->nrows; r++)
        solver->side[r] -= solver->phi[r];
    memset(solver->step, 0, (size_t)m->nv * sizeof(double));
    if (lmb_extended_factor(w->fit, solver, 1e-14, true))
        lmb_extended_solve(w->fit, NULL, solver->side, NULL, solver->step);
    cblas_daxpy(m->nv, 1, solver->step, 1, s->v, 1);
    lmb_solver_factor(solver);
    lmb_correct_velocity(solver); /* rounding, or all of it if the matrix was singular */
}

/* Puts the state at base (+) p; false if joints do not close. */
static bool place(search *w, const double *p)
{
    lmb_solver *solver = w->solver;
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    int free = w->linear->free;
    lmb_state_copy(s, w->base);
    lmb_free_motion(w->linear, p, w->d);
    lmb_retract(s, w->base->q, w->d);
    lmb_free_motion(w->linear, p + free, w->d);
    cblas_daxpy(m->nv, 1 / w->tau, w->d, 1, s->v, 1);
    for (int i = 0; i < m->nz; i++)
        s->z[i] += p[2 * free + i] * m->z_size[i];
    lmb_update(s, w->start);
    bool closed = lmb_solve_position(solver);
    fit_velocities(w);
    return closed;
}

/* d of the plane's angles without whole turns; in space rotations know none. */
static void remove_turns(const lmb_model *m, double *d)
{
    for (int i = 0; i < m->node_count; i++) {
        double *angle = d + m->nodes[i].v + 2;
        if (m->nodes[i].kind == LMB_NODE_PLANE)
            *angle -= 2 * LMB_PI * round(*angle / (2 * LMB_PI));
    }
}

/* The difference of the present state from where the flow began, as numbers of p. */
static void subtract(const search *w, double *out)
{
    const lmb_state *s = w->solver->state;
    const lmb_model *m = s->model;
    int free = w->linear->free;
    lmb_difference(m, w->from->q, s->q, w->d);
    remove_turns(m, w->d);
    for (int part = 0; part < 2; part++) {
        for (int j = 0; j < m->nv; j++) {
            double x = part == 0 ? w->d[j] : w->tau * (s->v[j] - w->from->v[j]);
            w->d[j] = x * m->columns[j].size * m->columns[j].size;
        }
        lmb_free_part(w->linear, w->d, out + part * free);
    }
    for (int i = 0; i < m->nz; i++)
        out[2 * free + i] = (s->z[i] - w->from->z[i]) / m->z_size[i];
}

/* Integrates a period from the present state; out = P(x) (-) x. Returns how far it gets from where
 * it began on the way, or -1 with the reason in the status. */
static double flow(search *w, double *out)
{
    lmb_motion *m = w->motion;
    double far = 0;
    if (lmb_progress(w->solver->context, "begin: periodic", 0)) {
        w->status = lmb_fail(w->solver->context, LMB_SOLVER, "interrupted at t = %g", w->start);
        return -1;
    }
    w->status = lmb_motion_accelerate(m);
    lmb_accept(w->solver->state);
    lmb_state_copy(w->from, w->solver->state);
    if (!w->status)
        w->status = lmb_motion_restart(m);
    for (int i = 1; i <= PIECES && !w->status; i++) {
        double t = w->start + w->period * i / PIECES;
        w->status = lmb_motion_advance(m, t, false);
        if (i == PIECES && !w->status)
            fit_velocities(w);
        subtract(w, out);
        far = fmax(far, cblas_dnrm2(w->n, out, 1));
    }
    return w->status ? -1 : far;
}

/* Says which body of several nodes has no damping, if there is one: flows have to find each of its
 * vibrations, and their errors change the phases of the fast ones. */
static lmb_status fail_undamped(search *w)
{
    const lmb_state *s = w->solver->state;
    const lmb_model *m = s->model;
    double *rest = w->d;
    memset(rest, 0, (size_t)m->nv * sizeof *rest);
    memset(s->tangent_v, 0, (size_t)m->couple_values * sizeof *s->tangent_v);
    lmb_whole_stiffness(s, rest, s->tangent_q, w->spare);
    for (int i = 1; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        int last = b->node_count ? (int)(b->nodes - m->nodes) + b->node_count - 1 : -1;
        double damping = last < 0 || lmb_whole_leader(m, last) == last;
        for (int k = 0; k < b->window_count; k++) {
            const lmb_couple *c = &m->couples[m->windows[b->window + k]];
            damping += cblas_dasum(c->row_nv * c->column_nv, s->tangent_v + c->value, 1);
        }
        if (damping > 0)
            continue;
        lmb_fail_at(w->solver->context, b->place,
                    "no periodic motion is found: body '%s' has no damping, so its vibrations do "
                    "not fade",
                    b->name);
        return lmb_hint(w->solver->context, "give it a 'damping', or take 'begin: quasi-static'");
    }
    return LMB_OK;
}

/* out = (1 - dP) v for a unit vector, by a difference of flows. */
static bool monodromy(void *user, const double *v, double *out)
{
    enum { MOST_PRODUCTS = 20 };
    search *w = user;
    if (++w->products > MOST_PRODUCTS && fail_undamped(w)) {
        w->status = LMB_SOLVER;
        return false;
    }
    double e = 1e-5 * w->solver->state->model->length; /* nearly linear, far above rounding */
    for (int i = 0; i < w->n; i++)
        w->p[i] = e * v[i];
    if (!place(w, w->p) || flow(w, out) < 0)
        return false;
    for (int i = 0; i < w->n; i++)
        out[i] = (w->F[i] - out[i]) / e;
    return true;
}

/* --- Newton's method -------------------------------------------------------------------------- */

/* Makes the present state the base, with its free directions, F and amplitude. */
static bool rebase(search *w)
{
    lmb_solver *s = w->solver;
    lmb_state_copy(w->base, s->state);
    lmb_jacobian(s->state);
    int free = w->linear->free;
    w->status = lmb_null_space(w->linear, s);
    if (!w->status && w->n > 0 && w->linear->free != free)
        w->status = lmb_fail(s->context, LMB_SOLVER,
                             "the mechanism is in a singular position at t = %g", w->start);
    w->n = 2 * w->linear->free +
           w->solver->state->model->nz; /* positions, velocities, first-order states */
    if (w->status)
        return false;
    w->amplitude = flow(w, w->F);
    return w->amplitude >= 0;
}

/* A step from the base, halved while it makes F larger. */
static bool step(search *w, double *left)
{
    size_t messages = lmb_message_count(w->solver->context);
    for (double part = 1; part > 0.05; part /= 2) {
        for (int i = 0; i < w->n; i++)
            w->p[i] = part * w->s[i];
        if (!place(w, w->p))
            continue;
        bool reached = flow(w, w->other) >= 0;
        double now = cblas_dnrm2(w->n, w->other, 1);
        if (!reached || !(now < *left)) {
            lmb_messages_forget(w->solver->context, messages);
            continue;
        }
        *left = now;
        lmb_state_copy(w->solver->state, w->from);
        lmb_update(w->solver->state, w->start);
        return true;
    }
    return false;
}

/* What a period must be closed to: a part of the motion, and not below the errors of steps. */
static double enough(const search *w)
{
    const lmb_integration *o = &w->motion->options;
    double L = w->solver->state->model->length;
    return fmax(1e-9 * w->amplitude, fmax(10 * o->tolerance, 1e-13) * L);
}

/* Whether the longest step would be quite another with other errors of the integration: shorter
 * steps, or a larger tolerance. */
static bool is_made_by_errors(search *w)
{
    lmb_integration *o = &w->motion->options, kept = *o;
    double *with = w->other, *other = w->spare;
    bool known = monodromy(w, w->direction, with);
    o->tolerance *= 100;
    o->step /= 2;
    lmb_state_copy(w->solver->state, w->base);
    lmb_update(w->solver->state, w->start);
    known = known && flow(w, w->F) >= 0 && monodromy(w, w->direction, other);
    *o = kept;
    cblas_daxpy(w->n, -1, with, 1, other, 1);
    return !known || cblas_dnrm2(w->n, other, 1) > 0.5 * cblas_dnrm2(w->n, with, 1);
}

static lmb_status fail_resonance(const search *w)
{
    lmb_context *c = w->solver->context;
    lmb_fail(
        c, LMB_SOLVER,
        "no periodic motion is found: something vibrates without damping in resonance with the "
        "period of %.6g s, or moves away freely",
        w->period);
    return lmb_hint(
        c, "add damping, change the period, or begin with velocities near to those of the motion");
}

static lmb_status fail_search(const search *w, double left)
{
    lmb_context *c = w->solver->context;
    lmb_fail(c, LMB_SOLVER,
             "no periodic motion is found: after %.6g s the mechanism is off by %.3g m", w->period,
             left);
    return lmb_hint(c, "place the bodies nearer to the motion that is looked for, or let it settle "
                       "in an analysis and begin 'from' that");
}

/* Keeps the direction of the longest step, and by how much it is longer than F. */
static void keep_longest(search *w, double F)
{
    double size = cblas_dnrm2(w->n, w->s, 1);
    if (size <= w->longest)
        return;
    w->longest = size;
    w->amplified = size / F;
    memcpy(w->direction, w->s, (size_t)w->n * sizeof(double));
    cblas_dscal(w->n, 1 / size, w->direction, 1);
}

/* Closed as well as it can be: to the tolerance, or to noise that no step makes smaller any more.
 */
static lmb_status finish_search(search *w, double left, double first)
{
    const double suspicious = 10; /* a resonance makes steps this much longer than F */
    bool closed = left <= enough(w) || left <= 1e-5 * first;
    bool resonant = w->amplified > suspicious && (!closed || is_made_by_errors(w));
    if (closed && !resonant)
        return LMB_OK;
    if (fail_undamped(w))
        return LMB_SOLVER;
    return resonant ? fail_resonance(w) : fail_search(w, left);
}

/* Differences of flows need flows that depend smoothly on where they begin. A method that always
 * chooses its steps gets a smaller tolerance; one that can also make equal steps makes those, half
 * as long as its tolerance asks for in the first flow on average. */
static bool make_smooth(search *w)
{
    lmb_motion *m = w->motion;
    lmb_integration *o = &m->options;
    if (o->tolerance > 0 && o->integrator->controlled)
        o->tolerance = fmax(1e-2 * o->tolerance, fmin(1e-12, o->tolerance));
    if (o->tolerance <= 0 || o->integrator->controlled)
        return true;
    long before = m->steps;
    lmb_state_copy(w->base, m->solver->state);
    bool done = flow(w, w->F) >= 0;
    o->step = w->period / (2 * (double)(m->steps - before));
    o->tolerance = 0;
    lmb_state_copy(m->solver->state, w->base);
    lmb_update(m->solver->state, w->start);
    return done;
}

static lmb_status iterate(search *w)
{
    enum { MOST_STEPS = 20 };
    double first = 0, left = 0;
    if (!make_smooth(w))
        return w->status;
    for (int i = 0; i < MOST_STEPS; i++) {
        if (!rebase(w))
            return w->status;
        double before = left = cblas_dnrm2(w->n, w->F, 1);
        first = i == 0 ? left : first;
        lmb_log(w->solver->context, "periodic: step %d, off by %.3e of %.3e", i, left,
                w->amplitude);
        if (left <= enough(w))
            break;
        w->products = 0;
        double rest = lmb_gmres(w->n, monodromy, w, w->F, 1e-4, w->s, w->arena);
        w->products = 0;
        if (isnan(rest))
            return w->status ? w->status : fail_search(w, left);
        keep_longest(w, before);
        if (rest > 0.5)
            return fail_undamped(w) ? LMB_SOLVER : fail_resonance(w);
        if (!step(w, &left) || (left > before / 2 && left <= 1e-5 * first))
            break;
    }
    return finish_search(w, left, first);
}

/* Goes to the end of the last flow, less whole turns, as the beginning of the next one. */
static void wrap_around(search *w)
{
    lmb_state *s = w->solver->state, *to = w->base;
    const lmb_model *m = s->model;
    lmb_difference(m, w->from->q, s->q, w->d);
    lmb_state_copy(to, w->from);
    memcpy(to->q, s->q, (size_t)m->nq * sizeof(double));
    memcpy(to->v, s->v, (size_t)m->nv * sizeof(double));
    memcpy(to->z, s->z, (size_t)m->nz * sizeof(double));
    for (int i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == LMB_NODE_PLANE)
            to->q[m->nodes[i].q + 2] -= 2 * LMB_PI * round(w->d[m->nodes[i].v + 2] / (2 * LMB_PI));
    lmb_state_copy(s, to);
    lmb_update(s, w->start);
}

/* Lets vibrations fade that are too small and fast to be seen in positions, but not in
 * accelerations: goes on from period to period while these repeat better. The base becomes the
 * beginning of the best period. */
static lmb_status settle(search *w)
{
    enum { MOST_PERIODS = 10 };
    lmb_state *s = w->solver->state;
    double before = INFINITY, miss = INFINITY;
    lmb_state_copy(w->best, w->base);
    lmb_state_copy(s, w->base);
    lmb_update(s, w->start);
    for (int i = 0; i < MOST_PERIODS && (i < 2 || miss < before / 2); i++) {
        before = fmin(miss, before);
        if (flow(w, w->F) < 0)
            return w->status;
        for (int j = 0; j < s->model->nv; j++)
            w->d[j] = s->a[j] - w->from->a[j];
        miss = lmb_step_size(w->solver, w->d);
        double size = lmb_step_size(w->solver, s->a);
        lmb_log(w->solver->context, "periodic: accelerations off by %.3e of %.3e", miss, size);
        if (miss < before)
            lmb_state_copy(w->best, w->from);
        if (miss <= 1e-8 * size)
            break;
        wrap_around(w);
    }
    lmb_state_copy(w->base, w->best);
    return LMB_OK;
}

/* --- the beginning ---------------------------------------------------------------------------- */

static lmb_status check_model(const lmb_state *s, lmb_context *c)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->event_count; i++)
        if (!s->event_off[i]) {
            lmb_fail(c, LMB_BAD_INPUT, "'begin: periodic' is for motions without events, as '%s'",
                     m->events[i].name);
            return lmb_hint(c, "leave it out of the analysis: 'without: [%s]'", m->events[i].name);
        }
    for (int r = 0; r < m->nrows; r++)
        if (m->parts.rows[r].velocity_level && !s->row_off[r])
            return lmb_fail(c, LMB_BAD_INPUT, "'begin: periodic' is not for %s '%s', which rolls",
                            lmb_owner_of_row(m, r).kind, lmb_owner_of_row(m, r).name);
    return LMB_OK;
}

/* Starts the search from the quasi-static shape of flexible bodies, if there is one. Otherwise the
 * search would have to remove every vibration of the start; in a body without damping they never
 * fade. */
static void start_from_shape(search *w)
{
    lmb_solver *solver = w->solver;
    lmb_state *s = solver->state;
    size_t messages = lmb_message_count(solver->context);
    if (s->model->mode_count == 0 && !lmb_whole_exists(s->model))
        return;
    lmb_state_copy(w->base, s);
    if (!lmb_begin_quasi_static.find(w->motion))
        return;
    lmb_messages_forget(solver->context, messages);
    lmb_state_copy(s, w->base);
    lmb_update(s, w->start);
}

static lmb_status find_periodic(lmb_motion *motion)
{
    lmb_solver *solver = motion->solver;
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    size_t most = 2 * (size_t)m->nv + (size_t)m->nz;
    search w = {.motion = motion,
                .solver = solver,
                .start = s->t,
                .period = motion->options.period,
                .base = lmb_state_new(m),
                .from = lmb_state_new(m),
                .best = lmb_state_new(m),
                .arena = lmb_arena_new()};
    double **const vectors[] = {&w.F, &w.p, &w.s, &w.other, &w.spare, &w.direction, &w.d};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = lmb_arena_numbers(w.arena, most + 1);
    double finish = motion->finish;
    lmb_integration options = motion->options;
    size_t messages = lmb_message_count(solver->context);
    lmb_status status = w.base && w.from && w.best ? lmb_check_memory(solver->context, w.arena)
                                                   : lmb_fail_memory(solver->context);
    if (!status && !(status = check_model(s, solver->context)) &&
        !(status = lmb_find_period(s, solver->context, &w.period)) &&
        !(status = lmb_linear_model_new(&w.linear, solver->context, m)) &&
        !(status = lmb_extended_new(&w.fit, solver, LMB_EXTENDED_ELASTIC, 0)) &&
        !(status = lmb_extended_index(w.fit, solver)) &&
        !(status = lmb_find_breaks_between(motion, w.start, w.start + w.period))) {
        w.tau = w.period / (2 * LMB_PI);
        start_from_shape(&w);
        motion->finish = w.start + w.period;
        status = iterate(&w);
        motion->options = options;
        if (!status)
            status = settle(&w);
        lmb_state_copy(s, w.base);
        lmb_update(s, w.start);
    }
    motion->finish = finish;
    motion->options = options;
    motion->break_count = 0; /* the run finds its own breaks and repeats the warnings */
    if (!status)
        lmb_messages_forget(solver->context, messages);
    motion->steps = motion->rejected = motion->iterations = motion->factorisations = 0;
    lmb_linear_model_free(w.linear);
    lmb_extended_free(w.fit);
    lmb_state_free(w.base);
    lmb_state_free(w.from);
    lmb_state_free(w.best);
    lmb_arena_free(w.arena);
    return status;
}

const lmb_beginning lmb_begin_periodic = {
    "periodic", "the motion repeats itself with the period of the drivers", .find = find_periodic};
