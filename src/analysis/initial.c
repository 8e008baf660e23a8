/* Initial values of joint coordinates and velocities that fit them.
 *
 * Velocities: v = v0 + d with the smallest d (in the metric of the model, v0 the launch velocities)
 *
 *   Phi_q d = nu - Phi_q v0,   d_j = 0 (prescribed coordinates),   grad c . d = rate - grad c . v0
 *
 * Bodies of several nodes move as wholes, d = T d_0; if that is not enough, then by the smallest
 * rate of deformation besides (analysis/elastic_metric.h).
 *
 * Rows may repeat each other. Where they contradict each other, the residual r of least squares is
 * a combination of rows that nothing satisfies. If it is the only one, then row k alone would have
 * to change by |r|^2 / r_k; the row with the largest r_k needs the smallest change. */
#include "analysis/initial.h"

#include <stdio.h>
#include <string.h>

#include "analysis/elastic_metric.h"
#include "system/whole.h"

/* Contradictions above this part of the velocities are errors; those below the second are rounding.
 */
static const double contradictory = 1e-6, rounding = 1e-12;

/* Of the refinement: see system/extended.h. */
static const double epsilon = 1e-14;

/* --- what is prescribed ----------------------------------------------------------------------- */

/* Whether an initial value holds in a state: one of a joint that is switched off does not. */
static bool holds(const lmb_state *s, const lmb_initial *x)
{
    const lmb_joint *j = &s->model->joints[x->joint];
    return s->placed && (j->row_count == 0 || !s->row_off[j->row]);
}

/* The driver that acts on a coordinate, or NULL. */
static const lmb_driver *driver_of(const lmb_state *s, int coordinate)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->driver_count; i++)
        if (m->drivers[i].coordinate == coordinate && !s->row_off[m->drivers[i].row])
            return &m->drivers[i];
    return NULL;
}

/* A driver that says something else than an initial value, or its rate. */
static lmb_status check_driver(lmb_solver *s, const lmb_initial *x)
{
    const lmb_driver *driver = driver_of(s->state, x->coordinate);
    if (!driver)
        return LMB_OK;
    const lmb_law *kind = &s->state->model->laws[driver->law];
    if (kind->rate && !kind->start_given && !x->rate)
        return LMB_OK; /* it starts there */
    const lmb_jet *law = &s->state->laws[driver->law];
    double driven = x->rate ? law->d : law->f;
    double gap = x->rate ? contradictory : 1e-9;
    if (!(fabs(driven - x->value) > gap * fmax(1, fabs(x->value))))
        return LMB_OK;
    lmb_fail(s->context, LMB_SOLVER,
             "the initial value of '%s' is %.10g, but driver '%s' prescribes %.10g at t = %g",
             x->name, x->value, driver->name, driven, s->state->t);
    return lmb_hint(s->context, "remove one of them from the model, or make them equal");
}

static lmb_status check_drivers(lmb_solver *s, bool rates)
{
    const lmb_model *m = s->state->model;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->initial_count && !status; i++)
        if (m->initials[i].rate == rates && holds(s->state, &m->initials[i]))
            status = check_driver(s, &m->initials[i]);
    return status;
}

lmb_status lmb_initial_positions(lmb_extended **out, lmb_solver *s, lmb_extended_kind kind)
{
    const lmb_model *m = s->state->model;
    int count = 0;
    lmb_status status = check_drivers(s, false);
    *out = NULL;
    for (int i = 0; i < m->initial_count; i++)
        count += !m->initials[i].rate && holds(s->state, &m->initials[i]);
    bool needed = count || kind != LMB_EXTENDED_NODES;
    if (status || !needed || (status = lmb_extended_new(out, s, kind, count)))
        return status;
    for (int i = 0, k = 0; i < m->initial_count; i++) {
        const lmb_initial *x = &m->initials[i];
        if (x->rate || !holds(s->state, x))
            continue;
        const lmb_coordinate *c = &m->parts.coordinates[x->coordinate];
        (*out)->given[k++] =
            (lmb_given){.column = -1, .coordinate = x->coordinate, .value = x->value};
        if (c->turn >= 0)
            s->state->turn[c->turn] = x->value;
    }
    return lmb_extended_index(*out, s);
}

/* The name of an initial value of a model by its coordinate. */
static const char *name_of(const lmb_model *m, const lmb_given *g, bool rate)
{
    for (int i = 0; i < m->initial_count; i++)
        if (m->initials[i].coordinate == g->coordinate && m->initials[i].rate == rate)
            return m->initials[i].name;
    return "";
}

lmb_status lmb_initial_unreachable(lmb_solver *s, const lmb_extended *e, int which)
{
    const lmb_model *m = s->state->model;
    const lmb_given *g = &e->given[which];
    double error = lmb_given_error(s->state, g, false);
    bool angle = m->parts.coordinates[g->coordinate].kind == LMB_COORDINATE_ANGLE;
    lmb_fail(s->context, LMB_SOLVER,
             "the mechanism cannot be assembled with the initial value %.10g of '%s': the nearest "
             "position that its joints allow has %.10g, which is %.3g %s off",
             g->value, name_of(m, g, false), g->value + error, fabs(error), angle ? "rad" : "m");
    return lmb_hint(s->context, which > 0
                                    ? "prescribe fewer coordinates: the others follow from the "
                                      "joints; or place the bodies nearer to that position"
                                    : "check the range of the joint, or place the bodies nearer to "
                                      "that position");
}

/* Whether the model prescribes a velocity coordinate: of bodies of several nodes, that of the first
 * one, which leads the others. */
static bool prescribed(const lmb_model *m, lmb_extended_kind kind, int j)
{
    const lmb_body *b = &m->bodies[m->columns[j].body];
    lmb_coordinate_class class = m->columns[j].class;
    int node = (int)(lmb_column_node(m, j) - m->nodes);
    bool given = (class == LMB_CLASS_LENGTH && b->velocity_given) ||
                 (lmb_class_turns(class) && b->spin_given);
    return given && kind != LMB_EXTENDED_ELASTIC &&
           (kind == LMB_EXTENDED_NODES || lmb_whole_leader(m, node) == node);
}

/* All prescribed velocities; NULL if there are none and nodes move by themselves. */
static lmb_status prescribed_velocities(lmb_extended **out, lmb_solver *s, lmb_extended_kind kind)
{
    const lmb_model *m = s->state->model;
    int count = 0;
    *out = NULL;
    for (int j = 0; j < m->nv; j++)
        count += prescribed(m, kind, j);
    for (int i = 0; i < m->initial_count; i++)
        count += m->initials[i].rate && holds(s->state, &m->initials[i]);
    lmb_status status = check_drivers(s, true);
    bool needed = count || kind != LMB_EXTENDED_NODES;
    if (status || !needed || (status = lmb_extended_new(out, s, kind, count)))
        return status;
    lmb_given *g = (*out)->given;
    for (int j = 0; j < m->nv; j++)
        if (prescribed(m, kind, j))
            *g++ = (lmb_given){.column = j, .value = s->state->v[j]};
    for (int i = 0; i < m->initial_count; i++)
        if (m->initials[i].rate && holds(s->state, &m->initials[i]))
            *g++ = (lmb_given){-1, m->initials[i].coordinate, m->initials[i].value, false};
    return lmb_extended_index(*out, s);
}

/* None. */
static lmb_status driven_velocities(lmb_extended **out, lmb_solver *s, lmb_extended_kind kind)
{
    *out = NULL;
    if (kind == LMB_EXTENDED_NODES)
        return LMB_OK;
    lmb_status status = lmb_extended_new(out, s, kind, 0);
    return status ? status : lmb_extended_index(*out, s);
}

/* --- velocities ------------------------------------------------------------------------------- */

/* The fit of velocities under way. */
typedef struct fit {
    lmb_solver *s;
    lmb_extended *e;
    double *g, *c; /* right sides: nrows, count */
    double *d;     /* nv: the change */
    double size;   /* of the velocities */
} fit;

/* Right sides for the state's velocities. */
static void find_sides(fit *f)
{
    lmb_state *state = f->s->state;
    lmb_velocity_side(state, f->g);
    lmb_jacobian_times(state, state->v, f->s->phi);
    for (int r = 0; r < state->model->nrows; r++)
        f->g[r] -= f->s->phi[r];
    for (int i = 0; i < f->e->count; i++)
        f->c[i] = -lmb_given_error(state, &f->e->given[i], true);
}

static void solve(fit *f)
{
    const lmb_state *state = f->s->state;
    lmb_extended_solve(f->e, NULL, f->g, f->c, f->d);
    f->size = 0;
    for (int j = 0; j < state->model->nv; j++) {
        double v = fmax(fabs(state->v[j]), fabs(state->v[j] + f->d[j]));
        f->size = fmax(f->size, v * state->model->columns[j].size);
    }
}

/* Which prescribed quantity contradicts the others by too much, by its residual; -1: none. */
static int find_contradiction(const fit *f)
{
    const lmb_model *m = f->s->state->model;
    const double *r = f->e->residual;
    double square = 0, most = 0, needed = 0;
    int worst = -1;
    for (int k = 0; k < m->nrows + f->e->count; k++)
        square += r[k] * r[k];
    for (int i = 0; i < f->e->count; i++) {
        double part = fabs(r[m->nrows + i]);
        if (part < 1e-6 * sqrt(square) || part == 0)
            continue; /* it has nothing to do with the contradiction */
        needed = fmax(needed, square / part);
        if (part > most) {
            most = part;
            worst = i;
        }
    }
    return sqrt(square) > rounding * f->size && needed > contradictory * f->size ? worst : -1;
}

/* Of axes that are prescribed by their components all are left free together. */
static void leave_free(fit *f, lmb_given *g)
{
    const lmb_model *m = f->s->state->model;
    g->off = true;
    if (g->column < 0 || m->columns[g->column].class != LMB_CLASS_AXIS)
        return;
    for (int i = 0; i < f->e->count; i++) {
        lmb_given *other = &f->e->given[i];
        bool same = other->column >= 0 && m->columns[other->column].class == LMB_CLASS_AXIS &&
                    m->columns[other->column].body == m->columns[g->column].body;
        other->off = other->off || same;
    }
}

/* How much a prescribed velocity has changed from `before`, and of what: of axes the angular
 * velocity, in the global axis where it is most. */
static double change_of(const lmb_state *s, const lmb_given *g, vec3 before, char *name,
                        size_t size)
{
    const lmb_model *m = s->model;
    const lmb_node *node = lmb_column_node(m, g->column);
    if (m->columns[g->column].class != LMB_CLASS_AXIS) {
        lmb_node_name(node, g->column - node->v, name, size);
        return lmb_given_error(s, g, true);
    }
    vec3 change = v3_sub(lmb_whole_angular(s, node, s->v), before);
    int most = 0;
    for (int k = 1; k < 3; k++)
        most = fabs(v3_get(change, k)) > fabs(v3_get(change, most)) ? k : most;
    lmb_snprintf(name, size, "%c", "xyz"[most]);
    return v3_get(change, most);
}

/* Says by how much a prescribed velocity would have to change: to what the joints and all others
 * make it when it is not prescribed. */
static lmb_status fail_contradiction(fit *f, int which)
{
    lmb_solver *s = f->s;
    const lmb_model *m = s->state->model;
    lmb_given *g = &f->e->given[which];
    vec3 before = {0, 0, 0};
    if (g->column >= 0 && m->columns[g->column].class == LMB_CLASS_AXIS)
        before = lmb_whole_angular(s->state, lmb_column_node(m, g->column), s->state->v);
    leave_free(f, g);
    if (lmb_extended_factor(f->e, s, epsilon, true))
        solve(f);
    for (int j = 0; j < m->nv; j++)
        s->state->v[j] += f->d[j];
    lmb_update_rates(s->state);
    if (g->column >= 0) {
        char component[64];
        double change = change_of(s->state, g, before, component, sizeof component);
        lmb_fail(s->context, LMB_SOLVER,
                 "the %s of body '%s' is inconsistent with its joints: it would have to change by "
                 "%g in %s",
                 m->columns[g->column].class == LMB_CLASS_LENGTH ? "velocity" : "angular_velocity",
                 m->bodies[m->columns[g->column].body].name, change, component);
    } else {
        double change = lmb_given_error(s->state, g, true);
        lmb_fail(s->context, LMB_SOLVER,
                 "the initial value of '%s' is inconsistent with the joints: it would have to "
                 "change by %g, to %.10g",
                 name_of(m, g, true), change, g->value + change);
    }
    return lmb_hint(s->context, "prescribe fewer velocities: the others follow from the joints");
}

/* Whether wholes can move as the joints alone ask for. Else bodies must deform, and what is
 * prescribed cannot be told to contradict the joints by how wholes would move. */
static bool wholes_fit(fit *f)
{
    lmb_extended *e = f->e;
    double left = 0;
    for (int i = 0; i < e->count; i++)
        e->given[i].off = true;
    if (lmb_extended_factor(e, f->s, epsilon, true))
        solve(f);
    for (int r = 0; r < f->s->state->model->nrows; r++)
        left = fmax(left, fabs(e->residual[r]));
    for (int i = 0; i < e->count; i++)
        e->given[i].off = false;
    if (lmb_extended_factor(e, f->s, epsilon, true))
        solve(f);
    return left <= contradictory * f->size;
}

/* Changes the velocities so that all rows hold; gaps that are small go to the right sides. */
static lmb_status meet_all(fit *f)
{
    enum { MOST_PASSES = 4 };
    lmb_solver *s = f->s;
    const lmb_model *m = s->state->model;
    if (!lmb_extended_factor(f->e, s, epsilon, true))
        return lmb_fail(s->context, LMB_SOLVER, "the initial velocities cannot be found");
    find_sides(f);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double left = 0;
        solve(f);
        int worst = find_contradiction(f);
        if (worst >= 0 && (f->e->kind != LMB_EXTENDED_WHOLES || wholes_fit(f)))
            return fail_contradiction(f, worst);
        for (int k = 0; k < m->nrows + f->e->count; k++) {
            double *side = k < m->nrows ? &f->g[k] : &f->c[k - m->nrows];
            *side -= f->e->scale[k] > 0 ? f->e->residual[k] / f->e->scale[k] : 0;
            left = fmax(left, fabs(f->e->residual[k]));
        }
        if (left <= rounding * f->size)
            break;
    }
    for (int j = 0; j < m->nv; j++)
        s->state->v[j] += f->d[j];
    return LMB_OK;
}

/* Whether all that is prescribed is met, or what drivers ask for alone. */
static lmb_status meet(lmb_solver *s, lmb_extended_kind kind, bool driven)
{
    const lmb_model *m = s->state->model;
    fit f = {.s = s};
    lmb_status status =
        driven ? driven_velocities(&f.e, s, kind) : prescribed_velocities(&f.e, s, kind);
    if (!status && f.e) {
        f.g = lmb_arena_numbers(f.e->arena, (size_t)m->nrows + 1);
        f.c = lmb_arena_numbers(f.e->arena, (size_t)f.e->count + 1);
        f.d = lmb_arena_numbers(f.e->arena, m->nv); /* 0 at first */
        status = lmb_check_memory(s->context, f.e->arena);
        if (!status && kind == LMB_EXTENDED_ELASTIC)
            lmb_elastic_metric(f.e, s, f.d, s->force);
        if (!status)
            status = meet_all(&f);
    }
    lmb_extended_free(f.e);
    return status;
}

/* As wholes, then with deformation where the rows ask for more. */
static lmb_status meet_as_wholes(lmb_solver *s, bool driven)
{
    const double rigid = 1e-10; /* of the velocities: what is left is rounding */
    lmb_status status = meet(s, LMB_EXTENDED_WHOLES, driven);
    lmb_update_rates(s->state);
    if (!status && lmb_unsatisfied_beyond(s, rigid) >= 0)
        status = meet(s, LMB_EXTENDED_ELASTIC, driven);
    return status;
}

static lmb_status fit_all(lmb_solver *s, bool driven)
{
    lmb_update_rates(s->state);
    lmb_jacobian(s->state);
    lmb_solver_hold(s, s->modal); /* bodies deform only if they must */
    lmb_status status = lmb_whole_exists(s->state->model) ? meet_as_wholes(s, driven)
                                                          : meet(s, LMB_EXTENDED_NODES, driven);
    lmb_solver_hold(s, NULL);
    lmb_solver_factor(s);
    if (!status)
        lmb_correct_velocity(s); /* rounding alone is left */
    return status;
}

lmb_status lmb_fit_velocities(lmb_solver *s)
{
    lmb_status status = fit_all(s, false);
    int row = status ? -1 : lmb_unsatisfied_velocity(s);
    return row < 0 ? status : lmb_contradiction(s, row);
}

lmb_status lmb_driven_velocities(lmb_solver *s)
{
    memset(s->state->v, 0, (size_t)s->state->model->nv * sizeof(double));
    return fit_all(s, true);
}

lmb_status lmb_check_initial_rates(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    double size = lmb_step_size(s, s->state->v);
    lmb_status status = check_drivers(s, true);
    if (status)
        return status;
    for (int i = 0; i < m->initial_count; i++) {
        const lmb_initial *x = &m->initials[i];
        const lmb_coordinate *c = &m->parts.coordinates[x->coordinate];
        if (!x->rate || !holds(s->state, x))
            continue;
        double length = c->kind == LMB_COORDINATE_ANGLE ? m->length : 1;
        double change = lmb_coordinate_rate(s->state, c) - x->value;
        if (fabs(change) * length <= contradictory * fmax(size, length * fabs(x->value)))
            continue;
        lmb_fail(s->context, LMB_SOLVER,
                 "the initial value of '%s' is inconsistent with the drivers: it would have to "
                 "change by %g, to %.10g",
                 x->name, change, x->value + change);
        return lmb_hint(s->context, "the drivers determine it: remove it from 'initial'");
    }
    return LMB_OK;
}
