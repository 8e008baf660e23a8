/* Joint, modal and body coordinates with their variations, and the choice of independent ones. */
#include "analysis/motion_coordinates.h"

#include <math.h>

#include "math/late.h"
#include "base/text.h"

/* --- the list --------------------------------------------------------------------------------- */

static void add(lmb_motion_coordinates *all, lmb_motion_coordinate one)
{
    all->list[all->count++] = one;
}

/* Those of the joints that act; a length of zero has no direction. */
static void add_joints(lmb_motion_coordinates *all, const lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int j = 0; j < m->joint_count; j++) {
        const lmb_joint *joint = &m->joints[j];
        if (joint->row_count > 0 && s->row_off[joint->row])
            continue;
        for (int i = joint->coordinate; i < joint->coordinate + joint->coordinate_count; i++) {
            const lmb_coordinate *c = &m->parts.coordinates[i];
            bool turns = c->kind == LMB_COORDINATE_ANGLE;
            const lmb_pair *pair = &m->parts.pairs[c->pair];
            if (c->kind == LMB_COORDINATE_LENGTH &&
                lmb_product_value(&c->product, &s->frames[pair->a], &s->frames[pair->b], 0) <
                    1e-12 * m->length * m->length)
                continue;
            add(all, (lmb_motion_coordinate){LMB_MOTION_JOINT, i, 0, j, turns ? m->length : 1});
        }
    }
}

/* Coordinates that are numbers: modal ones, or all others of such nodes. */
static void add_numbers(lmb_motion_coordinates *all, const lmb_model *m, bool modal)
{
    for (int j = 0; j < m->nv; j++)
        if (lmb_column_node(m, j)->kind == LMB_NODE_VECTOR &&
            (m->columns[j].class == LMB_CLASS_MODE) == modal)
            add(all, (lmb_motion_coordinate){modal ? LMB_MOTION_MODE : LMB_MOTION_COLUMN, j, 0, -1,
                                             m->columns[j].size});
}

static void add_bodies(lmb_motion_coordinates *all, const lmb_model *m)
{
    bool plane = m->dimension == 2;
    for (int b = 1; b < m->body_count; b++) {
        for (int k = 0; k < m->dimension; k++)
            add(all, (lmb_motion_coordinate){LMB_MOTION_POSITION, b, k, -1, 1});
        for (int k = plane ? 2 : 0; k < 3 && m->bodies[b].ops->turns; k++)
            add(all, (lmb_motion_coordinate){LMB_MOTION_ROTATION, b, k, -1, m->length});
    }
}

/* Nodes with a frame, besides the first one of their body. */
static void add_nodes(lmb_motion_coordinates *all, const lmb_model *m)
{
    bool plane = m->dimension == 2;
    for (int i = 0; i < m->node_count; i++) {
        if (m->nodes[i].kind == LMB_NODE_VECTOR ||
            &m->nodes[i] == &m->bodies[m->nodes[i].body].nodes[0])
            continue;
        for (int k = 0; k < m->dimension; k++)
            add(all, (lmb_motion_coordinate){LMB_MOTION_NODE, i, k, -1, 1});
        for (int k = plane ? 2 : 0; k < 3; k++)
            add(all, (lmb_motion_coordinate){LMB_MOTION_NODE_TURN, i, k, -1, m->length});
    }
}

bool lmb_motion_coordinates_find(lmb_motion_coordinates *out, lmb_arena *arena, const lmb_state *s,
                                 int observer)
{
    const lmb_model *m = s->model;
    size_t most = (size_t)m->parts.coordinate_count + (size_t)m->nv + 6 * (size_t)m->body_count;
    *out = (lmb_motion_coordinates){.observer = observer,
                                    .list = lmb_arena_alloc(arena, most, sizeof *out->list)};
    if (!out->list)
        return false;
    add_joints(out, s);
    add_numbers(out, m, true);
    add_nodes(out, m);
    add_bodies(out, m);
    add_numbers(out, m, false);
    return true;
}

char *lmb_motion_coordinate_name(lmb_arena *arena, const lmb_model *m,
                                 const lmb_motion_coordinate *c)
{
    char buffer[160];
    switch (c->kind) {
    case LMB_MOTION_JOINT:
        return lmb_text_format(arena, "%s.%s", m->joints[c->joint].name,
                               m->parts.coordinates[c->index].name);
    case LMB_MOTION_POSITION:
        return lmb_text_format(arena, "%s.%c", m->bodies[c->index].name, "xyz"[c->axis]);
    case LMB_MOTION_ROTATION:
        return m->dimension == 2 ? lmb_text_format(arena, "%s.angle", m->bodies[c->index].name)
                                 : lmb_text_format(arena, "%s.rotation_%c",
                                                   m->bodies[c->index].name, "xyz"[c->axis]);
    case LMB_MOTION_NODE:
    case LMB_MOTION_NODE_TURN:
        return lmb_text_format(arena, "%s.%s.%s%c", m->bodies[m->nodes[c->index].body].name,
                               m->nodes[c->index].label ? m->nodes[c->index].label : "node",
                               c->kind == LMB_MOTION_NODE ? "" : "rotation_", "xyz"[c->axis]);
    case LMB_MOTION_MODE:
    case LMB_MOTION_COLUMN:
        break;
    }
    lmb_column_name(m, c->index, buffer, sizeof buffer);
    return lmb_text_format(arena, "%s", buffer);
}

/* --- variations ------------------------------------------------------------------------------- */

/* A cosine e_i . f_j of two frames with its time derivatives. */
static lmb_jet cosine(const lmb_frame_jet *A, const lmb_frame_jet *B, int i, int j)
{
    vec3 e = A->x.e[i], e1 = A->rate.e[i], e2 = A->acceleration.e[i];
    vec3 f = B->x.e[j], f1 = B->rate.e[j], f2 = B->acceleration.e[j];
    return (lmb_jet){v3_dot(e, f), v3_dot(e1, f) + v3_dot(e, f1),
                     v3_dot(e2, f) + 2 * v3_dot(e1, f1) + v3_dot(e, f2)};
}

/* dR R^T = skew(dc): its component along an axis, and the time derivatives of this product. */
static lmb_jet vary_rotation(const lmb_variation *v, int a, int b, int axis)
{
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    lmb_jet sum = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
        lmb_product product = lmb_axes(z, j);
        lmb_jet d = lmb_variation_product(v, &product, a, b);
        lmb_jet R = cosine(&v->at[a], &v->at[b], y, j);
        sum.f += d.f * R.f;
        sum.d += d.d * R.f + d.f * R.d;
        sum.dd += d.dd * R.f + 2 * d.d * R.d + d.f * R.dd;
    }
    return sum;
}

/* d . e with the time derivatives of both: of a change and an axis. */
static lmb_jet along(const vec3 d[3], const vec3 e[3])
{
    return (lmb_jet){v3_dot(d[0], e[0]), v3_dot(d[1], e[0]) + v3_dot(d[0], e[1]),
                     v3_dot(d[2], e[0]) + 2 * v3_dot(d[1], e[1]) + v3_dot(d[0], e[2])};
}

/* The frame of a node with its motion, and how it changes: with w, alpha and their changes in
 * global axes, e' = w x e, e'' = alpha x e + w x e', de = phi x e, dw = phi x w + R d(omega). */
static void node_jets(const lmb_variation *v, int i, lmb_frame_jet *at, lmb_frame_jet *change)
{
    const lmb_state *s = v->state;
    const lmb_node *n = &s->model->nodes[i];
    bool plane = n->kind == LMB_NODE_PLANE;
    static const double none[6];
    bool varied = v->dq != NULL; /* else only the motion itself is asked for */
    const double *x[5] = {s->v + n->v, s->a + n->v, varied ? v->dq + n->v : none,
                          varied ? v->dv + n->v : none, varied ? v->da + n->v : none};
    vec3 p[5], w[5];
    lmb_frame pose = plane ? lmb_plane_pose(s->q + n->q) : lmb_space_pose(s->q + n->q);
    mat3 R = frame_rotation(&pose);
    for (int k = 0; k < 5; k++) {
        p[k] = v3(x[k][0], x[k][1], plane ? 0 : x[k][2]);
        w[k] = m3_mul(&R, plane ? v3(0, 0, x[k][2]) : v3_of(x[k] + 3));
    }
    vec3 dw = v3_add(v3_cross(w[2], w[0]), w[3]), dalpha = v3_add(v3_cross(w[2], w[1]), w[4]);
    *at = (lmb_frame_jet){.x = pose, .rate.p = p[0], .acceleration.p = p[1]};
    *change = (lmb_frame_jet){.x.p = p[2], .rate.p = p[3], .acceleration.p = p[4]};
    for (int j = 0; j < 3; j++) {
        vec3 e = pose.e[j], e1 = v3_cross(w[0], e), d = v3_cross(w[2], e);
        vec3 d1 = v3_add(v3_cross(dw, e), v3_cross(w[0], d));
        at->rate.e[j] = e1;
        at->acceleration.e[j] = v3_add(v3_cross(w[1], e), v3_cross(w[0], e1));
        change->x.e[j] = d;
        change->rate.e[j] = d1;
        change->acceleration.e[j] = v3_add(v3_add(v3_cross(dalpha, e), v3_cross(w[1], d)),
                                           v3_add(v3_cross(dw, e1), v3_cross(w[0], d1)));
    }
}

static lmb_jet jet_sum(lmb_jet a, lmb_jet b)
{
    return (lmb_jet){a.f + b.f, a.d + b.d, a.dd + b.dd};
}

/* The axis of a frame with its time derivatives, or its change. */
#define AXIS(jet, i)                                                                               \
    (vec3[])                                                                                       \
    {                                                                                              \
        (jet).x.e[i], (jet).rate.e[i], (jet).acceleration.e[i]                                     \
    }

/* The change of a node's position or rotation as the first node of its body sees it. */
static lmb_jet vary_node(const lmb_variation *v, const lmb_motion_coordinate *c)
{
    const lmb_model *m = v->state->model;
    const lmb_body *body = &m->bodies[m->nodes[c->index].body];
    int y = (c->axis + 1) % 3, z = (c->axis + 2) % 3;
    lmb_frame_jet A, B, dA, dB;
    node_jets(v, (int)(body->nodes - m->nodes), &A, &dA);
    node_jets(v, c->index, &B, &dB);
    if (c->kind == LMB_MOTION_NODE) {
        vec3 r[3] = {v3_sub(B.x.p, A.x.p), v3_sub(B.rate.p, A.rate.p),
                     v3_sub(B.acceleration.p, A.acceleration.p)};
        vec3 d[3] = {v3_sub(dB.x.p, dA.x.p), v3_sub(dB.rate.p, dA.rate.p),
                     v3_sub(dB.acceleration.p, dA.acceleration.p)};
        return jet_sum(along(d, AXIS(A, c->axis)), along(r, AXIS(dA, c->axis)));
    }
    lmb_jet sum = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
        lmb_jet d = jet_sum(along(AXIS(dA, z), AXIS(B, j)), along(AXIS(A, z), AXIS(dB, j)));
        lmb_jet R = cosine(&A, &B, y, j);
        sum.f += d.f * R.f;
        sum.d += d.d * R.f + d.f * R.d;
        sum.dd += d.dd * R.f + 2 * d.d * R.d + d.f * R.dd;
    }
    return sum;
}

/* How the observer leaves its own motion: along an axis, or turned about it. */
static lmb_jet vary_observer(const lmb_variation *v, int marker, bool turns, int axis)
{
    const lmb_frame_jet *at = &v->at[marker], *d = &v->change[marker];
    int y = (axis + 1) % 3, z = turns ? (axis + 2) % 3 : axis;
    vec3 e[3] = {at->x.e[z], at->rate.e[z], at->acceleration.e[z]};
    if (turns)
        return along((vec3[]){d->x.e[y], d->rate.e[y], d->acceleration.e[y]}, e);
    return along((vec3[]){d->x.p, d->rate.p, d->acceleration.p}, e);
}

lmb_jet lmb_motion_coordinate_change(const lmb_motion_coordinates *all,
                                     const lmb_motion_coordinate *c, const lmb_variation *v)
{
    const lmb_model *m = v->state->model;
    int a = m->body_marker[all->observer];
    lmb_product product = lmb_offset_axis(c->axis);
    bool body = c->kind == LMB_MOTION_POSITION || c->kind == LMB_MOTION_ROTATION;
    if (body && c->index == all->observer)
        return vary_observer(v, a, c->kind == LMB_MOTION_ROTATION, c->axis);
    switch (c->kind) {
    case LMB_MOTION_JOINT:
        return lmb_variation_coordinate(v, &m->parts.coordinates[c->index]);
    case LMB_MOTION_POSITION:
        return lmb_variation_product(v, &product, a, m->body_marker[c->index]);
    case LMB_MOTION_ROTATION:
        return vary_rotation(v, a, m->body_marker[c->index], c->axis);
    case LMB_MOTION_NODE:
    case LMB_MOTION_NODE_TURN:
        return vary_node(v, c);
    case LMB_MOTION_MODE:
    case LMB_MOTION_COLUMN:
        break;
    }
    return (lmb_jet){v->dq[c->index], v->dv[c->index], v->da[c->index]};
}

static bool of_node(const lmb_motion_coordinate *c)
{
    return c->kind == LMB_MOTION_NODE || c->kind == LMB_MOTION_NODE_TURN;
}

/* Rate and acceleration of a body's position or rotation; those of the observer are seen from the
 * ground, in its own axes. */
static lmb_jet body_rate(const lmb_motion_coordinate *c, const lmb_frame_jet *A,
                         const lmb_frame_jet *B, bool itself)
{
    bool position = c->kind == LMB_MOTION_POSITION || c->kind == LMB_MOTION_NODE;
    int y = (c->axis + 1) % 3, z = (c->axis + 2) % 3;
    vec3 e[3] = {A->x.e[c->axis], A->rate.e[c->axis], A->acceleration.e[c->axis]};
    lmb_jet x = {0, 0, 0};
    if (position && itself) {
        lmb_jet speed = along((vec3[]){A->rate.p, A->acceleration.p, {0, 0, 0}}, e);
        return (lmb_jet){0, speed.f, speed.d};
    }
    if (position)
        return along((vec3[]){v3_sub(B->x.p, A->x.p), v3_sub(B->rate.p, A->rate.p),
                              v3_sub(B->acceleration.p, A->acceleration.p)},
                     e);
    for (int j = 0; j < 3; j++) { /* R' R^T = skew(omega); of the observer E^T E' */
        lmb_jet up = cosine(A, B, z, j), right = cosine(A, B, y, j);
        x.d += up.d * right.f;
        x.dd += up.dd * right.f + up.d * right.d;
    }
    if (itself) {
        x.d = v3_dot(A->x.e[z], A->rate.e[y]);
        x.dd = v3_dot(A->rate.e[z], A->rate.e[y]) + v3_dot(A->x.e[z], A->acceleration.e[y]);
    }
    return x;
}

lmb_jet lmb_motion_coordinate_rate(const lmb_motion_coordinates *all,
                                   const lmb_motion_coordinate *c, const lmb_variation *v)
{
    const lmb_state *s = v->state;
    const lmb_model *m = s->model;
    if (c->kind == LMB_MOTION_JOINT)
        return lmb_coordinate_value(s, &m->parts.coordinates[c->index]);
    if (c->kind == LMB_MOTION_POSITION || c->kind == LMB_MOTION_ROTATION)
        return body_rate(c, &v->at[m->body_marker[all->observer]], &v->at[m->body_marker[c->index]],
                         c->index == all->observer);
    if (of_node(c)) {
        lmb_frame_jet A, B, change;
        node_jets(v, (int)(m->bodies[m->nodes[c->index].body].nodes - m->nodes), &A, &change);
        node_jets(v, c->index, &B, &change);
        return body_rate(c, &A, &B, false);
    }
    return (lmb_jet){0, s->v[c->index], s->a[c->index]};
}

/* Adds a range of columns that is not there yet. */
static int add_columns(int v, int nv, int count, int *columns)
{
    int before = count;
    for (int j = v; j < v + nv; j++) {
        int i = 0;
        while (i < before && columns[i] != j)
            i++;
        if (i == before)
            columns[count++] = j;
    }
    return count;
}

int lmb_motion_coordinate_columns(const lmb_motion_coordinates *all, const lmb_motion_coordinate *c,
                                  lmb_variation *v, int *columns)
{
    const lmb_model *m = v->state->model;
    int markers[2] = {0}, count = 0;
    if (of_node(c)) {
        const lmb_node *node = &m->nodes[c->index], *first = m->bodies[node->body].nodes;
        lmb_variation_near(v, 0, markers);
        return add_columns(node->v, node->nv, add_columns(first->v, first->nv, 0, columns),
                           columns);
    }
    if (c->kind == LMB_MOTION_MODE || c->kind == LMB_MOTION_COLUMN) {
        lmb_variation_near(v, 0, markers);
        return add_columns(c->index, 1, 0, columns);
    }
    bool joint = c->kind == LMB_MOTION_JOINT;
    const lmb_pair *pair =
        joint ? &m->parts.pairs[m->parts.coordinates[c->index].pair] : m->parts.pairs;
    markers[0] = joint ? pair->a : m->body_marker[all->observer];
    markers[1] = joint ? pair->b : m->body_marker[c->index];
    lmb_variation_near(v, 2, markers);
    for (int i = 0; i < 2; i++) {
        const lmb_marker *mark = &m->parts.markers[markers[i]];
        count = mark->body > 0 ? add_columns(mark->v, mark->nv, count, columns) : count;
    }
    return count;
}

/* --- choice ----------------------------------------------------------------------------------- */

/* Modal coordinates are taken first: joints of a closed loop of flexible bodies are all
 * independent, but only by deforming the bodies in their stiffest directions. Then joints, then
 * bodies. Those are taken that differ from what is taken before by at least this part of
 * themselves: nearly dependent coordinates describe a motion badly. */
const double lmb_coordinates_distinct = 0.02, lmb_coordinates_at_all = 1e-7;

typedef struct choice {
    const lmb_motion_coordinates *all;
    int free, count; /* wanted, taken */
    double *P;       /* without what is along taken ones */
    double *norm;    /* of the columns as they were */
    bool *out;       /* left out, or taken */
    bool *taken;
} choice;

/* The most independent coordinate of from..to, -1: none is by so much. */
static int most_independent(const choice *c, int from, int to, double least)
{
    int best = -1;
    double largest = lmb_coordinates_at_all;
    for (int i = from; i < to; i++) {
        double rest = c->out[i] ? 0 : cblas_dnrm2(c->free, c->P + (size_t)i * (size_t)c->free, 1);
        if (rest > least * c->norm[i] && rest > largest) {
            best = i;
            largest = rest;
        }
    }
    return best;
}

/* Takes coordinates of from..to as long as one is independent of those taken. */
static void take(choice *c, int from, int to, double least)
{
    size_t free = (size_t)c->free;
    int best;
    while (c->count < c->free && (best = most_independent(c, from, to, least)) >= 0) {
        double *own = c->P + (size_t)best * free;
        cblas_dscal(c->free, 1 / cblas_dnrm2(c->free, own, 1), own, 1);
        for (int i = 0; i < c->all->count; i++) {
            double *other = c->P + (size_t)i * free;
            if (!c->out[i] && i != best)
                cblas_daxpy(c->free, -cblas_ddot(c->free, own, 1, other, 1), own, 1, other, 1);
        }
        c->out[best] = c->taken[best] = true;
        c->count++;
    }
}

static bool of_body(const lmb_motion_coordinate *c)
{
    return c->kind == LMB_MOTION_POSITION || c->kind == LMB_MOTION_ROTATION;
}

/* Where the coordinates of the next preference begin: one body comes after the other. */
static int end_of_group(const lmb_motion_coordinates *all, int from)
{
    const lmb_motion_coordinate *first = &all->list[from];
    int i = from;
    while (i < all->count &&
           (of_body(first)   ? of_body(&all->list[i]) && all->list[i].index == first->index
            : of_node(first) ? of_node(&all->list[i])
                             : all->list[i].kind == first->kind))
        i++;
    return i;
}

void lmb_motion_coordinates_order(const lmb_motion_coordinates *all, int *order)
{
    int count = 0;
    for (int modal = 1; modal >= 0; modal--)
        for (int i = 0; i < all->count; i++)
            if ((all->list[i].kind == LMB_MOTION_MODE || of_node(&all->list[i])) == modal)
                order[count++] = i;
}

bool lmb_motion_coordinates_choose(const lmb_motion_coordinates *all, int free, double *P,
                                   const bool *out, int *chosen)
{
    size_t count = (size_t)all->count;
    lmb_arena *arena = lmb_arena_new();
    choice c = {.all = all,
                .free = free,
                .P = P,
                .norm = lmb_arena_numbers(arena, count + 1),
                .out = lmb_arena_alloc(arena, count + 1, sizeof *c.out),
                .taken = lmb_arena_alloc(arena, count + 1, sizeof *c.taken)};
    bool fine = lmb_arena_fine(arena);
    for (size_t i = 0; fine && i < count; i++) {
        cblas_dscal(free, all->list[i].size, P + i * (size_t)free, 1);
        c.norm[i] = cblas_dnrm2(free, P + i * (size_t)free, 1);
        c.out[i] = out && out[i];
    }
    for (int pass = 0; pass < 2 && fine; pass++)
        for (int modal = 1; modal >= 0; modal--)
            for (int from = 0; from < all->count; from = end_of_group(all, from))
                if ((all->list[from].kind == LMB_MOTION_MODE || of_node(&all->list[from])) == modal)
                    take(&c, from, end_of_group(all, from), pass ? 0 : lmb_coordinates_distinct);
    for (int i = 0, found = 0; fine && i < all->count; i++)
        if (c.taken[i])
            chosen[found++] = i;
    lmb_arena_free(arena);
    return fine && c.count == free;
}
