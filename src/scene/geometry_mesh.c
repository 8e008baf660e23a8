/* Bodies without a skin as solids: boxes, cylinders, tubes, spheres and links; see geometry.h. */
#include <math.h>
#include <string.h>

#include "scene/geometry.h"

enum { AROUND = 32, HALF = 16 };

typedef struct making {
    lmb_solid_mesh *mesh;
    lmb_arena *arena;
    double thick; /* of links */
    int place_count;
    vec3 *places; /* where points, joints and forces take hold of the body, each once */
} making;

/* --- solids ----------------------------------------------------------------------------------- */

static void add_node(const making *to, vec3 p)
{
    lmb_solid_mesh *m = to->mesh;
    const float x[3] = {(float)p.x, (float)p.y, (float)p.z};
    float *grown = lmb_arena_append(to->arena, m->nodes, m->node_count, sizeof x);
    if (!lmb_arena_fine(to->arena))
        return;
    m->nodes = grown;
    memcpy(m->nodes + 3 * m->node_count++, x, sizeof x);
}

static void add_triangle(const making *to, int a, int b, int c)
{
    lmb_solid_mesh *m = to->mesh;
    const int corners[3] = {a, b, c};
    m->triangles = lmb_arena_append(to->arena, m->triangles, m->triangle_count, sizeof corners);
    if (lmb_arena_fine(to->arena))
        memcpy(m->triangles + 3 * m->triangle_count++, corners, sizeof corners);
}

/* A box with edges along three vectors (right-handed), from their half lengths. */
static void add_box(const making *to, vec3 centre, vec3 a, vec3 b, vec3 c)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int first = to->mesh->node_count;
    for (int i = 0; i < 8; i++) {
        vec3 p = v3_axpy(centre, i & 1 ? 1 : -1, a);
        p = v3_axpy(p, i & 2 ? 1 : -1, b);
        add_node(to, v3_axpy(p, i & 4 ? 1 : -1, c));
    }
    for (int i = 0; i < 6; i++)
        for (int k = 1; k < 3; k++)
            add_triangle(to, first + faces[i][0], first + faces[i][k], first + faces[i][k + 1]);
}

static void add_cuboid(const making *to, double x, double y, double z)
{
    add_box(to, v3(0, 0, 0), v3(x / 2, 0, 0), v3(0, y / 2, 0), v3(0, 0, z / 2));
}

/* A bar with a square section from one point to another. */
static void add_link(const making *to, vec3 from, vec3 end, double thickness)
{
    vec3 along = v3_sub(end, from), middle = v3_scale(0.5, v3_add(from, end));
    double length = v3_norm(along);
    if (length == 0)
        return;
    vec3 x = v3_scale(1 / length, along);
    vec3 other = fabs(x.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
    vec3 y = v3_cross(other, x);
    y = v3_scale(1 / v3_norm(y), y);
    add_box(to, middle, v3_scale(length / 2, x), v3_scale(thickness / 2, y),
            v3_scale(thickness / 2, v3_cross(x, y)));
}

/* A profile of radii and places along the axis that is turned about it; the solid is on its left.
 * `closed`: from its last point back to the first. What is on the axis makes no faces. */
static void add_turned(const making *to, int axis, int count, const double (*profile)[2],
                       bool closed)
{
    int first = to->mesh->node_count;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < AROUND; i++) {
            double p[3], angle = 2 * LMB_PI * i / AROUND;
            p[axis] = profile[k][1];
            p[(axis + 1) % 3] = profile[k][0] * cos(angle);
            p[(axis + 2) % 3] = profile[k][0] * sin(angle);
            add_node(to, v3(p[0], p[1], p[2]));
        }
    for (int k = 0; k < (closed ? count : count - 1); k++)
        for (int i = 0; i < AROUND; i++) {
            int next = (i + 1) % AROUND, a = first + k * AROUND;
            int b = first + (k + 1) % count * AROUND;
            if (profile[k][0] > 0)
                add_triangle(to, a + i, a + next, b + next);
            if (profile[(k + 1) % count][0] > 0)
                add_triangle(to, a + i, b + next, b + i);
        }
}

static void add_tube(const making *to, double outer, double inner, double length, int axis)
{
    const double h = length / 2, profile[][2] = {{outer, -h}, {outer, h}, {inner, h}, {inner, -h}};
    add_turned(to, axis, 4, profile, true);
}

static void add_sphere(const making *to, double radius)
{
    double profile[HALF + 1][2] = {{0, -radius}, [HALF] = {0, radius}};
    for (int j = 1; j < HALF; j++) {
        double polar = LMB_PI * j / HALF - LMB_PI / 2;
        profile[j][0] = radius * cos(polar);
        profile[j][1] = radius * sin(polar);
    }
    add_turned(to, 2, HALF + 1, (const double(*)[2])profile, false);
}

/* The solid of a shape. */
static void add_shape(const making *m, const lmb_shape *s)
{
    const char *name = s->type->name;
    const double *size = s->size.numbers;
    double length = fmax(s->length, 0.2 * m->thick), third = fmax(size[2], s->thickness);
    if (strcmp(name, "bar") == 0)
        add_cuboid(m, length, s->width > 0 ? s->width : m->thick,
                   s->height > 0 ? s->height : m->thick);
    else if (strcmp(name, "cylinder") == 0)
        add_tube(m, s->radius, 0, length, s->axis);
    else if (strcmp(name, "tube") == 0)
        add_tube(m, s->outer, s->inner.number, length, s->axis);
    else if (strcmp(name, "sphere") == 0)
        add_sphere(m, s->radius);
    else /* a box or plate */
        add_cuboid(m, size[0], size[1], third > 0 ? third : m->thick);
}

/* --- places ----------------------------------------------------------------------------------- */

static void add_place(making *m, vec3 place)
{
    for (int i = 0; i < m->place_count; i++)
        if (v3_norm(v3_sub(place, m->places[i])) < 1e-9)
            return;
    m->places[m->place_count++] = place;
}

static void add_ends(making *m, const lmb_drawn_tie *tie, int body)
{
    for (int k = 0; k < 2; k++)
        if (tie->body[k] == body)
            add_place(m, tie->at[k]);
}

static void find_places(making *m, const lmb_geometry *g, int body)
{
    const lmb_drawn_body *b = &g->bodies[body];
    int most = b->point_count + 2 * (g->joint_count + g->force_count);
    m->places = lmb_arena_alloc(m->arena, (size_t)most + 1, sizeof *m->places);
    if (!m->places)
        return;
    for (int i = 0; i < b->point_count; i++)
        add_place(m, b->points[i]);
    for (int i = 0; i < g->joint_count; i++)
        if (g->joints[i].sign) /* gears and racks hold on to joints */
            add_ends(m, &g->joints[i], body);
    for (int i = 0; i < g->force_count; i++)
        add_ends(m, &g->forces[i], body);
}

/* --- links ------------------------------------------------------------------------------------ */

/* Links from the origin of a body without a shape to its places. */
static void add_links(const making *m)
{
    for (int i = 0; i < m->place_count; i++)
        add_link(m, v3(0, 0, 0), m->places[i], m->thick);
    if (m->mesh->triangle_count == 0)
        add_sphere(m, 1.5 * m->thick);
}

/* Thinner links from a shape to places that are well outside its box. */
static void add_arms(const making *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * m->mesh->node_count; i++) {
        low[i % 3] = fmin(low[i % 3], (double)m->mesh->nodes[i]);
        high[i % 3] = fmax(high[i % 3], (double)m->mesh->nodes[i]);
    }
    for (int i = 0; i < m->place_count; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) /* the nearest point of the box */
            x[k] = fmin(fmax(v3_get(m->places[i], k), low[k]), high[k]);
        vec3 from = v3(x[0], x[1], x[2]);
        if (v3_norm(v3_sub(m->places[i], from)) > 0.6 * m->thick)
            add_link(m, from, m->places[i], 0.6 * m->thick);
    }
}

bool lmb_geometry_mesh(lmb_solid_mesh *out, lmb_arena *arena, const lmb_geometry *g, int body)
{
    making m = {.mesh = out, .arena = arena, .thick = 0.06 * g->length};
    const lmb_shape *shape = &g->bodies[body].shape;
    *out = (lmb_solid_mesh){0};
    find_places(&m, g, body);
    if (shape->type) {
        add_shape(&m, shape);
        add_arms(&m);
    } else {
        add_links(&m);
    }
    return lmb_arena_fine(arena);
}
