/* Assembly by damped least squares (Levenberg-Marquardt).
 *
 *   W d + Phi_q^T y = 0,  Phi_q d - epsilon y = -Phi
 *
 * is the step that makes |Phi + Phi_q d|^2 / epsilon + |d|_W^2 smallest: with a small epsilon a
 * Newton step, with a large one a cautious gradient step. epsilon rises while steps do not help.
 *
 * A row on its false branch (guard < 0; think of sin x near x = pi) is replaced by 2 - sin x, with
 * the opposite slope: it falls all the way round to the true root. */
#include "analysis/mobility.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"

/* The residual of a row as assembly sees it: with its false branch folded away. Returns the sign
 * that the row's gradient has in it. */
static double folded(const lmb_state *s, int row, double *phi)
{
    if (lmb_guard(s, row) > 0)
        return 1;
    *phi = (*phi < 0 ? -2 : 2) - *phi;
    return -1;
}

/* Evaluates all rows; the sum of squares of the scaled residuals. `sign` may be NULL. */
static double merit(lmb_solver *s, double *sign)
{
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
    return sum;
}

/* Limits a step so that no body turns more than about 50 degrees at once. */
static void shorten(lmb_solver *s)
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
}

/* One damped step from s->start; returns the new merit. */
static double try_step(lmb_solver *s, double epsilon, const double *phi, const double *sign)
{
    const lmb_model *m = s->state->model;
    memcpy(s->state->q, s->start, (size_t)m->nq * sizeof(double));
    lmb_update_position(s->state);
    lmb_jacobian(s->state);
    if (!lmb_saddle_factor(s->saddle, &(lmb_saddle_matrix){.state = s->state,
                                                           .mass = s->weights,
                                                           .epsilon = epsilon,
                                                           .positions_only = true}))
        return INFINITY;
    for (int r = 0; r < m->nrows; r++)
        s->side[r] = -sign[r] * phi[r];
    lmb_saddle_step(s->saddle, NULL, s->side, s->step, s->rows);
    shorten(s);
    lmb_retract(s->state, s->start, s->step);
    return merit(s, NULL);
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

/* Steps down from the present position; true when all joints are closed. */
static bool descend(lmb_solver *s, double *phi, double *sign)
{
    enum { MOST_STEPS = 200 };
    const double newton = 1e-12;
    const lmb_model *m = s->state->model;
    double closed = lmb_closed * m->length, epsilon = newton;
    double now = merit(s, sign);
    for (int i = 0; i < MOST_STEPS && now > 1e-4 * closed * closed; i++) {
        memcpy(s->start, s->state->q, (size_t)m->nq * sizeof(double));
        memcpy(phi, s->phi, (size_t)m->nrows * sizeof(double));
        int row;
        double residual = lmb_largest_residual(s, &row);
        double next = try_step(s, epsilon, phi, sign);
        while (!(next < now) && epsilon < 1e3) {
            epsilon = fmax(100 * epsilon, 1e-6);
            next = try_step(s, epsilon, phi, sign);
        }
        if (!(next < now)) { /* no way down: stay */
            memcpy(s->state->q, s->start, (size_t)m->nq * sizeof(double));
            break;
        }
        lmb_log_iteration(s, i + 1, row, residual, lmb_step_size(s, s->step));
        lmb_follow_turns(s->state);
        bool slow = next > 0.9 * now;
        epsilon = slow ? epsilon : fmax(epsilon / 1000, newton);
        now = merit(s, sign);
    }
    int row;
    merit(s, sign);
    return lmb_largest_residual(s, &row) <= closed;
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
    lmb_retract(s->state, from, s->step);
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

/* In the plane the angle of a body that is driven against the ground counts the same turns. */
static void count_driven_turns(lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->driver_count; i++) {
        const lmb_coordinate *c = &m->parts.coordinates[m->drivers[i].coordinate];
        const lmb_marker *a = &m->parts.markers[m->parts.pairs[c->pair].a];
        const lmb_marker *b = &m->parts.markers[m->parts.pairs[c->pair].b];
        if (s->row_off[m->drivers[i].row] || c->kind != LMB_COORDINATE_ANGLE || a->body != 0 ||
            b->node_count == 0 || m->bodies[b->body].nodes[b->node].kind != LMB_NODE_PLANE)
            continue;
        double *angle = &s->q[m->bodies[b->body].nodes[b->node].q + 2];
        double offset =
            atan2(b->local.e[0].y, b->local.e[0].x) - atan2(a->local.e[0].y, a->local.e[0].x);
        double wanted = s->laws[m->drivers[i].law].f - offset;
        *angle += 2 * LMB_PI * round((wanted - *angle) / (2 * LMB_PI));
    }
}

lmb_status lmb_assemble(lmb_solver *s)
{
    enum { ATTEMPTS = 6 };
    const lmb_model *m = s->state->model;
    size_t rows = (size_t)m->nrows, nq = (size_t)m->nq;
    double *sign = lmb_arena_numbers(s->arena, 2 * rows + 1);
    double *given = lmb_arena_numbers(s->arena, 2 * nq + 1);
    if (!sign || !given)
        return lmb_fail_memory(s->context);
    double *first = given + nq;
    expect_driven_turns(s->state);
    memcpy(given, s->state->q, nq * sizeof(double));
    for (int attempt = m->mode_count ? -1 : 0; attempt < ATTEMPTS; attempt++) {
        if (attempt > 0)
            shake(s, given, attempt);
        lmb_solver_hold(s, attempt < 0 ? s->modal : NULL); /* at first bodies do not deform */
        bool closed = descend(s, sign + rows, sign);
        lmb_solver_hold(s, NULL);
        if (closed) {
            count_driven_turns(s->state);
            lmb_accept(s->state);
            return LMB_OK;
        }
        if (attempt == 0)
            memcpy(first, s->state->q, nq * sizeof(double));
    }
    memcpy(s->state->q, first, nq * sizeof(double));
    lmb_update_position(s->state);
    return report_open(s);
}

const lmb_analysis_kind lmb_analysis_assembly = {
    "assembly", "positions that satisfy the constraints", .timeless = "an assembly takes"};
