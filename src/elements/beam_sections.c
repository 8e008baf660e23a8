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

/* The weight of an element in the section state of its node i. */
static double share(const lmb_exact_beam *b, int e, int i)
{
    int n = b->element_count, other = i == 0 ? e - 1 : i == b->order ? e + 1 : e;
    if (b->closed)
        other = (other + n) % n;
    if (other == e && i % b->order == 0) /* a ring of one element */
        return 0.5;
    if (other == e || other < 0 || other >= n)
        return 1;
    if (corner_between(b, i == 0 ? other : e, i == 0 ? e : other))
        return i == 0;
    return b->lengths[other] / (b->lengths[other] + b->lengths[e]);
}

/* Adds the points of an element with the values of its polynomial at x, times a factor. */
static int add_element(const lmb_exact_beam *b, int e, double x, double factor,
                       lmb_section_part *parts)
{
    double L[LMB_BEAM_HIGHEST_ORDER];
    gauss_shapes(b->order, x, L);
    for (int k = 0; k < b->order; k++)
        parts[k] = (lmb_section_part){e, k, factor * L[k]};
    return b->order;
}

/* Continues the line through the points of two elements of order 1 to the end of the first. */
static int continue_line(const lmb_exact_beam *b, int end, int next, lmb_section_part *parts)
{
    double slope = b->lengths[end] / (b->lengths[end] + b->lengths[next]);
    parts[0] = (lmb_section_part){end, 0, 1 + slope};
    parts[1] = (lmb_section_part){next, 0, -slope};
    return 2;
}

int lmb_beam_node_parts(const lmb_exact_beam *b, int node, lmb_section_part *parts)
{
    int n = b->element_count, p = b->order, count = 0;
    bool ends = p == 1 && !b->closed && n > 1;
    if (ends && node == 0 && !corner_between(b, 0, 1))
        return continue_line(b, 0, 1, parts);
    if (ends && node == n && !corner_between(b, n - 2, n - 1))
        return continue_line(b, n - 1, n - 2, parts);
    int after = node / p, before = node % p ? -1 : after == 0 && b->closed ? n - 1 : after - 1;
    if (before >= 0)
        count = add_element(b, before, 1, share(b, before, p), parts);
    if (after < n)
        count += add_element(b, after, lmb_lobatto_points[p][node % p], share(b, after, node % p),
                             parts + count);
    return count;
}

/* The points of Gauss of the last two elements that were asked for. */
typedef struct recent {
    int element[2];
    lmb_beam_section_state points[2][LMB_BEAM_HIGHEST_ORDER];
} recent;

static void add_parts(const lmb_exact_beam *b, const lmb_section_part *parts, int count,
                      const double *q, const double *v, recent *r, lmb_beam_section_state *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count; i++) {
        int e = parts[i].element, slot = e % 2;
        if (r->element[slot] != e)
            find_points(b, e, q, v, r->points[slot]);
        r->element[slot] = e;
        add(out, parts[i].factor, &r->points[slot][parts[i].point]);
    }
}

void lmb_beam_section_evaluate(const lmb_exact_beam *b, const lmb_section_part *parts, int count,
                               const double *q, const double *v, lmb_beam_section_state *out)
{
    recent r = {.element = {-1, -1}};
    add_parts(b, parts, count, q, v, &r, out);
}

void lmb_beam_sections(const lmb_exact_beam *b, const double *q, const double *v,
                       lmb_beam_section_state *out)
{
    recent r = {.element = {-1, -1}};
    for (int i = 0; i < b->node_count; i++) {
        lmb_section_part parts[LMB_SECTION_PARTS];
        add_parts(b, parts, lmb_beam_node_parts(b, i, parts), q, v, &r, &out[i]);
    }
}

/* From the axes of the section to those of the frame. */
static lmb_strain turn_back(const mat3 *Q, const lmb_strain *x)
{
    return Q ? (lmb_strain){m3_mul(Q, x->gamma), m3_mul(Q, x->kappa)} : *x;
}

static double dot(const lmb_strain *x, const lmb_strain *y)
{
    return v3_dot(x->gamma, y->gamma) + v3_dot(x->kappa, y->kappa);
}

void lmb_beam_section_slopes(const lmb_exact_beam *b, const lmb_section_part *parts, int count,
                             const double *q, const double *v, const lmb_beam_section_state *w,
                             double *by_q, double *by_v)
{
    const lmb_beam_kind *kind = b->dimension == 2 ? &lmb_beam_plane : &lmb_beam_space;
    lmb_beam_section_state dq[6 * LMB_BEAM_NODES], dv[6 * LMB_BEAM_NODES];
    for (int i = 0; i < count; i++) {
        int e = parts[i].element, k = parts[i].point;
        const mat3 *Q = b->section_axes ? &b->section_axes[e * b->order + k] : NULL;
        lmb_strain strain = turn_back(Q, &w->strain), rate = turn_back(Q, &w->rate),
                   force = turn_back(Q, &w->force);
        lmb_beam_state s = state_of(b, e, q, v);
        kind->section_columns(&b->elements[e], &s, k, dq, dv);
        for (int j = 0; j < kind->size * (b->order + 1); j++) {
            int to = kind->size * lmb_exact_beam_node(b, e, j / kind->size) + j % kind->size;
            by_q[to] += parts[i].factor * (dot(&strain, &dq[j].strain) + dot(&rate, &dq[j].rate) +
                                           dot(&force, &dq[j].force));
            by_v[to] += parts[i].factor * (dot(&rate, &dv[j].rate) + dot(&force, &dv[j].force));
        }
    }
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

int lmb_beam_probe_parts(const lmb_exact_beam *b, const lmb_beam_probe *probe,
                         lmb_section_part *parts)
{
    int e = probe->element;
    double x = probe->x;
    if (fabs(x) == 1)
        return lmb_beam_node_parts(b, lmb_exact_beam_node(b, e, x > 0 ? b->order : 0), parts);
    if (b->order > 1)
        return add_element(b, e, x, 1, parts);
    bool last = x > 0;
    if (at_corner(b, e, last))
        last = !last;
    double part = at_corner(b, e, last) ? 0 : last ? x : -x;
    int count = lmb_beam_node_parts(b, lmb_exact_beam_node(b, e, last), parts);
    for (int i = 0; i < count; i++)
        parts[i].factor *= part;
    parts[count] = (lmb_section_part){e, 0, 1 - part};
    return count + 1;
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
