/* Strains and section forces of an exact beam at its nodes and between them. */
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

/* --- between nodes ---------------------------------------------------------------------------- */

static lmb_frame plane_frame(int count, const double *N, const lmb_beam_state *s, double winding)
{
    double q[3] = {0, 0, N[count - 1] * winding};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            q[k] += N[i] * s->q[i][k];
    return lmb_plane_pose(q);
}

static lmb_frame space_frame(int count, const double *N, const lmb_beam_state *s)
{
    quat middle = node_quat(s->q[(count - 1) / 2]), back = quat_conjugate(middle);
    vec3 x = v3(0, 0, 0), psi = x;
    for (int i = 0; i < count; i++) {
        x = v3_axpy(x, N[i], v3_of(s->q[i]));
        psi = v3_axpy(psi, N[i], quat_log(quat_mul(back, node_quat(s->q[i]))));
    }
    mat3 R = quat_matrix(quat_mul(middle, quat_exp(psi)));
    return frame_with_axes(x, &R);
}

lmb_frame lmb_beam_frame_at(const lmb_exact_beam *b, int e, double x, const double *q)
{
    double N[LMB_BEAM_NODES], dN[LMB_BEAM_NODES];
    lmb_beam_state s = state_of(b, e, q, NULL);
    lmb_beam_shapes(b->order, x, N, dN);
    return b->dimension == 2 ? plane_frame(b->order + 1, N, &s, b->elements[e].winding)
                             : space_frame(b->order + 1, N, &s);
}

/* Whether there is a corner at the first or the last node of an element. */
static bool at_corner(const lmb_exact_beam *b, int e, bool last)
{
    int n = b->element_count, other = last ? e + 1 : e - 1;
    if (b->closed)
        other = (other + n) % n;
    return other >= 0 && other < n && corner_between(b, last ? e : other, last ? other : e);
}

/* Order 1: the line through the middle of the element and one of its nodes, away from corners. */
static void along_line(const lmb_exact_beam *b, int e, double x,
                       const lmb_beam_section_state *middle, const lmb_beam_section_state *nodes,
                       lmb_beam_section_state *out)
{
    bool last = x > 0;
    if (at_corner(b, e, last))
        last = !last;
    double part = at_corner(b, e, last) ? 0 : last ? x : -x;
    add(out, 1 - part, middle);
    add(out, part, &nodes[lmb_exact_beam_node(b, e, last)]);
}

void lmb_beam_probe_section(const lmb_exact_beam *b, const lmb_beam_probe *probe, const double *q,
                            const double *v, const lmb_beam_section_state *nodes,
                            lmb_beam_section_state *out)
{
    int e = probe->element;
    double x = probe->x, L[LMB_BEAM_HIGHEST_ORDER];
    lmb_beam_section_state points[LMB_BEAM_HIGHEST_ORDER];
    if (fabs(x) == 1) {
        *out = nodes[lmb_exact_beam_node(b, e, x > 0 ? b->order : 0)];
        return;
    }
    memset(out, 0, sizeof *out);
    find_points(b, e, q, v, points);
    gauss_shapes(b->order, x, L);
    for (int k = 0; k < b->order && b->order > 1; k++)
        add(out, L[k], &points[k]);
    if (b->order == 1)
        along_line(b, e, x, points, nodes, out);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* What is largest where the turn between two nodes is: |angle|, or 1 - |p . q| = 1 - cos(angle / 2)
 * of quaternions. */
static double turn_measure(const lmb_exact_beam *b, const double *p, const double *q,
                           double winding)
{
    if (b->dimension == 2)
        return fabs(q[0] + winding - p[0]);
    return 1 - fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
}

double lmb_beam_largest_turn(const lmb_exact_beam *b, const double *turns, int stride, int *element)
{
    double largest = 0;
    *element = 0;
    for (int e = 0; e < b->element_count; e++)
        for (int i = 1; i <= b->order; i++) {
            const double *from = turns + stride * lmb_exact_beam_node(b, e, 0);
            double turn = turn_measure(b, from, turns + stride * lmb_exact_beam_node(b, e, i),
                                       i == b->order ? b->elements[e].winding : 0);
            if (turn > largest) {
                largest = turn;
                *element = e;
            }
        }
    return b->dimension == 2 ? largest : 2 * acos(1 - largest);
}
