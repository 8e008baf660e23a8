/* Derivatives of the expressions of objectives by the coordinates of a state.
 *
 * Of channels that are positions, velocities and accelerations of points and angles they are exact:
 * dg/dc of the expression, by its jets, times dc/dq, dc/dv and dc/da of the channel,
 *
 *   x = frame     dx/dq = J
 *   x'            dx'/dq = (J v)_q     dx'/dv = J
 *   x''           dx''/dq = (J a)_q + bias_q     dx''/dv = bias_v     dx''/da = J */
#include <math.h>
#include <string.h>

#include "channels/channel_list.h"

/* Expressions of sensors and events are made of other channels. */
static bool is_needed(const lmb_channels *c, int i)
{
    return c->sources[i].at < c->sensor_at && (c->sources[i].used & c->objectives_need);
}

bool lmb_channels_are_simple(const lmb_channels *c)
{
    bool simple = true;
    for (int i = 0; i < c->count && simple; i++)
        simple = !is_needed(c, i) || lmb_channels_origin(c, i).kind != LMB_ORIGIN_OTHER;
    return simple;
}

bool lmb_channels_are_alike(const lmb_channels *a, const lmb_channels *b, const bool *others)
{
    bool alike = a->count == b->count && a->expression_count == b->expression_count &&
                 a->objective_count == b->objective_count && lmb_channels_are_simple(a);
    for (int i = 0; i < a->count && alike; i++) {
        if (!is_needed(a, i))
            continue;
        lmb_channel_origin x = lmb_channels_origin(a, i), y = lmb_channels_origin(b, i);
        alike = is_needed(b, i) && x.kind == y.kind && x.at == y.at && x.order == y.order &&
                a->sources[i].at == b->sources[i].at &&
                !(x.kind == LMB_ORIGIN_MARKER && others[x.at]);
    }
    for (int i = 0; i < a->objective_count && alike; i++)
        alike = lmb_expr_same(a->objectives[i], b->objectives[i]);
    for (int i = 0; i < a->expression_count && alike && (a->objectives_need & LMB_BY_SENSOR); i++)
        alike = lmb_expr_same(a->expressions[i], b->expressions[i]);
    return alike;
}

/* The expressions of sensors and events with the derivatives that the variables have. */
static void pass_on(lmb_channels *c, double t)
{
    lmb_jet *out = c->variables + c->sensor_at;
    for (int i = 0; i < c->expression_count; i++) {
        lmb_jet value[3];
        out = i == c->first_event ? c->variables + c->event_at : out;
        lmb_expr_play(c->expressions[i], (lmb_jet){t, 0, 0}, NULL, c->variables, value);
        for (int k = 0; k < lmb_expr_size(c->expressions[i]); k++)
            *out++ = value[k];
    }
}

/* The derivative of each objective by one number of the row; false: one is not finite. */
static bool find_by(lmb_channels *c, double t, int number, double *by)
{
    bool finite = true;
    c->variables[number].d = 1;
    if (c->objectives_need & LMB_BY_SENSOR)
        pass_on(c, t);
    for (int o = 0; o < c->objective_count; o++) {
        lmb_jet value;
        lmb_expr_play(c->objectives[o], (lmb_jet){t, 0, 0}, NULL, c->variables, &value);
        by[o] = value.d;
        finite = finite && isfinite(value.d);
    }
    c->variables[number].d = 0;
    return finite;
}

/* The changes of a marker's frame, or of its velocity or acceleration, with q, v and a: arrays of
 * the state; NULL: none. */
typedef struct marker_columns {
    const lmb_frame *q, *q_too, *v, *a;
} marker_columns;

static marker_columns find_columns(const lmb_state *s, lmb_channel_origin from)
{
    const lmb_marker *m = &s->model->parts.markers[from.at];
    const lmb_body_at *at = &s->bodies[m->body];
    const lmb_frame *x = &s->frames[from.at];
    lmb_frame *J = s->body_columns, *rate = s->body_rates, *by_q = s->pair_columns,
              *by_v = by_q + s->model->largest_nv;
    lmb_marker_columns(s, from.at, J);
    if (from.order == 0)
        return (marker_columns){.q = J};
    at->body->ops->frame_rate_tangent(at, m, x, (from.order == 1 ? s->v : s->a) + m->v, rate);
    if (from.order == 1)
        return (marker_columns){.q = rate, .v = J};
    at->body->ops->frame_bias_tangent(at, m, x, by_q, by_v);
    return (marker_columns){.q = rate, .q_too = by_q, .v = by_v, .a = J};
}

/* Adds a factor times component k of the origins of the columns. */
static void add_columns(const lmb_frame *columns, int count, int k, double factor, double *out)
{
    for (int j = 0; columns && j < count; j++)
        out[j] += factor * v3_get(columns[j].p, k);
}

/* Adds what component k of a channel does to the objectives. */
static void add_component(const lmb_channels *c, const lmb_state *s, lmb_channel_origin from,
                          const marker_columns *columns, int k, const double *by, double *slopes)
{
    size_t nv = (size_t)s->model->nv;
    for (int o = 0; o < c->objective_count; o++, slopes += 3 * nv) {
        if (by[o] == 0)
            continue;
        if (from.kind == LMB_ORIGIN_COORDINATE) {
            slopes[from.at] += by[o];
            continue;
        }
        const lmb_marker *m = &s->model->parts.markers[from.at];
        double *out = slopes + m->v;
        add_columns(columns->q, m->nv, k, by[o], out);
        add_columns(columns->q_too, m->nv, k, by[o], out);
        add_columns(columns->v, m->nv, k, by[o], out + nv);
        add_columns(columns->a, m->nv, k, by[o], out + 2 * nv);
    }
}

bool lmb_channels_slopes(lmb_channels *c, const lmb_state *s, double *slopes)
{
    double *by = c->objective_by;
    memset(slopes, 0, (size_t)c->objective_count * 3 * (size_t)s->model->nv * sizeof *slopes);
    lmb_channels_objectives(c, s); /* sets the variables */
    for (int n = 0; n < c->needed_count; n++) {
        int i = c->needed[n];
        if (!is_needed(c, i))
            continue;
        lmb_channel_origin from = lmb_channels_origin(c, i);
        marker_columns columns = {0};
        if (from.kind == LMB_ORIGIN_MARKER)
            columns = find_columns(s, from);
        for (int k = 0; k < c->channels[i].size; k++) {
            if (!find_by(c, s->t, c->sources[i].at + k, by))
                return false;
            add_component(c, s, from, &columns, k, by, slopes);
        }
    }
    return true;
}
