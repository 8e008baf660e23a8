/* Reading a result as moving meshes; see scene.h. */
#include "export/scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/read.h"
#include "result/series.h"
#include "read/yaml.h"

typedef struct reading {
    lmb_context *context;
    lmb_result *result;
    const char *analysis;
    lmb_scene *scene;
    const lmb_tree *geometry;
    double thick; /* of links */
    lmb_skin *skins;
    int skin_count;
} reading;

/* --- what the geometry says ------------------------------------------------------------------- */

static double number_of(const lmb_tree *node)
{
    return node && node->kind == LMB_TREE_TEXT ? strtod(node->text, NULL) : 0;
}

static vec3 vector_of(const lmb_tree *node)
{
    double v[3] = {0, 0, 0};
    for (int i = 0; node && node->kind == LMB_TREE_LIST && i < node->count && i < 3; i++)
        v[i] = number_of(node->items[i]);
    return v3(v[0], v[1], v[2]);
}

static const char *text_of(const lmb_tree *map, const char *key)
{
    const lmb_tree *node = lmb_tree_get(map, key);
    return node && node->kind == LMB_TREE_TEXT ? node->text : "";
}

/* The list of a key of the geometry; an empty one if it is none. */
static const lmb_tree *list_of(const reading *r, const char *key)
{
    static const lmb_tree none = {.kind = LMB_TREE_LIST};
    const lmb_tree *list = lmb_tree_get(r->geometry, key);
    return list && list->kind == LMB_TREE_LIST ? list : &none;
}

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/* The solid of a shape; false: out of memory. *done tells whether it has one. */
static bool add_shape(const reading *r, lmb_solid_mesh *mesh, const lmb_tree *shape, bool *done)
{
    *done = shape && shape->kind == LMB_TREE_MAP && shape->count == 1 &&
            shape->items[0]->kind == LMB_TREE_MAP;
    if (!*done)
        return true;
    lmb_arena *arena = r->scene->arena;
    const char *name = shape->keys[0]->text;
    const lmb_tree *v = shape->items[0];
    double least = 0.2 * r->thick;
    const char *letter = text_of(v, "axis");
    int axis = letter[0] == 'x' ? 0 : letter[0] == 'y' ? 1 : 2;
    double length = at_least(number_of(lmb_tree_get(v, "length")), least);
    double radius = number_of(lmb_tree_get(v, "radius"));
    vec3 size = vector_of(lmb_tree_get(v, "size"));
    if (strcmp(name, "bar") == 0) {
        double width = number_of(lmb_tree_get(v, "width"));
        double height = number_of(lmb_tree_get(v, "height"));
        return lmb_solid_box(
            mesh, arena, v3(length, width > 0 ? width : r->thick, height > 0 ? height : r->thick));
    }
    if (strcmp(name, "box") == 0 || strcmp(name, "plate") == 0) {
        double third = at_least(size.z, number_of(lmb_tree_get(v, "thickness")));
        return lmb_solid_box(mesh, arena, v3(size.x, size.y, third > 0 ? third : r->thick));
    }
    if (strcmp(name, "cylinder") == 0)
        return lmb_solid_tube(mesh, arena, radius, 0, length, axis);
    if (strcmp(name, "tube") == 0)
        return lmb_solid_tube(mesh, arena, number_of(lmb_tree_get(v, "outer")),
                              number_of(lmb_tree_get(v, "inner")), length, axis);
    if (strcmp(name, "sphere") == 0)
        return lmb_solid_sphere(mesh, arena, v3(0, 0, 0), radius);
    *done = false;
    return true;
}

/* Where points, joints and forces take hold of a body, each place once. */
typedef struct places {
    int count;
    vec3 *list;
} places;

static void add_place(places *p, vec3 place)
{
    for (int i = 0; i < p->count; i++)
        if (v3_norm(v3_sub(place, p->list[i])) < 1e-9)
            return;
    p->list[p->count++] = place;
}

/* The joints or forces of a body; gears and racks are held elsewhere. */
static void add_ends(const reading *r, places *p, const char *key, int body)
{
    const lmb_tree *list = list_of(r, key);
    for (int i = 0; i < list->count; i++) {
        const lmb_tree *ends = lmb_tree_get(list->items[i], "bodies");
        const char *type = text_of(list->items[i], "type");
        bool held = strcmp(type, "gear") != 0 && strcmp(type, "rack") != 0;
        for (int k = 0; held && ends && k < ends->count && k < 2; k++)
            if ((int)number_of(ends->items[k]) == body)
                add_place(p, vector_of(lmb_tree_get(list->items[i], k ? "at_b" : "at")));
    }
}

static bool find_places(const reading *r, places *p, int body, const lmb_tree *entry)
{
    const lmb_tree *points = lmb_tree_get(entry, "points");
    int named = points && points->kind == LMB_TREE_MAP ? points->count : 0;
    int most = named + 2 * (list_of(r, "joints")->count + list_of(r, "forces")->count);
    *p = (places){.list = lmb_arena_alloc(r->scene->arena, (size_t)most + 1, sizeof(vec3))};
    if (!p->list)
        return false;
    for (int i = 0; i < named; i++)
        add_place(p, vector_of(points->items[i]));
    add_ends(r, p, "joints", body);
    add_ends(r, p, "forces", body);
    return true;
}

/* Links from the origin of a body without a shape to its places. */
static bool add_links(const reading *r, lmb_solid_mesh *mesh, const places *p)
{
    lmb_arena *arena = r->scene->arena;
    bool done = true;
    for (int i = 0; i < p->count && done; i++)
        done = lmb_solid_link(mesh, arena, v3(0, 0, 0), p->list[i], r->thick);
    if (done && mesh->triangle_count == 0)
        done = lmb_solid_sphere(mesh, arena, v3(0, 0, 0), 1.5 * r->thick);
    return done;
}

/* Thinner links from a shape to places that are well outside its box. */
static bool add_arms(const reading *r, lmb_solid_mesh *mesh, const places *p)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * mesh->node_count; i++) {
        low[i % 3] = fmin(low[i % 3], (double)mesh->nodes[i]);
        high[i % 3] = fmax(high[i % 3], (double)mesh->nodes[i]);
    }
    bool done = true;
    for (int i = 0; i < p->count && done; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) /* the nearest point of the box */
            x[k] = fmin(fmax(v3_get(p->list[i], k), low[k]), high[k]);
        vec3 from = v3(x[0], x[1], x[2]);
        if (v3_norm(v3_sub(p->list[i], from)) > 0.6 * r->thick)
            done = lmb_solid_link(mesh, r->scene->arena, from, p->list[i], 0.6 * r->thick);
    }
    return done;
}

static bool add_mesh(const reading *r, lmb_scene_body *body, int number, const lmb_tree *entry)
{
    for (int i = 0; i < r->skin_count; i++)
        if (strcmp(r->skins[i].name, body->name) == 0) {
            body->skin = &r->skins[i];
            body->mesh = (lmb_solid_mesh){r->skins[i].node_count, r->skins[i].triangle_count,
                                          r->skins[i].nodes, r->skins[i].triangles};
            return true;
        }
    bool shaped;
    places p;
    return find_places(r, &p, number, entry) &&
           add_shape(r, &body->mesh, lmb_tree_get(entry, "shape"), &shaped) &&
           (shaped ? add_arms(r, &body->mesh, &p) : add_links(r, &body->mesh, &p));
}

/* --- motion ----------------------------------------------------------------------------------- */

/* Reads a channel of a body; one that there is not has no instants. */
static lmb_status read_channel(const reading *r, const char *body, const char *what, lmb_series *s)
{
    *s = (lmb_series){0};
    char *name = lmb_text_format(r->scene->arena, "%s/%s.%s", r->analysis, body, what);
    if (!name)
        return lmb_fail_memory(r->context);
    size_t before = lmb_message_count(r->context);
    if (lmb_result_read(r->result, r->context, name, s) != LMB_OK)
        lmb_messages_forget(r->context, before);
    return LMB_OK;
}

/* The values of a record at all instants of the scene: instant x size; NULL: none, or no memory. */
static double *sampled(const reading *r, const lmb_series *s)
{
    size_t size = (size_t)s->size;
    double *values = lmb_arena_alloc(r->scene->arena, (size_t)r->scene->instant_count * size + 1,
                                     sizeof *values);
    for (int i = 0; values && s->count > 0 && i < r->scene->instant_count; i++)
        lmb_series_interpolate(s, r->scene->time[i], values + (size_t)i * size);
    return values;
}

static void fill_positions(lmb_scene *scene, lmb_scene_body *b, const double *p, int size)
{
    for (int i = 0; i < scene->instant_count; i++)
        b->position[i] = v3(p[size * i], p[size * i + 1], size > 2 ? p[size * i + 2] : 0);
}

/* Unit quaternions, each the nearer one of the two that mean the same. */
static void fill_turns(lmb_scene *scene, lmb_scene_body *b, const double *q, const double *angle)
{
    quat last = quat_identity();
    for (int i = 0; i < scene->instant_count; i++) {
        quat now = quat_identity();
        if (angle)
            now = (quat){cos(angle[i] / 2), 0, 0, sin(angle[i] / 2)};
        else if (q)
            now = (quat){q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]};
        double size = sqrt(now.w * now.w + now.x * now.x + now.y * now.y + now.z * now.z);
        double side = now.w * last.w + now.x * last.x + now.y * last.y + now.z * last.z;
        double f = size > 0 ? (side < 0 ? -1 : 1) / size : 0;
        now = size > 0 ? (quat){f * now.w, f * now.x, f * now.y, f * now.z} : quat_identity();
        b->turn[i] = last = now;
    }
}

/* The channels of a body. One that the modes of another move has these alone. */
static lmb_status read_motion(const reading *r, lmb_scene_body *b, const char *modes_of)
{
    lmb_scene *scene = r->scene;
    enum { MODES = 3 };
    static const char *const what[] = {"position", "quaternion", "angle", "modes",
                                       "stress_coordinates"};
    enum { CHANNELS = sizeof what / sizeof *what };
    lmb_series s[CHANNELS] = {0};
    const double *values[CHANNELS] = {NULL};
    lmb_status status = LMB_OK;
    for (int i = 0; i < CHANNELS && !status; i++) {
        if (*modes_of && i != MODES)
            continue;
        status = read_channel(r, *modes_of ? modes_of : b->name, what[i], &s[i]);
        values[i] = !status && s[i].count > 0 ? sampled(r, &s[i]) : NULL;
        if (!status && s[i].count > 0 && !values[i])
            status = lmb_fail_memory(r->context);
    }
    size_t n = (size_t)scene->instant_count, modes = b->skin ? (size_t)b->skin->mode_count : 0;
    size_t columns = modes + (b->skin ? (size_t)b->skin->acceleration_count : 0);
    b->position = lmb_arena_alloc(scene->arena, n + 1, sizeof *b->position);
    b->turn = lmb_arena_alloc(scene->arena, n + 1, sizeof *b->turn);
    b->eta = lmb_arena_alloc(scene->arena, n * modes + 1, sizeof *b->eta);
    b->strained = lmb_arena_alloc(scene->arena, n * columns + 1, sizeof *b->strained);
    if (!status && (!b->position || !b->turn || !b->eta || !b->strained))
        status = lmb_fail_memory(r->context);
    if (!status) {
        if (values[0])
            fill_positions(scene, b, values[0], s[0].size);
        fill_turns(scene, b, values[1], values[2]);
        size_t given = (size_t)s[MODES].size;
        for (size_t i = 0; values[MODES] && given <= modes && i < n; i++)
            memcpy(b->eta + i * modes, values[MODES] + i * given, given * sizeof *b->eta);
        const double *own = values[4] ? values[4] : b->eta;
        size_t size = values[4] ? (size_t)s[4].size : modes, used = size < columns ? size : columns;
        for (size_t i = 0; i < n; i++)
            memcpy(b->strained + i * columns, own + i * size, used * sizeof *own);
    }
    for (int i = 0; i < CHANNELS; i++)
        lmb_series_free(&s[i]);
    return status;
}

/* The instants: `step` apart, or some of those stored. */
static lmb_status choose_instants(const reading *r, int analysis, double step)
{
    lmb_scene *scene = r->scene;
    lmb_series s = {0};
    const lmb_channel *first = lmb_result_channel(r->result, analysis, 0);
    char *name = first ? lmb_text_format(scene->arena, "%s/%s", r->analysis, first->name) : NULL;
    lmb_status status =
        name ? lmb_result_read(r->result, r->context, name, &s)
             : lmb_fail(r->context, LMB_BAD_INPUT, "there are no results in the file");
    if (status)
        return status;
    scene->time = lmb_series_instants(&s, scene->arena, step, &scene->instant_count);
    lmb_series_free(&s);
    return scene->time ? LMB_OK : lmb_fail_memory(r->context);
}

/* --- all -------------------------------------------------------------------------------------- */

static vec3 upwards(const reading *r)
{
    vec3 g = vector_of(lmb_tree_get(r->geometry, "gravity"));
    double x = fabs(g.x), y = fabs(g.y), z = fabs(g.z);
    if (r->scene->dimension == 2)
        return v3(0, 1, 0);
    if (x > y && x > z)
        return v3(g.x < 0 ? 1 : -1, 0, 0);
    if (y > z)
        return v3(0, g.y < 0 ? 1 : -1, 0);
    return v3(0, 0, g.z > 0 ? -1 : 1);
}

static lmb_status read_bodies(reading *r)
{
    lmb_scene *scene = r->scene;
    const lmb_tree *list = list_of(r, "bodies");
    scene->bodies = lmb_arena_alloc(scene->arena, (size_t)list->count + 1, sizeof *scene->bodies);
    lmb_status status = scene->bodies ? LMB_OK : lmb_fail_memory(r->context);
    for (int i = 1; i < list->count && !status; i++) {
        lmb_scene_body *body = &scene->bodies[scene->body_count++];
        body->name = text_of(list->items[i], "name");
        if (!add_mesh(r, body, i, list->items[i]))
            status = lmb_fail_memory(r->context);
        else
            status = read_motion(r, body, text_of(list->items[i], "modes_of"));
    }
    return status;
}

static lmb_status read_scene(reading *r, int analysis, double step)
{
    const char *text = lmb_result_text(r->result, "geometry");
    lmb_tree *root;
    if (!text)
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' has no shapes of bodies in it",
                        lmb_result_path(r->result));
    lmb_status status =
        lmb_yaml_parse(&root, r->context, r->scene->arena, lmb_result_path(r->result), text);
    if (!status)
        status = lmb_skins_read(&r->skins, &r->skin_count, r->scene->arena, r->context,
                                lmb_result_file(r->result), lmb_result_path(r->result));
    if (!status) {
        r->geometry = root;
        r->scene->dimension = number_of(lmb_tree_get(root, "dimension")) == 2 ? 2 : 3;
        r->thick = 0.06 * number_of(lmb_tree_get(root, "length"));
        r->scene->up = upwards(r);
        status = choose_instants(r, analysis, step);
    }
    return status ? status : read_bodies(r);
}

lmb_status lmb_scene_read(lmb_scene **out, lmb_context *context, lmb_result *result, int analysis,
                          double step)
{
    lmb_arena *arena = lmb_arena_new();
    lmb_scene *scene = arena ? lmb_arena_alloc(arena, 1, sizeof *scene) : NULL;
    if (!scene) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    scene->arena = arena;
    reading r = {.context = context,
                 .result = result,
                 .analysis = lmb_result_analysis_name(result, analysis),
                 .scene = scene};
    lmb_status status = read_scene(&r, analysis, step);
    if (status)
        lmb_scene_free(scene);
    *out = status ? NULL : scene;
    return status;
}

/* sum += factor * row */
static void add_row(double *sum, double factor, const float *row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += factor * (double)row[i];
}

void lmb_scene_deform(const lmb_scene_body *b, int instant, double *u, double *stress)
{
    const lmb_skin *skin = b->skin;
    size_t n = (size_t)skin->node_count, modes = (size_t)skin->mode_count;
    const double *eta = b->eta + (size_t)instant * modes;
    memset(u, 0, 3 * n * sizeof *u);
    for (size_t m = 0; m < modes; m++)
        add_row(u, eta[m], skin->shapes + 3 * n * m, 3 * n);
    if (!stress)
        return;
    memset(stress, 0, LMB_SKIN_STRESSES * n * sizeof *stress);
    size_t columns = skin->stresses ? modes + (size_t)skin->acceleration_count : 0;
    const double *strained = b->strained + (size_t)instant * columns;
    for (size_t m = 0; m < columns; m++)
        add_row(stress, strained[m], skin->stresses + LMB_SKIN_STRESSES * n * m,
                LMB_SKIN_STRESSES * n);
}

void lmb_scene_free(lmb_scene *scene)
{
    if (scene)
        lmb_arena_free(scene->arena);
}
