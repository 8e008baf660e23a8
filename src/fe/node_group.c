/* Extents, area and fitted cylinder of a group of nodes.
 *
 * The normals n of the triangles of a cylinder are perpendicular to its axis a. So a is the
 * eigenvector of sum A n n^T / sum A with the smallest eigenvalue (A: areas). From this start the
 * Gauss-Newton method finds the axis a, a point c on the axis and the radius r that minimise
 *
 *   sum (|d| - r)^2,  d = (x - c) - a (a . (x - c)) */
#include "fe/node_group.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "math/dense.h"

/* Limits of the eigenvalues of the normals. The smallest is nonzero because the triangles only
 * approximate curved faces. The second shows how far the triangles go around the axis. For an arc
 * of angle b it is (1 - sin b / b) / 2: 0.086 for 60 degrees and 1/2 for a full circle. */
static const double most_along = 0.05, least_around = 0.086;

typedef struct fit {
    const vec3 *x;
    const int *nodes; /* nodes of the triangles */
    int count;
    vec3 a, c;
    double r;
} fit;

/* Find unit vectors u and v perpendicular to a and to each other, u x v = a. */
static void across(vec3 a, vec3 *u, vec3 *v)
{
    vec3 other = fabs(a.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    *u = v3_unit(v3_cross(other, a));
    *v = v3_cross(a, *u);
}

/* Make one Gauss-Newton step. Returns false if the nodes do not determine a cylinder. */
static bool improve(fit *f)
{
    double J[25] = {0}, g[5] = {0}, size = f->r;
    vec3 u, v;
    across(f->a, &u, &v);
    for (int i = 0; i < f->count; i++) {
        vec3 p = v3_sub(f->x[f->nodes[i]], f->c);
        double s = v3_dot(p, f->a), length;
        vec3 d = v3_axpy(p, -s, f->a);
        if (!((length = v3_norm(d)) > 0))
            continue;
        double du = v3_dot(d, u) / length, dv = v3_dot(d, v) / length;
        const double row[5] = {-du, -dv, -du * s / size, -dv * s / size, -1};
        for (int j = 0; j < 5; j++) {
            g[j] -= row[j] * (length - f->r);
            for (int k = 0; k < 5; k++)
                J[5 * j + k] += row[j] * row[k];
        }
    }
    if (!lmb_dense_solve(5, J, 1, g))
        return false;
    f->c = v3_axpy(v3_axpy(f->c, g[0], u), g[1], v);
    f->a = v3_unit(v3_axpy(v3_axpy(f->a, g[2] / size, u), g[3] / size, v));
    f->r += g[4];
    return isfinite(f->r) && f->r > 0;
}

/* Fill radius, error, axis and middle from a fit. */
static void finish(const fit *f, lmb_node_group *out)
{
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int i = 0; i < f->count; i++) {
        vec3 p = v3_sub(f->x[f->nodes[i]], f->c);
        double s = v3_dot(p, f->a), off = v3_norm(v3_axpy(p, -s, f->a)) - f->r;
        sum += off * off;
        low = fmin(low, s);
        high = fmax(high, s);
    }
    out->radius = f->r;
    out->error = sqrt(sum / f->count) / f->r;
    out->axis = f->a;
    out->middle = v3_axpy(f->c, (low + high) / 2, f->a);
}

/* Start from a circle in the plane perpendicular to the axis. It minimises the sum of (|p|^2 - 2 c
 * p - e)^2. Returns false if there is none. */
static bool start(fit *f)
{
    double A[9] = {0}, b[3] = {0};
    vec3 u, v;
    across(f->a, &u, &v);
    for (int i = 0; i < f->count; i++) {
        vec3 p = v3_sub(f->x[f->nodes[i]], f->c);
        const double row[3] = {2 * v3_dot(p, u), 2 * v3_dot(p, v), 1};
        double square = (row[0] * row[0] + row[1] * row[1]) / 4;
        for (int j = 0; j < 3; j++) {
            b[j] += row[j] * square;
            for (int k = 0; k < 3; k++)
                A[3 * j + k] += row[j] * row[k];
        }
    }
    if (!lmb_dense_solve(3, A, 1, b))
        return false;
    f->c = v3_axpy(v3_axpy(f->c, b[0], u), b[1], v);
    f->r = sqrt(b[2] + b[0] * b[0] + b[1] * b[1]);
    return isfinite(f->r) && f->r > 0;
}

/* Fit a cylinder to the nodes of triangles with the matrix of normals N = sum A n n^T / sum A (by
 * columns). */
static void fit_cylinder(fit *f, double N[9], lmb_node_group *out)
{
    enum { STEPS = 10 };
    double value[3];
    if (!lmb_dense_symmetric(3, N, value)) {
        lmb_memory_fail(); /* with three unknowns the only cause */
        return;
    }
    if (value[0] > most_along || value[1] < least_around)
        return;
    f->a = v3_of(N);
    f->c = v3_scale(0.5, v3_add(out->low, out->high));
    bool found = start(f);
    for (int i = 0; i < STEPS && found; i++)
        found = improve(f);
    if (found)
        finish(f, out);
}

/* Compute the area, its centre and the matrix of normals of the triangles in the group. Marks their
 * nodes with 2. */
static void add_triangles(lmb_node_group *out, const lmb_selectable *of, char *in, double N[9])
{
    const vec3 *x = of->x;
    double area = 0;
    vec3 sum = v3(0, 0, 0);
    for (int t = 0; t < of->triangle_count; t++) {
        const int *k = of->triangles[t];
        if (!in[k[0]] || !in[k[1]] || !in[k[2]])
            continue;
        vec3 n = v3_cross(v3_sub(x[k[1]], x[k[0]]), v3_sub(x[k[2]], x[k[0]]));
        double twice = v3_norm(n);
        out->triangle_count++;
        if (!(twice > 0))
            continue;
        for (int i = 0; i < 9; i++)
            N[i] += v3_get(n, i / 3) * v3_get(n, i % 3) / twice;
        for (int i = 0; i < 3; i++) {
            sum = v3_axpy(sum, twice / 3, x[k[i]]);
            in[k[i]] = 2;
        }
        area += twice;
    }
    for (int i = 0; i < 9 && area > 0; i++)
        N[i] /= area;
    if (area > 0)
        out->centre = v3_scale(1 / area, sum);
}

lmb_status lmb_node_group_measure(lmb_node_group *out, lmb_context *context,
                                  const lmb_selectable *of, const int *nodes, int count)
{
    *out = (lmb_node_group){0};
    lmb_arena *room = lmb_arena_new();
    char *in = lmb_arena_alloc(room, (size_t)of->count + 1, 1);
    int *on = lmb_arena_integers(room, (size_t)count + 1);
    double N[9] = {0};
    fit f = {.x = of->x, .nodes = on};
    for (int i = 0; i < count && lmb_arena_fine(room); i++) {
        vec3 p = of->x[nodes[i]], l = i ? out->low : p, h = i ? out->high : p;
        in[nodes[i]] = 1;
        out->centre = v3_axpy(out->centre, 1.0 / count, p);
        out->low = v3(fmin(l.x, p.x), fmin(l.y, p.y), fmin(l.z, p.z));
        out->high = v3(fmax(h.x, p.x), fmax(h.y, p.y), fmax(h.z, p.z));
    }
    lmb_status status = lmb_check_memory(context, room);
    if (!status)
        add_triangles(out, of, in, N);
    for (int i = 0; i < count && !status; i++)
        if (in[nodes[i]] == 2)
            on[f.count++] = nodes[i];
    if (!status && f.count > 0)
        fit_cylinder(&f, N, out);
    if (!status) { /* x is relative to the origin */
        vec3 *const places[] = {&out->low, &out->high, &out->centre, &out->middle};
        for (int i = 0; i < 4; i++)
            *places[i] = v3_add(*places[i], of->origin);
    }
    lmb_arena_free(room);
    return status;
}
