/* Bodies without a skin as solids; see geometry.h. */
#include <math.h>
#include <string.h>

#include "scene/geometry.h"

typedef struct making {
    lmb_solid_mesh *mesh;
    lmb_arena *arena;
    double thick; /* of links */
    int place_count;
    vec3 *places; /* where points, joints and forces take hold of the body, each once */
} making;

/* The solid of a shape. */
static void add_shape(const making *m, const lmb_shape *s)
{
    const char *name = s->type->name;
    const double *size = s->size.numbers;
    double length = fmax(s->length, 0.2 * m->thick), third = fmax(size[2], s->thickness);
    if (strcmp(name, "bar") == 0)
        lmb_solid_box(
            m->mesh, m->arena,
            v3(length, s->width > 0 ? s->width : m->thick, s->height > 0 ? s->height : m->thick));
    else if (strcmp(name, "cylinder") == 0)
        lmb_solid_tube(m->mesh, m->arena, s->radius, 0, length, s->axis);
    else if (strcmp(name, "tube") == 0)
        lmb_solid_tube(m->mesh, m->arena, s->outer, s->inner.number, length, s->axis);
    else if (strcmp(name, "sphere") == 0)
        lmb_solid_sphere(m->mesh, m->arena, v3(0, 0, 0), s->radius);
    else /* a box or plate */
        lmb_solid_box(m->mesh, m->arena, v3(size[0], size[1], third > 0 ? third : m->thick));
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
        lmb_solid_link(m->mesh, m->arena, v3(0, 0, 0), m->places[i], m->thick);
    if (m->mesh->triangle_count == 0)
        lmb_solid_sphere(m->mesh, m->arena, v3(0, 0, 0), 1.5 * m->thick);
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
            lmb_solid_link(m->mesh, m->arena, from, m->places[i], 0.6 * m->thick);
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
