/* Stiffness of bodies of several nodes as a metric. */
#include "analysis/elastic_metric.h"

#include "system/whole.h"

/* The largest number of K in the metric of the model. */
static double size_of(const lmb_model *m, const double *K)
{
    double size = 0;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *o = &m->couples[c];
        for (int j = 0; j < o->column_nv; j++)
            for (int i = 0; i < o->row_nv; i++)
                size = fmax(size,
                            fabs(K[o->value + j * o->row_nv + i]) /
                                (m->columns[o->row_v + i].size * m->columns[o->column_v + j].size));
    }
    return size;
}

void lmb_elastic_metric(lmb_extended *e, const lmb_solver *s, const double *rest, double *force)
{
    const double stiff = 1e10;
    const lmb_model *m = s->state->model;
    lmb_whole_stiffness(s->state, rest, e->H, force);
    double size = size_of(m, e->H), kappa = size > 0 ? stiff / size : 0;
    for (int i = 0; i < m->couple_values; i++)
        e->H[i] *= kappa;
    for (int j = 0; j < m->nv; j++)
        force[j] *= kappa;
}
