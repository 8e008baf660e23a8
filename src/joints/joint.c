/* What the kinds of joints share: frames at the ends, coordinates, couplings. */
#include "joints/joint.h"

/* Axes with the last one (space) or the first one (plane) along n. */
static mat3 axes_along(vec3 n, int dimension)
{
    if (dimension == 3)
        return m3_along(n);
    n = v3_unit(n);
    return (mat3){{n, {-n.y, n.x, 0}, {0, 0, 1}}};
}

/* A marker at an end with axes given in the axes of the end's point. */
static int marker(lmb_joint_build *b, int end, const mat3 *axes)
{
    const lmb_end *e = &b->ends[end];
    mat3 own = frame_rotation(&e->local), R = m3_mul3(&own, axes);
    return lmb_rows_marker(b->rows, e->body, e->point, frame_with_axes(e->local.p, &R));
}

int lmb_joint_marker(lmb_joint_build *b, int end, vec3 direction)
{
    mat3 axes = axes_along(direction, b->dimension);
    return marker(b, end, &axes);
}

/* The rotation of an end's point where the model places its body. */
static mat3 placed(const lmb_joint_build *b, int end)
{
    lmb_frame x = frame_compose(&b->starts[b->ends[end].body], &b->ends[end].local);
    return frame_rotation(&x);
}

/* Axes given in A's point turned into the axes of B's point as the model places the bodies. */
static mat3 carried_over(const lmb_joint_build *b, const mat3 *axes)
{
    mat3 A = placed(b, 0), B = placed(b, 1), global = m3_mul3(&A, axes);
    return m3_tmul3(&B, &global);
}

int lmb_joint_axis_pair(lmb_joint_build *b, const lmb_joint_axes *axes)
{
    const lmb_value *axis = &axes->axis, *axis_b = &axes->axis_b;
    if (!axis->given && !b->ends[0].own_axes) {
        lmb_fail_at(b->context, b->place, "joint '%s' needs an 'axis'", b->joint->name);
        lmb_hint(b->context, "add for example 'axis: %s'",
                 b->dimension == 2 ? "[1, 0]" : "[0, 0, 1]");
        return -1;
    }
    vec3 last = b->dimension == 2 ? v3(1, 0, 0) : v3(0, 0, 1);
    vec3 n = axis->given ? v3_of(axis->numbers) : last;
    mat3 A = axes_along(n, b->dimension);
    mat3 over = carried_over(b, &A), B = A;
    int main_axis = b->dimension == 2 ? 0 : 2;
    if (axis_b->given)
        B = axes_along(v3_of(axis_b->numbers), b->dimension);
    else if (!b->ends[1].own_axes && v3_norm(v3_sub(over.c[main_axis], A.c[main_axis])) > 1e-12)
        B = over;
    int a = marker(b, 0, &A);
    return b->joint->pair = lmb_rows_pair(b->rows, a, marker(b, 1, &B));
}

int lmb_joint_plain_pair(lmb_joint_build *b, bool as_placed)
{
    mat3 own = m3_identity(), B = own;
    if (as_placed && !b->ends[1].own_axes)
        B = carried_over(b, &own);
    int a = marker(b, 0, &own);
    return b->joint->pair = lmb_rows_pair(b->rows, a, marker(b, 1, &B));
}

void lmb_joint_coordinate(lmb_joint_build *b, const char *name, lmb_coordinate_kind kind,
                          lmb_product product, int pair)
{
    int number = lmb_rows_coordinate(b->rows, name, kind, product, pair);
    if (b->joint->coordinate_count++ == 0)
        b->joint->coordinate = number;
    if (number >= 0 && kind == LMB_COORDINATE_ANGLE)
        b->rows->coordinates[number].near = lmb_joint_start(b, &product, pair);
}

const lmb_coordinate *lmb_joint_coupled(lmb_joint_build *b, int which, lmb_coordinate_kind kind)
{
    const lmb_joint *j = b->coupled[which];
    for (int i = 0; i < j->coordinate_count; i++)
        if (b->rows->coordinates[j->coordinate + i].kind == kind)
            return &b->rows->coordinates[j->coordinate + i];
    lmb_fail_at(b->context, b->place, "joint '%s' has no %s that '%s' could couple", j->name,
                kind == LMB_COORDINATE_ANGLE ? "angle" : "offset", b->joint->name);
    return NULL;
}

double lmb_joint_start(const lmb_joint_build *b, const lmb_product *product, int pair)
{
    const lmb_pair *p = &b->rows->pairs[pair];
    const lmb_marker *ma = &b->rows->markers[p->a], *mb = &b->rows->markers[p->b];
    lmb_frame A = frame_compose(&b->starts[ma->body], &ma->local);
    lmb_frame B = frame_compose(&b->starts[mb->body], &mb->local);
    /* both angles stand about the same axis in the plane; in space the turn is not known */
    double turned = b->dimension == 2 ? b->angles[mb->body] - b->angles[ma->body] : 0;
    return lmb_product_value(product, &A, &B, turned);
}

void lmb_joint_couple(lmb_joint_build *b, const char *label, double c1, const lmb_coordinate *x1,
                      double c2, const lmb_coordinate *x2)
{
    lmb_term first = lmb_plain(c1, x1->product, x1->pair);
    lmb_term second = lmb_plain(c2, x2->product, x2->pair);
    first.turn = x1->turn;
    second.turn = x2->turn;
    double start = c1 * lmb_joint_start(b, &x1->product, x1->pair) +
                   c2 * lmb_joint_start(b, &x2->product, x2->pair);
    bool angles = x1->kind == LMB_COORDINATE_ANGLE && x2->kind == LMB_COORDINATE_ANGLE;
    lmb_rows_row(b->rows, label, angles ? LMB_PURE_NUMBER : LMB_LENGTH);
    lmb_rows_term(b->rows, first);
    lmb_rows_term(b->rows, second);
    lmb_rows_term(b->rows, lmb_plain(-start, lmb_one(), x1->pair));
}
