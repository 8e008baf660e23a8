/* Rates, stabilisation and bookkeeping that all methods share. */
#include "integrate/motion.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "system/element_turns.h"
#include "system/solver.h"

/* --- life ------------------------------------------------------------------------------------- */

/* Of the estimate of a dependence where nothing is known of it. */
enum { ITERATIONS = 6 };

/* Takes the independent coordinates that the user named, or the best ones at this position. */
static lmb_status choose_independent(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    const lmb_integration *o = &m->options;
    int count, nv = s->state->model->nv;
    lmb_jacobian(s->state);
    memset(m->held, 0, (size_t)nv * sizeof *m->held);
    for (int i = 0; i < o->independent_count; i++)
        m->held[o->independent[i]] = true;
    lmb_status status = o->independent_count ? lmb_check_independent(s, m->held)
                                             : lmb_choose_independent(s, m->held, &count);
    lmb_solver_fix(s, m->held);
    if (!status && lmb_solver_factor(s))
        m->dependence = lmb_dependence(s, m->direction, ITERATIONS);
    return status;
}

/* Says once that coordinates that the user named have become a bad choice. */
static void warn_named(lmb_motion *m, double dependence)
{
    if (m->warned)
        return;
    m->warned = true;
    lmb_warn(
        m->solver->context,
        "the independent coordinates named hardly determine the others at t = %g: their errors "
        "are multiplied by %.3g",
        m->solver->state->t, dependence);
    lmb_hint(m->solver->context, "name others, or let the program choose");
}

/* Chooses independent coordinates anew where the dependent ones follow from them much worse than
 * they did: errors of the former are multiplied then. Needs the factorisation of lmb_solver_factor.
 */
static void watch_dependence(lmb_motion *m)
{
    const double much = 2, far_too_much = 1000;
    double now = lmb_dependence(m->solver, m->direction, 2);
    bool named = m->options.independent_count > 0;
    if (named && now > far_too_much * fmax(1, m->dependence))
        warn_named(m, now);
    else if (!named && now > much * fmax(1, m->dependence))
        choose_independent(m);
    else
        m->dependence = fmin(m->dependence, now);
}

/* Whether the method is one of those that need a stabilisation. */
static bool stabilised(const lmb_motion *m)
{
    return !m->options.integrator->implicit;
}

static bool partitioned(const lmb_motion *m)
{
    return stabilised(m) && m->options.stabilisation == LMB_PARTITIONING;
}

/* What errors of position coordinates are judged by (lmb_motion_scale). */
static void set_sizes(lmb_motion *m)
{
    const lmb_model *model = m->solver->state->model;
    for (int n = 0; n < model->node_count; n++) {
        const lmb_node *node = &model->nodes[n];
        for (int j = 0; j < node->nq; j++) {
            const lmb_column *c = &model->columns[node->v + (j < node->nv ? j : j - 1)];
            m->size_q[node->q + j] = model->length / c->size; /* a quaternion has one more than v */
            m->part_q[node->q + j] =
                c->class != LMB_CLASS_ANGLE
                    ? 1
                    : 4 * DBL_EPSILON / fmax(m->options.tolerance, DBL_EPSILON);
        }
    }
}

lmb_status lmb_motion_new(lmb_motion **out, lmb_solver *s, const lmb_integration *options)
{
    const lmb_model *model = s->state->model;
    lmb_motion *m = lmb_arena_alloc(s->arena, 1, sizeof *m);
    *out = NULL;
    if (!m)
        return lmb_fail_memory(s->context);
    m->solver = s;
    m->options = *options;
    m->finish = m->stop = INFINITY;
    m->size = (size_t)model->nq + (size_t)model->nv + (size_t)model->nz + LMB_WORK_COUNT;
    m->y0 = lmb_arena_numbers(s->arena, m->size);
    m->y = lmb_arena_numbers(s->arena, m->size);
    m->zdot = lmb_arena_numbers(s->arena, (size_t)model->nz);
    m->size_q = lmb_arena_numbers(s->arena, (size_t)model->nq);
    m->part_q = lmb_arena_numbers(s->arena, (size_t)model->nq);
    m->turn0 = lmb_arena_numbers(s->arena, 4 * model->parts.turn_count);
    m->held = lmb_arena_alloc(s->arena, (size_t)model->nv, sizeof *m->held);
    m->direction = lmb_arena_numbers(s->arena, (size_t)model->nv);
    if (!lmb_arena_fine(s->arena))
        return lmb_fail_memory(s->context);
    set_sizes(m);
    m->spin0 = m->turn0 + model->parts.turn_count;
    m->turn1 = m->spin0 + model->parts.turn_count;
    m->spin1 = m->turn1 + model->parts.turn_count;
    if (stabilised(m) && options->stabilisation == LMB_BAUMGARTE)
        s->baumgarte = options->baumgarte;
    lmb_status status = LMB_OK;
    if (partitioned(m))
        status = choose_independent(m);
    if (!status && (status = m->options.integrator->open(m)))
        lmb_motion_free(m);
    *out = status ? NULL : m;
    return status;
}

void lmb_motion_free(lmb_motion *m)
{
    if (m && m->options.integrator->close)
        m->options.integrator->close(m);
}

lmb_status lmb_motion_restart(lmb_motion *m)
{
    if (m->options.integrator->restart)
        m->options.integrator->restart(m);
    return partitioned(m) ? choose_independent(m) : LMB_OK;
}

void lmb_motion_pack(lmb_motion *m, lmb_pack *pack)
{
    lmb_solver *s = m->solver;
    lmb_state_pack(s->state, pack);
    lmb_pack_number(pack, &s->epsilon);
    lmb_pack_flags(pack, &s->through_singular, 1);
    lmb_pack_flags(pack, m->held, (size_t)s->state->model->nv);
    lmb_pack_number(pack, &m->dependence);
    lmb_pack_numbers(pack, m->direction, (size_t)s->state->model->nv);
    lmb_pack_numbers(pack, m->turn0, 4 * (size_t)s->state->model->parts.turn_count);
    lmb_pack_tally(pack, &m->steps);
    lmb_pack_tally(pack, &m->rejected);
    lmb_pack_tally(pack, &m->iterations);
    lmb_pack_tally(pack, &m->factorisations);
    lmb_pack_numbers(pack, m->memory, m->memory_count);
    lmb_saddle_pack(s->saddle, pack);
    if (m->options.integrator->pack)
        m->options.integrator->pack(m, pack);
    if (pack->mode == LMB_PACK_RESTORE && partitioned(m))
        lmb_solver_fix(s, m->held);
}

lmb_status lmb_motion_remember(lmb_motion *m, size_t count)
{
    m->memory = lmb_arena_numbers(m->solver->arena, count);
    m->memory_count = count;
    return lmb_check_memory(m->solver->context, m->solver->arena);
}

/* --- y and its rates -------------------------------------------------------------------------- */

void lmb_motion_get(const lmb_motion *m, double *y)
{
    const lmb_state *s = m->solver->state;
    size_t nq = (size_t)s->model->nq, nv = (size_t)s->model->nv, nz = (size_t)s->model->nz;
    memcpy(y, s->q, nq * sizeof *y);
    memcpy(y + nq, s->v, nv * sizeof *y);
    memcpy(y + nq + nv, s->z, nz * sizeof *y);
    memcpy(y + nq + nv + nz, s->work, sizeof s->work);
}

void lmb_motion_set(lmb_motion *m, const double *y)
{
    lmb_state *s = m->solver->state;
    size_t nq = (size_t)s->model->nq, nv = (size_t)s->model->nv, nz = (size_t)s->model->nz;
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nv * sizeof *y);
    memcpy(s->z, y + nq + nv, nz * sizeof *y);
    memcpy(s->work, y + nq + nv + nz, sizeof s->work);
}

/* The equations have no solution: a body without inertia moves freely, or rows contradict. */
static lmb_status singular(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    if (lmb_friction_status(s->friction, s->state, s->context))
        return LMB_SOLVER;
    int column = lmb_find_massless(s);
    if (column < 0) {
        lmb_fail(s->context, LMB_SOLVER, "the equations of motion are singular at t = %g",
                 s->state->t);
        lmb_hint(s->context,
                 "a body without inertia can rotate freely, or constraints are redundant");
        return LMB_SOLVER;
    }
    const lmb_body *b = &m->bodies[m->columns[column].body];
    bool turns = lmb_class_turns(m->columns[column].class);
    lmb_fail_at(s->context, b->place,
                "the equations of motion are singular at t = %g: body '%s' has no %s and can %s "
                "without moving one that has",
                s->state->t, b->name, turns ? "inertia against turning" : "mass",
                turns ? "turn" : "move");
    lmb_hint(
        s->context,
        "give it %s; without one it must be moved by drivers, or by joints to bodies with mass",
        turns ? "an 'inertia' or a 'shape'" : "a 'mass'");
    return LMB_SOLVER;
}

/* Whether velocities and accelerations are numbers. */
static bool is_finite(const lmb_motion *m)
{
    const lmb_state *s = m->solver->state;
    double sum = 0;
    for (int i = 0; i < s->model->nv; i++)
        sum += fabs(s->v[i]) + fabs(s->a[i]);
    return isfinite(sum);
}

lmb_status lmb_motion_accelerate(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    if (lmb_solve_augmented(s) && is_finite(m))
        return LMB_OK;
    if (m->trial && lmb_friction_jams(s->friction)) {
        m->jammed = lmb_friction_jams(s->friction);
        m->jams++;
        return LMB_SOLVER;
    }
    /* exactly singular rows are taken like nearly singular ones */
    s->through_singular = true;
    if (lmb_solve_augmented(s) && is_finite(m))
        return LMB_OK;
    if (m->trial)
        return LMB_SOLVER; /* perhaps not in a shorter step */
    return lmb_not_finite(s, s->state->t) ? LMB_SOLVER : singular(s);
}

lmb_status lmb_motion_rates(lmb_motion *m, double t, double *rates)
{
    lmb_state *s = m->solver->state;
    const lmb_model *model = s->model;
    lmb_update(s, t);
    if (partitioned(m))
        lmb_motion_close_joints(m); /* where that fails the error of the step tells */
    lmb_status status = lmb_motion_accelerate(m);
    lmb_rate(s, rates);
    memcpy(rates + model->nq, s->a, (size_t)model->nv * sizeof *rates);
    lmb_state_rate(s, rates + model->nq + model->nv);
    lmb_powers(s, rates + m->size - LMB_WORK_COUNT);
    return status;
}

/* Lengths are judged by max(L, |q|) with the length L of the model, angles and quaternions by 1
 * whatever the number of turns, a modal coordinate by the value that moves its body by L.
 * Velocities are judged by the largest speed of a point, or by 1e-3 of sqrt(L a) with the largest
 * acceleration a, or of L over the duration, whichever is most. */
double lmb_motion_typical_speed(const lmb_motion *m, const double *y, const double *rates)
{
    const double part = 1e-3;
    const lmb_model *model = m->solver->state->model;
    double length = model->length, time = m->finish - m->begin;
    double speed = part * sqrt(lmb_step_size(m->solver, rates + model->nq) * length);
    speed = fmax(speed, lmb_step_size(m->solver, y + model->nq));
    speed = fmax(speed, time > 0 ? part * length / time : 0);
    return speed > 0 ? speed : length; /* nothing moves */
}

double lmb_motion_scale(const lmb_motion *m, const double *y, double speed, size_t i)
{
    const lmb_model *model = m->solver->state->model;
    size_t nq = (size_t)model->nq, z = nq + (size_t)model->nv;
    return i < nq  ? fmax(m->size_q[i], m->part_q[i] * fabs(y[i]))
           : i < z ? speed / model->columns[i - nq].size
                   : fmax(model->z_size[i - z], fabs(y[i]));
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The joint angles and their rates. */
static void find_turns(const lmb_state *s, double *turn, double *spin)
{
    for (int i = 0; i < s->model->parts.coordinate_count; i++) {
        const lmb_coordinate *c = &s->model->parts.coordinates[i];
        if (c->kind != LMB_COORDINATE_ANGLE)
            continue;
        turn[c->turn] = s->turn[c->turn];
        spin[c->turn] = lmb_coordinate_rate(s, c);
    }
}

void lmb_motion_begin_turns(lmb_motion *m)
{
    find_turns(m->solver->state, m->turn0, m->spin0);
}

void lmb_motion_end_turns(lmb_motion *m)
{
    find_turns(m->solver->state, m->turn1, m->spin1);
}

void lmb_motion_next_turns(lmb_motion *m)
{
    memcpy(m->turn0, m->turn1,
           2 * (size_t)m->solver->state->model->parts.turn_count * sizeof(double));
}

void lmb_motion_set_turns(lmb_motion *m, double h, double theta)
{
    lmb_state *s = m->solver->state;
    for (int i = 0; i < s->model->parts.turn_count; i++) {
        double whole = m->turn1[i] - m->turn0[i], begin = h * m->spin0[i] - whole;
        double end = whole - h * m->spin1[i] - begin;
        s->turn[i] = m->turn0[i] + theta * (whole + (1 - theta) * (begin + theta * end));
    }
}

void lmb_motion_begin_step(lmb_motion *m)
{
    lmb_motion_begin_turns(m);
    lmb_motion_get(m, m->y0);
}

void lmb_motion_take_back(lmb_motion *m, double t)
{
    lmb_state *s = m->solver->state;
    lmb_motion_set(m, m->y0);
    lmb_update(s, t);
}

bool lmb_motion_close_joints(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    lmb_state *state = s->state;
    memset(s->step, 0, (size_t)state->model->nv * sizeof(double));
    lmb_retract(state, state->q, s->step); /* makes quaternions unit again */
    if (m->options.stabilisation >= LMB_BAUMGARTE) {
        lmb_update_position(state);
        lmb_update_velocity(state);
        return true;
    }
    if (!lmb_solve_position(s))
        return false;
    lmb_solver_factor(s);
    lmb_correct_velocity(s);
    return true;
}

/* Joint angles are taken in the turn that their rates lead to. Half a turn off would do, so that
 * the angles themselves need not be found in every step: where rates change little in a step, by
 * `much` in rad at most, the mean rate is off by a small part of that. */
void lmb_motion_accept(lmb_motion *m, double h)
{
    enum { OFTEN = 16 };
    const double much = 0.1;
    double most = 0;
    lmb_state *s = m->solver->state;
    int turns = s->model->parts.turn_count;
    find_turns(s, m->turn1, m->spin1);
    for (int i = 0; i < turns; i++) {
        s->turn[i] = m->turn0[i] + h * (m->spin0[i] + m->spin1[i]) / 2;
        most = fmax(most, fabs(h * (m->spin1[i] - m->spin0[i])));
    }
    if (most > much || m->steps % OFTEN == 0)
        lmb_follow_turns(s);
    lmb_accept_laws(s);
    memcpy(m->turn1, s->turn, (size_t)turns * sizeof *s->turn);
    m->steps++;
    if (partitioned(m))
        watch_dependence(m);
}

void lmb_motion_begin_euler(lmb_motion *m, double h)
{
    lmb_state *s = m->solver->state;
    double powers[LMB_WORK_COUNT];
    lmb_motion_begin_step(m);
    lmb_powers(s, powers);
    for (int k = 0; k < LMB_WORK_COUNT; k++)
        s->work[k] += h * powers[k];
    lmb_state_rate(s, m->zdot);
    for (int i = 0; i < s->model->nz; i++)
        s->z[i] += h * m->zdot[i];
}

lmb_status lmb_motion_finish_step(lmb_motion *m, double h, double t)
{
    lmb_set_time(m->solver->state, t);
    if (!lmb_motion_close_joints(m))
        return lmb_motion_opens(m);
    lmb_motion_accept(m, h);
    return lmb_motion_accelerate(m);
}

void lmb_motion_turn_by_taylor(lmb_motion *m, double h, const double *a0)
{
    lmb_state *s = m->solver->state;
    const double *q0 = m->y0, *v0 = m->y0 + s->model->nq;
    for (int i = 0; i < s->model->node_count && m->options.taylor; i++) {
        const lmb_node *node = &s->model->nodes[i];
        lmb_node_turn_by_taylor(node, q0 + node->q, h, v0 + node->v, a0 + node->v, s->q + node->q);
    }
}

lmb_status lmb_motion_watch(lmb_motion *m)
{
    enum { EVERY = 64 };
    double t = m->solver->state->t;
    lmb_status status =
        m->name ? lmb_check_element_turns(m->solver->context, m->solver->state) : LMB_OK;
    if (m->observe)
        m->observe(m->observer, m);
    if (status || !m->name || ++m->watched % EVERY || (status = lmb_motion_effort(m)))
        return status;
    double done = fmin(1, (t - m->begin) / (m->finish - m->begin));
    if (!lmb_progress(m->solver->context, m->name, done))
        return LMB_OK;
    lmb_fail(m->solver->context, LMB_SOLVER, "interrupted at t = %g", t);
    return lmb_hint(m->solver->context,
                    "the same command with --resume goes on from the last result that was stored");
}

lmb_status lmb_motion_equal_steps(lmb_motion *m, double end, bool once, lmb_motion_step *step)
{
    double begin = m->solver->state->t;
    double count = fmax(1, ceil((end - begin) / m->options.step - 1e-9)), h = (end - begin) / count;
    lmb_status status = LMB_OK;
    for (double i = 1; i <= (once ? 1 : count) && !status; i++) {
        status = step(m, h, i == count ? end : begin + i * h); /* ends without rounding */
        if (!status)
            status = lmb_motion_watch(m);
    }
    return status;
}

/* --- messages --------------------------------------------------------------------------------- */

const char *lmb_motion_prefix(const lmb_motion *m, char buffer[96])
{
    buffer[0] = 0;
    if (m->name)
        lmb_snprintf(buffer, 96, "analysis '%.80s': ", m->name);
    return buffer;
}

lmb_status lmb_motion_opens(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    int row;
    char name[96];
    lmb_constraints(s->state, s->phi);
    double gap = lmb_largest_residual(s, &row);
    lmb_row_name(s->state->model, row, name, sizeof name);
    lmb_fail(s->context, LMB_SOLVER, "constraint drift at t = %g: %s is violated by %.3g m",
             s->state->t, name, gap);
    lmb_hint(s->context, s->epsilon > 0
                             ? "redundant constraints may be inconsistent: `limber check` "
                               "names them; or take a shorter 'step'"
                             : "take a shorter 'step', or 'integrator: rk45'");
    return LMB_SOLVER;
}

int lmb_motion_fastest(const lmb_state *s)
{
    double largest = 0;
    int at = 0;
    for (int j = 0; j < s->model->nv; j++) {
        double size = fabs(s->a[j]) * s->model->columns[j].size;
        if (!(size <= largest)) { /* NaN is fastest */
            largest = size;
            at = j;
        }
    }
    return at;
}

lmb_status lmb_motion_stuck(lmb_motion *m, double t, double h)
{
    lmb_solver *s = m->solver;
    if (lmb_friction_status(s->friction, s->state, s->context) || lmb_not_finite(s, t + h))
        return LMB_SOLVER;
    if (m->options.independent_count > 0 && lmb_check_independent(s, m->held))
        return LMB_SOLVER;
    m->trial = true; /* no message */
    bool solved = lmb_motion_accelerate(m) == LMB_OK;
    m->trial = false;
    int row = solved && s->epsilon > 0 && s->baumgarte == 0 ? lmb_unsatisfied_acceleration(s) : -1;
    if (row >= 0)
        return lmb_contradiction(s, row);
    char name[128];
    lmb_column_name(s->state->model, lmb_motion_fastest(s->state), name, sizeof name);
    lmb_fail(s->context, LMB_SOLVER,
             "the step became too small (%g) at t = %.10g: '%s' accelerates most", h, t, name);
    return lmb_hint(s->context, "something changes abruptly there: check laws and forces near that "
                                "time, the 'mass' or 'density' of the body, and whether a driver "
                                "exceeds the range of the joints");
}
