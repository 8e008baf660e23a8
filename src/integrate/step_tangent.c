/* First derivatives of a step and what follows it. */
#include "integrate/step_tangent.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "integrate/ali3p.h"

static bool is_ali3p(const lmb_integration *o)
{
    return o->integrator->variant == LMB_ALPHA_ALI3P;
}

const char *lmb_step_stays_forward(const lmb_model *m, const lmb_integration *o)
{
    return is_ali3p(o) ? lmb_ali3p_stays_forward(m, o->projection) : NULL;
}

lmb_step_tangent *lmb_step_tangent_new(const lmb_model *m, const lmb_integration *o,
                                       lmb_saddle_choice choice)
{
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    lmb_step_tangent *t = lmb_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    bool projects = is_ali3p(o) && o->projection != LMB_PROJECT_NONE;
    t->model = m;
    t->adjusts = !is_ali3p(o);
    t->loads = (projects ? 3 : 1) * (nv + rows);
    t->stars = projects ? 2 * nv + rows : 0;
    t->inertia = lmb_calloc(nv + 1, sizeof *t->inertia);
    t->alpha = lmb_alpha_tangent_new(m, (lmb_alpha_method)o->integrator->variant,
                                     is_ali3p(o) ? 1 : o->spectral_radius, choice);
    if (projects)
        t->projection = lmb_ali3p_tangent_new(m, o->projection, choice);
    if (t->inertia && t->alpha && (t->projection || !projects))
        return t;
    lmb_step_tangent_free(t);
    return NULL;
}

void lmb_step_tangent_free(lmb_step_tangent *t)
{
    if (!t)
        return;
    lmb_alpha_tangent_free(t->alpha);
    lmb_ali3p_tangent_free(t->projection);
    free(t->inertia);
    free(t);
}

void lmb_step_tangent_keep(const lmb_step_tangent *t, const lmb_motion *m, double *star)
{
    if (t->projection)
        lmb_ali3p_star(m->method, star);
}

bool lmb_step_tangent_take(lmb_step_tangent *t, lmb_state *s, const double *q0, const double *star,
                           double h, bool redundant)
{
    t->found = t->projection ? lmb_ali3p_tangent_star(t->projection) : s;
    if (t->projection && !lmb_ali3p_tangent_take(t->projection, s, star, h, redundant))
        return false;
    return lmb_alpha_tangent_take(t->alpha, t->found, q0, h, redundant);
}

/* The load of the projections, which stands behind that of the step itself. */
static size_t second_load(const lmb_step_tangent *t)
{
    return (size_t)t->model->nv + (size_t)t->model->nrows;
}

void lmb_step_tangent_forward(lmb_step_tangent *t, const double *load, double *change,
                              double *lambda)
{
    lmb_alpha_tangent_forward(t->alpha, load, change, lambda);
    if (t->projection)
        lmb_ali3p_tangent_forward(t->projection, load ? load + second_load(t) : NULL, change,
                                  lambda);
}

size_t lmb_step_tangent_room(const lmb_step_tangent *t, int count)
{
    return t->projection ? 0 : lmb_alpha_tangent_room(t->model, count);
}

void lmb_step_tangent_forward_all(lmb_step_tangent *t, int count, const double *loads,
                                  double *const *changes, double *const *lambdas, double *room)
{
    if (!t->projection) {
        lmb_alpha_tangent_forward_all(t->alpha, count, loads, changes, lambdas, room);
        return;
    }
    for (int i = 0; i < count; i++)
        lmb_step_tangent_forward(t, loads + (size_t)i * t->loads, changes[i], lambdas[i]);
}

void lmb_step_tangent_backward(lmb_step_tangent *t, double *change, const double *lambda,
                               double *load)
{
    if (t->projection)
        lmb_ali3p_tangent_backward(t->projection, change, lambda, load + second_load(t));
    lmb_alpha_tangent_backward(t->alpha, change, lambda, load);
}

void lmb_residual(const lmb_state *s, double *room, double *out)
{
    const lmb_model *m = s->model;
    double *rows = out + m->nv;
    lmb_total_force(s, out);
    lmb_reactions_subtract(s, s->lambda, out);
    lmb_mass_times(s, s->a, room);
    for (int i = 0; i < m->nv; i++)
        out[i] = room[i] - out[i];
    lmb_constraints(s, rows);
    for (int r = 0; r < m->nrows; r++)
        if (m->parts.rows[r].velocity_level)
            rows[r] = lmb_row_rate(s, r) / m->sparse_rows[r].scale;
}

void lmb_step_tangent_residual(const lmb_step_tangent *t, lmb_state *s, double *out)
{
    memcpy(s->q, t->found->q, lmb_motion_numbers(t->model) * sizeof *s->q);
    lmb_update_position(s);
    lmb_update_velocity(s);
    lmb_residual(s, t->inertia, out);
    if (t->projection)
        lmb_ali3p_tangent_residual(t->projection, s, out + second_load(t));
}
