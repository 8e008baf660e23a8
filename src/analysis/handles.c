/* Two-handle equations of bodies and of joined bodies. */
#include "analysis/handles.h"

#include <string.h>

static int body_of_marker(const lmb_model *m, int marker)
{
    return m->parts.markers[marker].body;
}

bool lmb_bodies_between(const lmb_model *m, int from, int to, bool *inside)
{
    lmb_arena *arena = lmb_arena_new();
    int *before = lmb_arena_integers(arena, m->body_count),
        *queue = lmb_arena_integers(arena, m->body_count);
    int next = 0, count = 0;
    bool found = false;
    if (lmb_arena_fine(arena)) {
        before[from] = from;
        queue[count++] = from;
        while (next < count && before[to] == 0) {
            int body = queue[next++];
            for (int j = 0; j < m->joint_count; j++) {
                const lmb_pair *p = &m->parts.pairs[m->joints[j].ends];
                int a = body_of_marker(m, p->a), b = body_of_marker(m, p->b);
                int other = a == body ? b : b == body ? a : 0;
                if (other > 0 && before[other] == 0) {
                    before[other] = body;
                    queue[count++] = other;
                }
            }
        }
        found = before[to] != 0;
        for (int body = to; found; body = before[body]) {
            inside[body] = true;
            if (body == from)
                break;
        }
    }
    lmb_arena_free(arena);
    return found;
}

/* A row is inside if all its bodies are, and it joins two of them or is a body's own. */
static bool is_inside(const lmb_model *m, int row, const bool *inside)
{
    const lmb_sparse_row *r = &m->sparse_rows[row];
    int first = -1;
    bool two = false;
    for (int k = r->block; k < r->block + r->block_count; k++) {
        int body = m->clusters[m->blocks[k].cluster].body;
        if (!inside[body])
            return false;
        two = two || (first >= 0 && body != first);
        first = body;
    }
    return two || strcmp(lmb_owner_of_row(m, row).kind, "body") == 0;
}

/* The joints that hold the marked bodies from outside. */
static lmb_status list_handles(const lmb_solver *s, const bool *inside, lmb_handles *o)
{
    const lmb_model *m = s->state->model;
    *o = (lmb_handles){.size = m->dimension == 2 ? 3 : 6,
                       .joint = lmb_arena_integers(s->arena, m->joint_count + 1),
                       .marker = lmb_arena_integers(s->arena, m->joint_count + 1)};
    if (!lmb_arena_fine(s->arena))
        return lmb_fail_memory(s->context);
    for (int j = 0; j < m->joint_count; j++) {
        const lmb_pair *p = &m->parts.pairs[m->joints[j].ends];
        bool a = inside[body_of_marker(m, p->a)], b = inside[body_of_marker(m, p->b)];
        if (a == b)
            continue;
        o->joint[o->count] = j;
        o->marker[o->count++] = a ? p->a : p->b;
    }
    size_t n = (size_t)o->count * (size_t)o->size;
    o->zeta = lmb_arena_numbers(s->arena, n * n + 1);
    o->bias = lmb_arena_numbers(s->arena, n + 1);
    return lmb_check_memory(s->context, s->arena);
}

/* A unit force or torque on a frame: g . dx of its twelve slots is its work. */
static lmb_frame unit_load(const lmb_frame *x, int dimension, int component)
{
    lmb_frame g = frame_zero();
    int translations = dimension == 2 ? 2 : 3;
    if (component < translations) {
        g.p = v3_axis(component);
        return g;
    }
    vec3 torque = v3_axis(dimension == 2 ? 2 : component - 3);
    for (int i = 0; i < 3; i++)
        g.e[i] = v3_scale(0.5, v3_cross(torque, x->e[i]));
    return g;
}

/* Accelerations of a frame as those of its point and angular ones. */
static void components_of(const lmb_frame *x, const lmb_frame *rates, int dimension, double *out)
{
    vec3 turn = v3(0, 0, 0);
    for (int i = 0; i < 3; i++)
        turn = v3_axpy(turn, 0.5, v3_cross(x->e[i], rates->e[i]));
    const double space[6] = {rates->p.x, rates->p.y, rates->p.z, turn.x, turn.y, turn.z};
    const double plane[3] = {rates->p.x, rates->p.y, turn.z};
    memcpy(out, dimension == 2 ? plane : space, (dimension == 2 ? 3 : 6) * sizeof *out);
}

/* J_k x of all handles; with the bias, what velocities do, too. */
static void accelerations(const lmb_state *s, const lmb_handles *o, const double *x, bool bias,
                          double *out)
{
    for (int k = 0; k < o->count; k++) {
        const lmb_marker *mark = &s->model->parts.markers[o->marker[k]];
        const lmb_body_at *at = &s->bodies[mark->body];
        const lmb_frame *frame = &s->frames[o->marker[k]];
        lmb_frame rates, more;
        at->body->ops->frame_rate(at, mark, frame, x + mark->v, &rates);
        if (bias) {
            at->body->ops->frame_bias(at, mark, frame, &more);
            frame_add(&rates, 1, &more);
        }
        components_of(frame, &rates, s->model->dimension, out + k * o->size);
    }
}

/* The columns of zeta, one unit load after the other. */
static void find_columns(lmb_solver *s, lmb_handles *o, double *f, double *x, double *column)
{
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    int n = o->count * o->size;
    for (int c = 0; c < n; c++) {
        int marker = o->marker[c / o->size];
        lmb_frame g = unit_load(&state->frames[marker], m->dimension, c % o->size);
        memset(f, 0, (size_t)m->nv * sizeof *f);
        lmb_add_load(state, marker, &g, f + m->parts.markers[marker].v);
        lmb_saddle_solve(s->saddle, f, NULL, x, s->rows);
        accelerations(state, o, x, false, column);
        for (int r = 0; r < n; r++)
            o->zeta[r * n + c] = column[r];
    }
}

/* Bodies outside do not matter, whether they have mass or not. */
static void leave_alone(lmb_solver *s, const bool *inside)
{
    const lmb_model *m = s->state->model;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        if (!inside[c->body])
            memcpy(s->mass + c->mass, s->metric + c->mass,
                   (size_t)(c->nv * c->nv) * sizeof *s->mass);
    }
}

lmb_status lmb_find_handles(lmb_solver *s, const bool *inside, lmb_handles *o)
{
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    lmb_status status = list_handles(s, inside, o);
    bool *off = lmb_arena_alloc(s->arena, (size_t)m->nrows + 1, sizeof *off);
    double *f = lmb_arena_numbers(s->arena, m->nv + 1), *x = lmb_arena_numbers(s->arena, m->nv + 1);
    double *column = lmb_arena_numbers(s->arena, (size_t)(o->count * o->size) + 1);
    if (status || (status = lmb_check_memory(s->context, s->arena)))
        return status;
    int count_off = state->rows_off;
    memcpy(off, state->row_off, (size_t)m->nrows * sizeof *off);
    for (int r = 0; r < m->nrows; r++)
        if (!off[r] && !is_inside(m, r, inside)) {
            state->row_off[r] = true;
            state->rows_off++;
        }
    lmb_update_position(state);
    lmb_update_velocity(state);
    lmb_jacobian(state);
    lmb_mass_blocks(state, s->mass);
    leave_alone(s, inside);
    lmb_total_force(state, f);
    lmb_acceleration_side(state, s->side);
    if (lmb_solver_factor_with(s, s->mass, s->epsilon)) {
        lmb_saddle_solve(s->saddle, f, s->side, x, s->rows);
        accelerations(state, o, x, true, o->bias);
        find_columns(s, o, f, x, column);
    } else {
        status = lmb_fail(s->context, LMB_SOLVER,
                          "a body has no mass, or no inertia about an axis: unheld, it would "
                          "move at once");
    }
    memcpy(state->row_off, off, (size_t)m->nrows * sizeof *off);
    state->rows_off = count_off;
    return status;
}
