/* The matrix of a step of the generalized-alpha method (alpha.c has the equation): its numbers, and
 * when they are computed anew. */
#include "integrate/alpha_internal.h"

#include <string.h>

#include "system/first_order.h"

/* gamma h C + beta h^2 K T of one couple. */
static void set_couple(lmb_alpha *a, const lmb_state *s, const lmb_couple *c, double h)
{
    const lmb_model *m = a->model;
    const lmb_cluster *column = &m->clusters[c->column];
    double *K = s->tangent_q + c->value, *C = s->tangent_v + c->value;
    double bh2 = a->beta * h * h, gh = a->gamma * h, *out = a->tangent + c->value;
    for (int k = column->node; k < column->node + column->node_count; k++)
        for (int i = 0; lmb_node_turns(&m->nodes[k]) && i < c->row_nv; i++)
            lmb_node_times_tangent(a->T + LMB_TURN_NUMBERS * k,
                                   K + (m->nodes[k].v - c->column_v) * c->row_nv + i, c->row_nv);
    for (int k = 0; k < c->row_nv * c->column_nv; k++)
        out[k] = bh2 * K[k] + gh * C[k];
}

/* The tangent operators T of all nodes that turn. */
static void set_operators(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    for (int i = 0; i < m->node_count; i++)
        if (lmb_node_turns(&m->nodes[i]))
            lmb_node_tangent(&m->nodes[i], a->psi + m->nodes[i].v, a->T + LMB_TURN_NUMBERS * i);
}

/* From the diagonal. */
static void find_stiffness(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    double largest = 0;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        const double *tangent = a->tangent + m->couples[c->couple].value;
        for (int j = 0; j < c->nv; j++, tangent += c->nv + 1) {
            double per_unit = a->per_unit[c->v + j];
            largest = larger(largest, fabs(*tangent) * per_unit * per_unit);
        }
    }
    a->stiffness = largest;
}

/* The same for a displacement of zero: T = 1. */
static void set_no_operators(lmb_alpha *a)
{
    memset(a->T, 0, LMB_TURN_NUMBERS * (size_t)a->model->node_count * sizeof *a->T);
    for (int i = 0; i < a->model->node_count; i++)
        for (int j = 0; j < LMB_TURN_COUNT; j++)
            a->T[LMB_TURN_NUMBERS * i + j * (LMB_TURN_COUNT + 1)] = 1;
}

/* gamma h C + beta h^2 K T at the present state. */
static void renew_tangent(lmb_alpha *a, lmb_state *s, double h)
{
    lmb_tangent_blocks(s);
    lmb_first_order_add_tangent(s, a->r);
    for (int c = 0; c < a->model->couple_count; c++)
        set_couple(a, s, &a->model->couples[c], h);
    find_stiffness(a);
}

/* What all matrices have in common. */
static lmb_saddle_matrix start_matrix(const lmb_alpha *a, const lmb_state *s)
{
    double heaviest = a->model->heaviest, least = a->redundant ? 1e-7 : 1e-10;
    return (lmb_saddle_matrix){
        .state = s,
        .mass = a->mass,
        .mass_factor = (1 - a->am) / (1 - a->af),
        .tangent = a->tangent,
        .T = a->T,
        .epsilon = (a->penalty > 0 ? 1 / a->penalty : least) / heaviest,
        .rate_epsilon = a->redundant ? 1e-3 / heaviest : 0, /* positions come first */
    };
}

bool lmb_alpha_factor(lmb_alpha *a, lmb_state *s, double h, bool tangent_too)
{
    lmb_mass_blocks(s, a->mass);
    lmb_jacobian(s);
    set_operators(a);
    if (tangent_too)
        renew_tangent(a, s, h);
    if (a->rates)
        lmb_rate_tangent_blocks(s, a->rates);
    lmb_saddle_matrix matrix = start_matrix(a, s);
    matrix.rates = a->rates;
    matrix.rate_factor = a->beta * h / a->gamma;
    return lmb_saddle_factor(a->saddle, &matrix);
}

bool lmb_alpha_factor_projection(lmb_alpha *a, lmb_state *s, double h)
{
    lmb_mass_blocks(s, a->mass);
    lmb_jacobian(s);
    set_no_operators(a);
    if (!a->projector) {
        renew_tangent(a, s, h);
    } else if (a->model->input_count > 0) {
        lmb_tangent_blocks(s); /* for dQ/dlambda */
    }
    lmb_saddle_matrix matrix = start_matrix(a, s);
    if (!a->projector)
        return lmb_saddle_factor(a->saddle, &matrix);
    matrix.tangent = a->no_tangent;
    return lmb_saddle_factor(a->projector, &matrix);
}

/* With modes a new matrix costs more than a second iteration. With many modes it costs more than
 * several: those that it would save are counted, and it is renewed when they have cost as much as
 * it does, or when they get slow. */
static bool worth_keeping(lmb_alpha *a, int iterations, lmb_alpha_renewal last)
{
    const double many = 5, slow = 0.3, quick = 0.01;
    if (last != LMB_ALPHA_KEEP)
        a->spent = 0;
    a->spent += iterations - (last != LMB_ALPHA_KEEP ? 2 : 1);
    return a->cost > many ? a->rate[0] < slow && a->spent < a->cost
                          : a->rate[0] < quick && iterations == 2;
}

/* Where the tangent turns with the bodies (stiff beams), rows alone do not help: after two such
 * steps all is renewed, and the rows alone are tried again now and then. */
lmb_alpha_renewal lmb_alpha_next_renewal(lmb_alpha *a, int iterations, lmb_alpha_renewal first,
                                         lmb_alpha_renewal last)
{
    enum { ENOUGH = 2, AGAIN = 100 };
    if (iterations == 1 || (a->model->mode_count > 0 && worth_keeping(a, iterations, last)))
        return LMB_ALPHA_KEEP;
    if (first == LMB_ALPHA_ROWS && a->coupled)
        a->in_vain = last == LMB_ALPHA_ALL ? a->in_vain + 1 : 0;
    else if (a->in_vain >= ENOUGH && ++a->in_vain >= AGAIN)
        a->in_vain = ENOUGH - 1;
    if (a->in_vain >= ENOUGH)
        return LMB_ALPHA_ALL;
    return last == LMB_ALPHA_ROWS && a->rate[1] > 0.05
               ? LMB_ALPHA_ALL /* the tangent has changed too */
               : LMB_ALPHA_ROWS;
}
