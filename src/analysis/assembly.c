/* Assembly by damped least squares (Levenberg-Marquardt).
 *
 *   W d + Phi_q^T y = 0,  Phi_q d - epsilon y = -Phi
 *
 * is the step that makes |Phi + Phi_q d|^2 / epsilon + |d|_W^2 smallest: with a small epsilon a
 * Newton step, with a large one a cautious gradient step. epsilon rises while steps do not help.
 *
 * A row on its false branch (guard < 0; think of sin x near x = pi) is replaced by 2 - sin x, with
 * the opposite slope: it falls all the way round to the true root.
 *
 * Initial values of joint coordinates are further rows, x(q) - value = 0 (system/extended.h).
 *
 * Bodies of several nodes first move as wholes, by rigid motions. What joints of closed loops then
 * still lack bends them, with as little strain energy as possible (analysis/elastic_metric.h). */
#include "analysis/mobility.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/elastic_metric.h"
#include "analysis/initial.h"
#include "base/text.h"
#include "system/whole.h"

/* A position, with the turns of joint angles. */
typedef struct placement {
    double *q, *turn;
} placement;

/* An assembly under way. */
typedef struct assembly {
    lmb_solver *s;
    placement given, first, last;  /* as placed; where the first attempt ends; before a step of
                                      `approach` */
    lmb_extended *e;               /* initial values of joint coordinates; NULL: none */
    lmb_extended *whole, *elastic; /* for bodies of several nodes, which are e in turns; NULL: none
                                      are there */
    double *rest, *force;          /* nv: zeros; of elastic bodies */
    bool relaxes;                  /* strain energy is made smaller while joints close */
    const bool *held;              /* nv: coordinates that are not to move; NULL: none */
    double *phi, *c; /* residuals where a step begins: nrows, and of the initial values */
    double *sign;    /* nrows: slopes of the rows there */
    bool *waits;     /* driver_count: it starts where the initial values put its coordinate */
    bool shortened;  /* the last step */
} assembly;

static void save(const assembly *a, placement *out)
{
    const lmb_state *s = a->s->state;
    memcpy(out->q, s->q, (size_t)s->model->nq * sizeof *s->q);
    memcpy(out->turn, s->turn, (size_t)s->model->parts.turn_count * sizeof *s->turn);
}

static void restore(assembly *a, const placement *from)
{
    lmb_state *s = a->s->state;
    memcpy(s->q, from->q, (size_t)s->model->nq * sizeof *s->q);
    memcpy(s->turn, from->turn, (size_t)s->model->parts.turn_count * sizeof *s->turn);
    lmb_update_position(s);
}

/* The residual of a row as assembly sees it: with its false branch folded away. Returns the sign
 * that the row's gradient has in it. */
static double folded(const lmb_state *s, int row, double *phi)
{
    if (lmb_guard(s, row) > 0)
        return 1;
    *phi = (*phi < 0 ? -2 : 2) - *phi;
    return -1;
}

/* Whether there are initial values of joint coordinates. */
static bool has_given(const assembly *a)
{
    return a->e && a->e->count > 0;
}

static bool moves_wholes(const assembly *a)
{
    return a->e && a->e == a->whole;
}

/* Evaluates all rows; the sum of squares of the scaled residuals. `sign` may be NULL. */
static double merit(assembly *a, double *sign)
{
    lmb_solver *s = a->s;
    const lmb_model *m = s->state->model;
    double sum = 0;
    lmb_update_position(s->state);
    lmb_constraints(s->state, s->phi);
    for (int r = 0; r < m->nrows; r++) {
        double slope = folded(s->state, r, &s->phi[r]);
        if (sign)
            sign[r] = slope;
        double size = s->phi[r] * m->sparse_rows[r].scale;
        sum += size * size;
    }
    for (int i = 0; a->e && i < a->e->count; i++) {
        double size = a->e->scale[m->nrows + i] * lmb_given_error(s->state, &a->e->given[i], false);
        sum += size * size;
    }
    return sum;
}

/* Limits a step so that no body turns more than about 50 degrees at once; whether that was needed.
 */
static bool shorten(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    double largest = 0;
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body_at *at = &s->state->bodies[i];
        lmb_frame x;
        const lmb_marker *own = &m->parts.markers[m->body_marker[i]];
        at->body->ops->frame_rate(at, own, &at->pose, s->step + own->v, &x);
        largest = fmax(largest, v3_norm(frame_angular(&at->pose, &x)));
    }
    if (largest > 0.9)
        for (int i = 0; i < m->nv; i++)
            s->step[i] *= 0.9 / largest;
    return largest > 0.9;
}

/* The damped step d for the residuals phi and c; false if the matrix is singular. */
static bool find_step(assembly *a, double epsilon)
{
    lmb_solver *s = a->s;
    for (int r = 0; r < s->state->model->nrows; r++)
        s->side[r] = -a->sign[r] * a->phi[r];
    if (a->e) {
        bool bends = a->e == a->elastic;
        if (bends)
            lmb_elastic_metric(a->e, s, a->rest, a->force);
        if (!lmb_extended_factor(a->e, s, epsilon, false))
            return false;
        lmb_extended_step(a->e, bends && a->relaxes ? a->force : NULL, s->side, a->c, s->step);
        return true;
    }
    if (!lmb_saddle_factor(s->saddle, &(lmb_saddle_matrix){.state = s->state,
                                                           .mass = s->weights,
                                                           .epsilon = epsilon,
                                                           .positions_only = true}))
        return false;
    lmb_saddle_step(s->saddle, NULL, s->side, s->step, s->rows);
    return true;
}

/* One damped step from s->start; returns the new merit. */
static double try_step(assembly *a, double epsilon)
{
    lmb_solver *s = a->s;
    memcpy(s->state->q, s->start, (size_t)s->state->model->nq * sizeof(double));
    lmb_update_position(s->state);
    lmb_jacobian(s->state);
    if (!find_step(a, epsilon))
        return INFINITY;
    a->shortened = shorten(s);
    if (moves_wholes(a))
        lmb_whole_retract(s->state, s->start, s->step);
    else
        lmb_retract(s->state, s->start, s->step);
    return merit(a, NULL);
}

/* Says which joints stay open, the worst three. */
static lmb_status report_open(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    lmb_context *c = s->context;
    char text[512] = "";
    lmb_constraints(s->state, s->phi);
    for (int listed = 0; listed < 3 && strlen(text) < sizeof text - 128; listed++) {
        int row;
        double gap = lmb_largest_residual(s, &row);
        bool wrong_branch = gap <= lmb_closed * m->length;
        for (int r = 0; wrong_branch && r < m->nrows; r++)
            if (!(lmb_guard(s->state, r) > 0))
                row = r;
        if (wrong_branch && (listed || lmb_guard(s->state, row) > 0))
            break;
        lmb_row_owner owner = lmb_owner_of_row(m, row);
        bool angle = m->parts.rows[row].measure == LMB_PURE_NUMBER;
        lmb_text_append(text, sizeof text, "%s%s '%s' (%s) ", listed ? ", " : "", owner.kind,
                        owner.name, m->parts.rows[row].label);
        if (wrong_branch)
            lmb_text_append(text, sizeof text, "is assembled in the reversed orientation");
        else
            lmb_text_append(text, sizeof text, angle ? "by %.3g rad" : "by %.3g m",
                            angle ? asin(fmin(1, fabs(s->phi[row]))) : gap);
        for (int r = 0; r < m->nrows; r++) /* the other rows of the same joint are not news */
            if (lmb_owner_of_row(m, r).name == owner.name)
                s->phi[r] = 0;
    }
    lmb_status status = lmb_fail(
        c, LMB_SOLVER, "the mechanism cannot be assembled at t = %g; constraints violated: %s",
        s->state->t, text);
    lmb_hint(c, "check the lengths and points of these bodies, or give better initial positions");
    return status;
}

/* Remembers where a step begins. */
static void begin_step(assembly *a)
{
    const lmb_state *state = a->s->state;
    const lmb_model *m = state->model;
    memcpy(a->s->start, state->q, (size_t)m->nq * sizeof(double));
    memcpy(a->phi, a->s->phi, (size_t)m->nrows * sizeof(double));
    for (int i = 0; a->e && i < a->e->count; i++)
        a->c[i] = -lmb_given_error(state, &a->e->given[i], false);
}

/* Steps down from the present position; true when all joints are closed. Whole turns of gears and
 * screws take many steps. */
static bool descend(assembly *a)
{
    enum { MOST_STEPS = 200, MOST_SHORTENED = 20000 };
    const double newton = 1e-12;
    lmb_solver *s = a->s;
    const lmb_model *m = s->state->model;
    double closed = lmb_closed * m->length, epsilon = newton;
    double now = merit(a, a->sign);
    for (int i = 0, turning = 0;
         i < MOST_STEPS && turning < MOST_SHORTENED && now > 1e-4 * closed * closed;) {
        begin_step(a);
        int row;
        double residual = lmb_largest_residual(s, &row);
        double next = try_step(a, epsilon);
        while (!(next < now) && epsilon < 1e3) {
            epsilon = a->relaxes ? epsilon : fmax(100 * epsilon, 1e-6);
            a->relaxes = false;
            next = try_step(a, epsilon);
        }
        if (!(next < now)) { /* no way down: stay */
            memcpy(s->state->q, s->start, (size_t)m->nq * sizeof(double));
            break;
        }
        turning += has_given(a) && a->shortened;
        i += !(has_given(a) && a->shortened);
        lmb_log_iteration(s, i, row, residual, lmb_step_size(s, s->step));
        lmb_follow_turns(s->state);
        if (moves_wholes(a) && next > 0.9999 * now) /* as near as they come: now they bend */
            break;
        bool slow = next > 0.9 * now;
        epsilon = slow ? epsilon : fmax(epsilon / 1000, newton);
        now = merit(a, a->sign);
    }
    int row;
    now = merit(a, a->sign);
    return lmb_largest_residual(s, &row) <= closed &&
           (!a->e || now <= (m->nrows + a->e->count) * closed * closed);
}

/* Goes down with bodies of several nodes as wholes, then bends them; true when all joints are
 * closed. */
static bool close_joints(assembly *a)
{
    if (!a->whole)
        return descend(a);
    a->e = a->whole;
    lmb_extended_rescale(a->e, a->s->state, false);
    lmb_solver_hold(a->s, a->s->modal);
    bool closed = descend(a);
    lmb_solver_hold(a->s, a->held);
    a->e = a->elastic;
    lmb_extended_rescale(a->e, a->s->state, false);
    a->relaxes = true;
    closed = closed || descend(a);
    a->relaxes = false;
    return closed;
}

/* Moves all bodies a little in a way that is different for each try but always the same. */
static void shake(lmb_solver *s, const double *from, int attempt)
{
    const lmb_model *m = s->state->model;
    unsigned long random = 12345UL + 7919UL * (unsigned long)attempt;
    for (int i = 0; i < m->nv; i++) {
        random = (random * 1103515245UL + 12345UL) & 0x7fffffffUL;
        s->step[i] = s->modal[i] ? 0 : 0.2 * attempt * ((double)random / 0x40000000 - 1);
    }
    double size = lmb_step_size(s, s->step) / (0.2 * attempt * m->length);
    for (int i = 0; i < m->nv; i++) /* the largest move is a part of the model's size */
        s->step[i] /= size;
    lmb_whole_retract(s->state, from, s->step);
}

/* Driven angles start in the turn that their laws say, however the bodies were placed. */
static void expect_driven_turns(lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->driver_count; i++) {
        const lmb_coordinate *c = &m->parts.coordinates[m->drivers[i].coordinate];
        if (c->kind == LMB_COORDINATE_ANGLE && !s->row_off[m->drivers[i].row])
            s->turn[c->turn] = s->laws[m->drivers[i].law].f;
    }
}

/* In the plane the angle of a body that is prescribed against the ground counts the same turns. */
static void count_turns(lmb_state *s, const lmb_coordinate *c, double wanted)
{
    const lmb_model *m = s->model;
    const lmb_marker *a = &m->parts.markers[m->parts.pairs[c->pair].a];
    const lmb_marker *b = &m->parts.markers[m->parts.pairs[c->pair].b];
    if (c->kind != LMB_COORDINATE_ANGLE || a->body != 0 || b->node_count == 0)
        return;
    const lmb_body *body = &m->bodies[b->body];
    const lmb_node *node = &body->nodes[b->node];
    int counted = body->turn ? m->parts.coordinates[body->turn - 1].turn : -1;
    if (node->kind != LMB_NODE_PLANE && counted < 0)
        return;
    double *angle = counted < 0 ? &s->q[node->q + 2] : &s->turn[counted];
    wanted -= atan2(b->local.e[0].y, b->local.e[0].x) - atan2(a->local.e[0].y, a->local.e[0].x);
    *angle += 2 * LMB_PI * round((wanted - *angle) / (2 * LMB_PI));
}

/* Drivers by a speed without a start begin where the initial values put their coordinates: they do
 * not act before. */
static void wait_for_start(assembly *a)
{
    lmb_state *state = a->s->state;
    const lmb_model *m = state->model;
    for (int i = 0; has_given(a) && i < m->driver_count; i++) {
        const lmb_law *law = &m->laws[m->drivers[i].law];
        a->waits[i] = law->rate && !law->start_given && !state->row_off[m->drivers[i].row];
        if (a->waits[i])
            lmb_switch_driver(state, i, false);
    }
}

static void start_drivers(assembly *a)
{
    lmb_state *state = a->s->state;
    const lmb_model *m = state->model;
    lmb_follow_turns(state);
    for (int i = 0; has_given(a) && i < m->driver_count; i++)
        if (a->waits[i]) {
            const lmb_law *law = &m->laws[m->drivers[i].law];
            lmb_switch_driver(state, i, true);
            state->law_value[m->drivers[i].law] =
                lmb_coordinate_value(state, &m->parts.coordinates[law->coordinate]).f;
        }
    if (has_given(a))
        lmb_set_time(state, state->t);
}

/* All are closed: counts turns, and angular velocities stay in global axes. */
static void finish(assembly *a)
{
    lmb_state *state = a->s->state;
    const lmb_model *m = state->model;
    start_drivers(a);
    for (int i = 0; i < m->driver_count; i++)
        if (!state->row_off[m->drivers[i].row])
            count_turns(state, &m->parts.coordinates[m->drivers[i].coordinate],
                        state->laws[m->drivers[i].law].f);
    for (int i = 0; a->e && i < a->e->count; i++)
        count_turns(state, &m->parts.coordinates[a->e->given[i].coordinate], a->e->given[i].value);
    lmb_whole_turn_velocities(state, a->given.q);
    lmb_accept(state);
}

/* Moves an initial value from where the closed joints have it to what it is to be, as far as they
 * and the values before it let it; whether it arrives. */
static bool approach(assembly *a, int which)
{
    const double nearest = 1e-9; /* of the way: the end of it is found to this accuracy */
    lmb_given *given = &a->e->given[which];
    double to = given->value, from = to + lmb_given_error(a->s->state, given, false);
    double reached = 0, step = 0.125;
    while (reached < 1 && step > nearest) {
        double next = fmin(1, reached + step);
        given->value = from + next * (to - from);
        save(a, &a->last);
        if (close_joints(a)) {
            reached = next;
        } else {
            step /= 4;
            restore(a, &a->last);
        }
    }
    given->value = to;
    return reached == 1;
}

/* All attempts have failed. If the joints alone can be closed, initial values are approached from
 * there, one after the other. */
static lmb_status approach_or_fail(assembly *a)
{
    lmb_extended *e = has_given(a) ? a->e : NULL;
    restore(a, e ? &a->given : &a->first);
    for (int i = 0; e && i < e->count; i++)
        e->given[i].off = true;
    if (e)
        lmb_extended_rescale(e, a->s->state, false);
    if (!e || !close_joints(a))
        return report_open(a->s);
    for (int i = 0; i < e->count; i++) {
        e->given[i].off = false;
        lmb_extended_rescale(e, a->s->state, false);
        if (!approach(a, i))
            return lmb_initial_unreachable(a->s, e, i);
    }
    finish(a);
    return LMB_OK;
}

/* Attempts from the position as it is, then from others near it. */
static lmb_status attempt_all(assembly *a)
{
    enum { ATTEMPTS = 6 };
    lmb_solver *s = a->s;
    save(a, &a->given);
    wait_for_start(a);
    for (int attempt = s->state->model->mode_count ? -1 : 0; attempt < ATTEMPTS; attempt++) {
        if (attempt > 0) {
            restore(a, &a->given);
            shake(s, a->given.q, attempt);
        }
        a->held = attempt < 0 ? s->modal : NULL; /* at first bodies do not deform */
        lmb_solver_hold(s, a->held);
        bool closed = close_joints(a);
        a->held = NULL;
        lmb_solver_hold(s, NULL);
        if (closed) {
            finish(a);
            return LMB_OK;
        }
        if (attempt == 0)
            save(a, &a->first);
    }
    lmb_status status = approach_or_fail(a);
    if (status)
        start_drivers(a);
    return status;
}

/* --- bodies that are moved noticeably --------------------------------------------------------- */

/* A part of the model's length, an angle. */
static const double noticeable_way = 0.01, noticeable_turn = LMB_PI / 180;

/* Return the joint row that is open the most. Returns -1 if none is noticeably open, or if drivers
 * or initial values move bodies anyway. */
static int find_misfit(const assembly *a)
{
    lmb_solver *s = a->s;
    const lmb_model *m = s->state->model;
    int worst = -1;
    double most = 1;
    for (int i = 0; has_given(a) && i < a->e->count; i++)
        if (fabs(lmb_given_error(s->state, &a->e->given[i], false)) > noticeable_turn)
            return -1;
    lmb_constraints(s->state, s->phi);
    for (int r = 0; r < m->nrows; r++) {
        bool number = m->parts.rows[r].measure == LMB_PURE_NUMBER;
        double open = fabs(s->phi[r]) / (number ? noticeable_turn : noticeable_way * m->length);
        if (m->row_owner[r] < 0 || s->state->row_off[r] || !(open > most))
            continue;
        if (m->row_owner[r] >= m->joint_count)
            return -1;
        most = open;
        worst = r;
    }
    return worst;
}

/* Whether a message was given before, by another analysis. */
static bool is_known(const lmb_context *c, const char *text)
{
    for (size_t i = 0; i < lmb_message_count(c); i++)
        if (strcmp(lmb_message_at(c, i)->text, text) == 0)
            return true;
    return false;
}

/* Note which body was moved or turned most against the model to fit a joint. Warn if axes did not
 * fit: places are guesses, axes usually are not. */
static void report_moved(assembly *a, int row)
{
    lmb_solver *solver = a->s;
    const lmb_model *m = solver->state->model;
    const char *joint = lmb_owner_of_row(m, row).name;
    double most = 1;
    int which = 0;
    for (int i = 1; i < m->body_count; i++) {
        const lmb_frame *from = &m->bodies[i].start, *to = &solver->state->bodies[i].pose;
        mat3 axes = frame_rotation(from), now = frame_rotation(to), turn = m3_tmul3(&axes, &now);
        double way = v3_norm(v3_sub(to->p, from->p)) / (noticeable_way * m->length);
        double angle = v3_norm(quat_log(quat_from_matrix(&turn)));
        bool placed = v3_norm(from->p) > 0, aligned = placed || axes.c[0].x < 1 || axes.c[1].y < 1;
        double moves = placed ? way : 0, turns = aligned ? angle / noticeable_turn : 0;
        if (!(fmax(moves, turns) > most))
            continue;
        which = i;
        most = fmax(moves, turns);
        solver->moved =
            turns >= moves
                ? lmb_text_format(solver->arena, "assembly turned '%s' by %.1f degrees to fit '%s'",
                                  m->bodies[i].name, angle * 180 / LMB_PI, joint)
                : lmb_text_format(solver->arena, "assembly moved '%s' by %.3g m to fit '%s'",
                                  m->bodies[i].name, way * noticeable_way * m->length, joint);
    }
    if (!solver->moved || m->parts.rows[row].measure != LMB_PURE_NUMBER ||
        is_known(solver->context, solver->moved))
        return;
    lmb_warn_at(solver->context, m->bodies[which].place, "%s", solver->moved);
    lmb_hint(solver->context, "check the axes of the joint and the orientation of its bodies");
}

static placement new_placement(lmb_arena *arena, const lmb_model *m)
{
    return (placement){lmb_arena_numbers(arena, m->nq),
                       lmb_arena_numbers(arena, m->parts.turn_count)};
}

/* What steps are found from, besides the equations of the solver. */
static lmb_status start_systems(assembly *a)
{
    lmb_solver *s = a->s;
    if (!lmb_whole_exists(s->state->model))
        return lmb_initial_positions(&a->e, s, LMB_EXTENDED_NODES);
    lmb_status status = lmb_initial_positions(&a->whole, s, LMB_EXTENDED_WHOLES);
    if (!status)
        status = lmb_initial_positions(&a->elastic, s, LMB_EXTENDED_ELASTIC);
    if (status)
        return status;
    a->elastic->given = a->whole->given; /* values that are approached are so in both */
    a->e = a->elastic;
    return LMB_OK;
}

lmb_status lmb_assemble(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    lmb_arena *arena = s->arena;
    assembly a = {.s = s,
                  .given = new_placement(arena, m),
                  .first = new_placement(arena, m),
                  .last = new_placement(arena, m),
                  .phi = lmb_arena_numbers(arena, m->nrows),
                  .sign = lmb_arena_numbers(arena, m->nrows),
                  .c = lmb_arena_numbers(arena, m->initial_count),
                  .rest = lmb_arena_numbers(arena, m->nv),
                  .force = lmb_arena_numbers(arena, m->nv),
                  .waits = lmb_arena_alloc(arena, (size_t)m->driver_count, sizeof *a.waits)};
    lmb_status status = lmb_check_memory(s->context, arena);
    if (status)
        return status;
    expect_driven_turns(s->state);
    status = start_systems(&a);
    int misfit = !status && s->state->placed ? find_misfit(&a) : -1;
    if (!status)
        status = attempt_all(&a);
    if (!status && misfit >= 0)
        report_moved(&a, misfit);
    lmb_extended_free(a.whole);
    lmb_extended_free(a.whole ? a.elastic : a.e);
    return status;
}

const lmb_analysis_kind lmb_analysis_assembly = {
    "assembly", "positions that satisfy the constraints", .timeless = "an assembly takes"};
