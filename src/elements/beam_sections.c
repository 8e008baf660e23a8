/* Strains and section forces of an exact beam at its nodes. */
#include "elements/beam_sections.h"

#include <math.h>
#include <string.h>

#include "frames/node.h"

static lmb_beam_state state_of(const lmb_exact_beam *b, int e, const double *q, const double *v)
{
    bool plane = b->dimension == 2;
    lmb_beam_state s = {{0}, {0}};
    for (int i = 0; i <= b->order; i++) {
        int node = lmb_exact_beam_node(b, e, i);
        s.q[i] = q + node * (plane ? 3 : 7);
        s.v[i] = v ? v + node * (plane ? 3 : 6) : NULL;
    }
    return s;
}

/* --- sums of states --------------------------------------------------------------------------- */

static void add_strain(lmb_strain *sum, double factor, const lmb_strain *x)
{
    sum->gamma = v3_axpy(sum->gamma, factor, x->gamma);
    sum->kappa = v3_axpy(sum->kappa, factor, x->kappa);
}

static void add(lmb_beam_section_state *sum, double factor, const lmb_beam_section_state *x)
{
    add_strain(&sum->strain, factor, &x->strain);
    add_strain(&sum->rate, factor, &x->rate);
    add_strain(&sum->force, factor, &x->force);
}

/* The values at x in -1 ... 1 of Lagrange's functions of the points of Gauss. */
static void gauss_shapes(int order, double x, double L[LMB_BEAM_HIGHEST_ORDER])
{
    const double *at = lmb_gauss_points[order];
    for (int k = 0; k < order; k++) {
        L[k] = 1;
        for (int j = 0; j < order; j++)
            if (j != k)
                L[k] *= (x - at[j]) / (at[k] - at[j]);
    }
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* From the axes of the frame to those of the section Q. */
static void turn(const mat3 *Q, lmb_strain *x)
{
    *x = (lmb_strain){m3_tmul(Q, x->gamma), m3_tmul(Q, x->kappa)};
}

/* Those of the points of Gauss of an element, as many as its order. */
static void find_points(const lmb_exact_beam *b, int e, const double *q, const double *v,
                        lmb_beam_section_state *points)
{
    const lmb_beam_kind *kind = b->dimension == 2 ? &lmb_beam_plane : &lmb_beam_space;
    lmb_beam_state s = state_of(b, e, q, v);
    for (int k = 0; k < b->order; k++) {
        kind->section(&b->elements[e], &s, k, &points[k]);
        if (b->section_axes) {
            const mat3 *Q = &b->section_axes[e * b->order + k];
            turn(Q, &points[k].strain);
            turn(Q, &points[k].rate);
            turn(Q, &points[k].force);
        }
    }
}

/* Whether the axes of sections jump from an element to the next one. */
static bool corner_between(const lmb_exact_beam *b, int e, int next)
{
    if (!b->section_axes)
        return false;
    const mat3 *P = &b->section_axes[(e + 1) * b->order - 1],
               *Q = &b->section_axes[next * b->order];
    return v3_norm(v3_sub(P->c[0], Q->c[0])) > 1e-9;
}

/* The part that an element has in what its node i is told to have. */
static double share(const lmb_exact_beam *b, int e, int i)
{
    int n = b->element_count, other = i == 0 ? e - 1 : i == b->order ? e + 1 : e;
    if (b->closed)
        other = (other + n) % n;
    if (other == e || other < 0 || other >= n)
        return 1;
    if (corner_between(b, i == 0 ? other : e, i == 0 ? e : other))
        return i == 0;
    return b->lengths[other] / (b->lengths[other] + b->lengths[e]);
}

/* Continues the line through the points of two elements of order 1 to the end of the first. */
static void continue_line(const lmb_exact_beam *b, int end, int next, const double *q,
                          const double *v, lmb_beam_section_state *out)
{
    lmb_beam_section_state x, y;
    double slope = b->lengths[end] / (b->lengths[end] + b->lengths[next]);
    find_points(b, end, q, v, &x);
    find_points(b, next, q, v, &y);
    memset(out, 0, sizeof *out);
    add(out, 1 + slope, &x);
    add(out, -slope, &y);
}

void lmb_beam_sections(const lmb_exact_beam *b, const double *q, const double *v,
                       lmb_beam_section_state *out)
{
    int n = b->element_count;
    memset(out, 0, (size_t)b->node_count * sizeof *out);
    for (int e = 0; e < n; e++) {
        lmb_beam_section_state points[LMB_BEAM_HIGHEST_ORDER];
        find_points(b, e, q, v, points);
        for (int i = 0; i <= b->order; i++) {
            double L[LMB_BEAM_HIGHEST_ORDER], part = share(b, e, i);
            gauss_shapes(b->order, lmb_lobatto_points[b->order][i], L);
            for (int k = 0; k < b->order; k++)
                add(&out[lmb_exact_beam_node(b, e, i)], part * L[k], &points[k]);
        }
    }
    bool ends = b->order == 1 && !b->closed && n > 1;
    if (ends && !corner_between(b, 0, 1))
        continue_line(b, 0, 1, q, v, &out[0]);
    if (ends && !corner_between(b, n - 2, n - 1))
        continue_line(b, n - 1, n - 2, q, v, &out[b->node_count - 1]);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* What is largest where the turn between two nodes is: |angle|, or 1 - |p . q| = 1 - cos(angle / 2)
 * of quaternions. */
static double turn_measure(const lmb_exact_beam *b, const double *p, const double *q)
{
    if (b->dimension == 2)
        return fabs(q[0] - p[0]);
    return 1 - fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
}

double lmb_beam_largest_turn(const lmb_exact_beam *b, const double *turns, int stride, int *element)
{
    double largest = 0;
    *element = 0;
    for (int e = 0; e < b->element_count; e++)
        for (int i = 1; i <= b->order; i++) {
            const double *from = turns + stride * lmb_exact_beam_node(b, e, 0);
            double turn = turn_measure(b, from, turns + stride * lmb_exact_beam_node(b, e, i));
            if (turn > largest) {
                largest = turn;
                *element = e;
            }
        }
    return b->dimension == 2 ? largest : 2 * acos(1 - largest);
}
