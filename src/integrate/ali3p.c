/* The projections of ALI3-P. x is v or a, and g the right side of its rows, -Phi_t or gamma:
 *
 *   [ P      U   ] [ dx ]   [ 0           ]
 *   [ Phi_q -eps ] [ dy ] = [ g - Phi_q x ],   x += dx,  y += dy
 *
 * P dx + U dy = 0 in each pass, so that x* - x is of the form P^-1 U y after any number of them. */
#include "integrate/ali3p.h"

#include <float.h>
#include <string.h>

#include "integrate/alpha_internal.h"

const double lmb_ali3p_penalty = 1e7;

/* The factorised matrix of the projections. */
static lmb_saddle *projector_of(const lmb_alpha *a)
{
    return a->projector ? a->projector : a->saddle;
}

/* a->phi = g - Phi_q x; returns the largest of its rows that act, in lengths, as a part of the
 * largest number that it is the difference of. */
static double find_defect(lmb_alpha *a, const lmb_state *s, const double *x, const double *g)
{
    const lmb_model *m = a->model;
    double largest = 0, size = DBL_MIN;
    lmb_jacobian_times(s, x, a->phi);
    for (int i = 0; i < m->nv; i++)
        size = larger(size, m->columns[i].size * fabs(x[i]));
    for (int r = 0; r < m->nrows; r++) {
        double scale = s->row_off[r] ? 0 : m->sparse_rows[r].scale;
        size = larger(size, scale * fabs(g[r]));
        a->phi[r] = g[r] - a->phi[r];
        double part = scale * fabs(a->phi[r]);
        largest = part <= largest ? largest : part; /* NaN is kept */
    }
    return largest / size;
}

/* Moves x so that Phi_q x = g, and adds the multipliers to y; NULL: they are not needed. Ends where
 * a pass does not help any more. False: a number is not finite. */
static bool project(lmb_alpha *a, const lmb_state *s, double *x, const double *g, double *y)
{
    enum { MOST_PASSES = 30 };
    const lmb_model *m = a->model;
    double defect = find_defect(a, s, x, g), before = INFINITY;
    for (int i = 0; i < MOST_PASSES && defect > DBL_EPSILON && defect < before / 2; i++) {
        lmb_saddle_step(projector_of(a), NULL, a->phi, a->change, a->rows);
        for (int j = 0; j < m->nv; j++)
            x[j] += a->change[j];
        for (int r = 0; r < m->nrows && y; r++)
            y[r] += a->rows[r];
        before = defect;
        defect = find_defect(a, s, x, g);
    }
    return isfinite(defect);
}

/* force -= U y. */
static void subtract_U(lmb_state *s, const double *y, double *force)
{
    double *jacobian = s->jacobian;
    lmb_jacobian_transposed_subtract(s, y, force);
    s->jacobian = s->tangent_lambda; /* the same pattern */
    lmb_jacobian_transposed_subtract(s, y, force);
    s->jacobian = jacobian;
}

/* Where rows repeat others, takes out of lambda what does nothing, U y = 0: it is the answer of the
 * matrix to the forces of lambda, which such y have no part in. lambda* loses the same. */
static void remove_idle_part(lmb_alpha *a, lmb_state *s)
{
    const lmb_model *m = a->model;
    double *force = a->side, *y = a->side + m->nv;
    memset(a->side, 0, (size_t)(m->nv + m->nrows) * sizeof *force);
    subtract_U(s, s->lambda, force);
    lmb_saddle_refined(projector_of(a), a->side, 1e-12);
    for (int r = 0; r < m->nrows; r++) {
        double active = -m->sparse_rows[r].scale * y[r];
        a->star_lambda[r] += active - s->lambda[r];
        s->lambda[r] = active;
    }
}

/* The second and third stage; v, a and lambda of the state are then v*, a* and lambda* no more. */
static bool project_rates(lmb_alpha *a, lmb_state *s, double h)
{
    double *g = a->side;
    lmb_update_position(s);
    lmb_update_rates(s);
    if (!lmb_alpha_factor_projection(a, s, h))
        return false;
    lmb_velocity_side(s, g);
    if (!project(a, s, s->v, g, NULL))
        return false;
    lmb_update_velocity(s);
    lmb_acceleration_side(s, g);
    if (!project(a, s, s->a, g, s->lambda))
        return false;
    if (a->redundant)
        remove_idle_part(a, s);
    return true;
}

bool lmb_ali3p_step(lmb_alpha *a, lmb_state *s, double h, lmb_effort_count *count)
{
    enum { MANY = 4 }; /* iterations with a kept matrix: a new one costs less */
    double t = s->t;
    long iterations = count->iterations;
    size_t nv = (size_t)a->model->nv, rows = (size_t)a->model->nrows;
    if (!lmb_alpha_step(a, s, h, count))
        return false;
    memcpy(a->star_v, s->v, nv * sizeof(double));
    memcpy(a->star_a, s->a, nv * sizeof(double));
    memcpy(a->star_lambda, s->lambda, rows * sizeof(double));
    if (!lmb_ali3p_projects(a)) {
        lmb_update_position(s);
        lmb_update_velocity(s);
        return true;
    }
    count->factorisations++;
    if (!project_rates(a, s, h)) {
        lmb_alpha_forget(a);
        lmb_alpha_take_back(a, s, t);
        return false;
    }
    memcpy(a->alpha, s->a, nv * sizeof(double));
    if (!a->projector && count->iterations - iterations <= MANY)
        a->renewal = LMB_ALPHA_KEEP; /* that of the projection is newer */
    return true;
}

void lmb_ali3p_star(const lmb_alpha *a, double *out)
{
    size_t nv = (size_t)a->model->nv, rows = (size_t)a->model->nrows;
    memcpy(out, a->star_v, nv * sizeof *out);
    memcpy(out + nv, a->star_a, nv * sizeof *out);
    memcpy(out + 2 * nv, a->star_lambda, rows * sizeof *out);
}
