/* First-order states that follow from positions and velocities. */
#include "system/first_order.h"

#include <string.h>

#include "math/late.h"
#include "system/equations.h"

lmb_first_order_tangent lmb_first_order_tangent_of(const lmb_state *s, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    size_t nv = (size_t)b->nv, nz = (size_t)b->nz;
    lmb_first_order_tangent t = {.by_q = s->first_order};
    t.by_v = t.by_q + nz * nv;
    t.by_z = t.by_v + nz * nv;
    t.force_by_z = t.by_z + nz * nz;
    b->ops->states->rate_tangent(&s->bodies[body], t.by_q, t.by_v, t.by_z);
    b->ops->states->force_by_z(&s->bodies[body], t.force_by_z);
    return t;
}

/* Solves (r - f_z) x = x for `count` columns; false if that is singular. f_z is overwritten. */
static bool solve(const lmb_state *s, int nz, double r, double *by_z, int count, double *x)
{
    for (int k = 0; k < nz * nz; k++)
        by_z[k] = (k % (nz + 1) == 0 ? r : 0) - by_z[k];
    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, nz, count, by_z, nz, s->first_order_pivots, x,
                              nz) == 0;
}

/* One step of Newton's method for one body; its size and that of z. */
static bool newton_step(lmb_state *s, int body, double r, const double *c, double *size,
                        double *largest)
{
    const lmb_body *b = &s->model->bodies[body];
    double *z = s->z + b->z;
    lmb_first_order_tangent t = lmb_first_order_tangent_of(s, body);
    double *x = t.by_q; /* not needed here */
    b->ops->states->rate(&s->bodies[body], x);
    for (int i = 0; i < b->nz; i++)
        x[i] -= r == 0 ? 0 : r * (z[i] - c[b->z + i]);
    if (!solve(s, b->nz, r, t.by_z, 1, x))
        return false;
    *size = *largest = 0;
    for (int i = 0; i < b->nz; i++) {
        z[i] += x[i];
        *size = fmax(*size, fabs(x[i]));
        *largest = fmax(*largest, fabs(z[i]));
    }
    return isfinite(*size);
}

bool lmb_first_order_settle(lmb_state *s, double r, const double *c)
{
    enum { MOST_ITERATIONS = 30 };
    for (int i = 0; i < s->model->body_count && s->model->nz; i++) {
        double before = INFINITY, size = 0, largest = 0;
        bool settled = s->model->bodies[i].nz == 0;
        for (int k = 0; k < MOST_ITERATIONS && !settled; k++, before = size) {
            if (!newton_step(s, i, r, c, &size, &largest))
                return false;
            /* to rounding, or as good as rounding allows */
            settled = size <= 1e-15 * largest || (size >= before / 2 && size <= 1e-10 * largest);
        }
        if (!settled)
            return false;
    }
    return true;
}

void lmb_first_order_add_tangent(const lmb_state *s, double r)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->body_count && m->nz; i++) {
        const lmb_body *b = &m->bodies[i];
        if (b->nz == 0)
            continue;
        lmb_first_order_tangent t = lmb_first_order_tangent_of(s, i);
        if (!solve(s, b->nz, r, t.by_z, 2 * b->nv, t.by_q)) /* by_v follows it */
            continue; /* the iteration that this is for finds out */
        double *column = t.force_by_z + b->nv * b->nz;
        for (int j = 0; j < 2 * b->nv; j++) {
            memset(column, 0, (size_t)b->nv * sizeof *column);
            for (int k = 0; k < b->nz; k++)
                for (int l = 0; l < b->nv; l++)
                    column[l] += t.force_by_z[k * b->nv + l] * t.by_q[j * b->nz + k];
            lmb_add_tangent_column(m, b->v, b->nv, b->v + j % b->nv, -1, column,
                                   j < b->nv ? s->tangent_q : s->tangent_v);
        }
    }
}
