/* Solids as triangles; see solid.h. */
#include "scene/solid.h"

enum { AROUND = 32, HALF = 16 };

/* Makes room for more nodes and triangles; returns the number of the first new node, or -1. */
static int grow(lmb_solid_mesh *m, lmb_arena *arena, int nodes, int triangles)
{
    size_t n = (size_t)m->node_count, t = (size_t)m->triangle_count;
    float *more = lmb_arena_grow(arena, m->nodes, 3 * n, 3 * (n + (size_t)nodes), sizeof *more);
    int *corners =
        lmb_arena_grow(arena, m->triangles, 3 * t, 3 * (t + (size_t)triangles), sizeof *corners);
    if (!more || !corners)
        return -1;
    m->nodes = more;
    m->triangles = corners;
    return m->node_count;
}

static void add_node(lmb_solid_mesh *m, vec3 p)
{
    float *node = m->nodes + 3 * m->node_count++;
    node[0] = (float)p.x;
    node[1] = (float)p.y;
    node[2] = (float)p.z;
}

static void add_triangle(lmb_solid_mesh *m, int a, int b, int c)
{
    int *corner = m->triangles + 3 * m->triangle_count++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

/* A box with edges along three vectors (right-handed), from their half lengths. */
static void add_box(lmb_solid_mesh *m, lmb_arena *arena, vec3 centre, vec3 a, vec3 b, vec3 c)
{
    int first = grow(m, arena, 8, 12);
    if (first < 0)
        return;
    for (int i = 0; i < 8; i++) {
        vec3 p = v3_axpy(centre, i & 1 ? 1 : -1, a);
        p = v3_axpy(p, i & 2 ? 1 : -1, b);
        add_node(m, v3_axpy(p, i & 4 ? 1 : -1, c));
    }
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 6; i++)
        for (int k = 1; k < 3; k++)
            add_triangle(m, first + faces[i][0], first + faces[i][k], first + faces[i][k + 1]);
}

void lmb_solid_box(lmb_solid_mesh *m, lmb_arena *arena, vec3 size)
{
    add_box(m, arena, v3(0, 0, 0), v3(size.x / 2, 0, 0), v3(0, size.y / 2, 0),
            v3(0, 0, size.z / 2));
}

void lmb_solid_link(lmb_solid_mesh *m, lmb_arena *arena, vec3 from, vec3 to, double thickness)
{
    vec3 along = v3_sub(to, from), middle = v3_scale(0.5, v3_add(from, to));
    double length = v3_norm(along);
    if (length == 0)
        return;
    vec3 x = v3_scale(1 / length, along);
    vec3 other = fabs(x.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
    vec3 y = v3_cross(other, x);
    y = v3_scale(1 / v3_norm(y), y);
    vec3 z = v3_cross(x, y);
    add_box(m, arena, middle, v3_scale(length / 2, x), v3_scale(thickness / 2, y),
            v3_scale(thickness / 2, z));
}

/* A point on a circle about an axis. */
static vec3 around(int axis, double radius, double angle, double along)
{
    double p[3];
    p[axis] = along;
    p[(axis + 1) % 3] = radius * cos(angle);
    p[(axis + 2) % 3] = radius * sin(angle);
    return v3(p[0], p[1], p[2]);
}

/* A profile of radii and places along the axis that is turned about it; the solid is on its left.
 * `closed`: from its last point back to the first. What is on the axis makes no faces. */
static void add_turned(lmb_solid_mesh *m, lmb_arena *arena, vec3 centre, int axis, int count,
                       const double (*profile)[2], bool closed)
{
    int first = grow(m, arena, count * AROUND, 2 * count * AROUND);
    if (first < 0)
        return;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < AROUND; i++)
            add_node(m, v3_add(centre, around(axis, profile[k][0], 2 * LMB_PI * i / AROUND,
                                              profile[k][1])));
    for (int k = 0; k < (closed ? count : count - 1); k++)
        for (int i = 0; i < AROUND; i++) {
            int next = (i + 1) % AROUND, a = first + k * AROUND;
            int b = first + (k + 1) % count * AROUND;
            if (profile[k][0] > 0)
                add_triangle(m, a + i, a + next, b + next);
            if (profile[(k + 1) % count][0] > 0)
                add_triangle(m, a + i, b + next, b + i);
        }
}

void lmb_solid_tube(lmb_solid_mesh *m, lmb_arena *arena, double outer, double inner, double length,
                    int axis)
{
    const double h = length / 2, profile[][2] = {{outer, -h}, {outer, h}, {inner, h}, {inner, -h}};
    add_turned(m, arena, v3(0, 0, 0), axis, 4, profile, true);
}

void lmb_solid_sphere(lmb_solid_mesh *m, lmb_arena *arena, vec3 centre, double radius)
{
    double profile[HALF + 1][2] = {{0, -radius}, [HALF] = {0, radius}};
    for (int j = 1; j < HALF; j++) {
        double polar = LMB_PI * j / HALF - LMB_PI / 2;
        profile[j][0] = radius * cos(polar);
        profile[j][1] = radius * sin(polar);
    }
    add_turned(m, arena, centre, 2, HALF + 1, (const double(*)[2])profile, false);
}
