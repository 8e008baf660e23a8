/* Reading a result as moving meshes; see scene.h. */
#include "export/scene.h"

#include <string.h>

#include "base/text.h"
#include "result/read.h"
#include "result/series.h"
#include "scene/geometry.h"

typedef struct reading {
    lmb_context *context;
    lmb_result *result;
    const char *analysis;
    lmb_scene *scene;
    lmb_geometry geometry;
    lmb_skin *skins;
    int skin_count;
} reading;

/* The skin of a body, or the solid of its shape; false: out of memory. */
static bool add_mesh(const reading *r, lmb_scene_body *body, int number)
{
    for (int i = 0; i < r->skin_count; i++)
        if (strcmp(r->skins[i].name, body->name) == 0) {
            body->skin = &r->skins[i];
            body->mesh = (lmb_solid_mesh){r->skins[i].node_count, r->skins[i].triangle_count,
                                          r->skins[i].nodes, r->skins[i].triangles};
            return true;
        }
    return lmb_geometry_mesh(&body->mesh, r->scene->arena, &r->geometry, number);
}

/* --- motion ----------------------------------------------------------------------------------- */

/* The values of a channel of a body at all instants of the scene, instant x size; NULL, and no
 * size, where there is none. */
static double *read_channel(const reading *r, const char *body, const char *what, int *size)
{
    lmb_series s = {0};
    lmb_arena *arena = r->scene->arena;
    char *name = lmb_text_format(arena, "%s/%s.%s", r->analysis, body, what);
    size_t before = lmb_message_count(r->context);
    if (name && lmb_result_read(r->result, r->context, name, &s))
        lmb_messages_forget(r->context, before);
    size_t width = (size_t)s.size;
    *size = s.size;
    double *values =
        s.count > 0 ? lmb_arena_numbers(arena, (size_t)r->scene->instant_count * width + 1) : NULL;
    for (int i = 0; values && i < r->scene->instant_count; i++)
        lmb_series_interpolate(&s, r->scene->time[i], values + (size_t)i * width);
    lmb_series_free(&s);
    return values;
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
    enum { POSITION, TURN, PLANE_TURN, MODES, STRAINED, COUNT };
    static const char *const what[COUNT] = {"position", "quaternion", "angle", "modes",
                                            "stress_coordinates"};
    lmb_scene *scene = r->scene;
    double *values[COUNT] = {NULL};
    int size[COUNT] = {0};
    for (int i = 0; i < COUNT; i++)
        if (!modes_of || i == MODES)
            values[i] = read_channel(r, modes_of ? modes_of : b->name, what[i], &size[i]);
    size_t n = (size_t)scene->instant_count, modes = b->skin ? (size_t)b->skin->mode_count : 0;
    size_t columns = modes + (b->skin ? (size_t)b->skin->further_count : 0);
    b->position = lmb_arena_alloc(scene->arena, n + 1, sizeof *b->position);
    b->turn = lmb_arena_alloc(scene->arena, n + 1, sizeof *b->turn);
    b->eta = lmb_arena_numbers(scene->arena, n * modes + 1);
    b->strained = lmb_arena_numbers(scene->arena, n * columns + 1);
    if (!lmb_arena_fine(scene->arena))
        return lmb_fail_memory(r->context);
    const double *p = values[POSITION];
    for (int i = 0; p && i < scene->instant_count; i++, p += size[POSITION])
        b->position[i] = v3(p[0], p[1], size[POSITION] > 2 ? p[2] : 0);
    fill_turns(scene, b, values[TURN], values[PLANE_TURN]);
    size_t given = (size_t)size[MODES];
    for (size_t i = 0; values[MODES] && given <= modes && i < n; i++)
        memcpy(b->eta + i * modes, values[MODES] + i * given, given * sizeof *b->eta);
    const double *own = values[STRAINED] ? values[STRAINED] : b->eta;
    size_t width = values[STRAINED] ? (size_t)size[STRAINED] : modes;
    for (size_t i = 0; i < n; i++)
        memcpy(b->strained + i * columns, own + i * width,
               (width < columns ? width : columns) * sizeof *own);
    return LMB_OK;
}

/* --- sections that carry a skin -----------------------------------------------------------------
 */

enum { NODES, QUATERNION, ANGLE, FORCE, MOMENT, CHANNELS };

/* What the channels over the nodes of a beam have; NULL: there is none. */
typedef struct nodes_values {
    int count, dimension;
    const double *of[CHANNELS]; /* instant x node x numbers */
} nodes_values;

/* The frame of a node; `i` counts instants and nodes. */
static lmb_frame node_frame(const nodes_values *v, size_t i)
{
    const double *x = v->of[NODES] + (size_t)v->dimension * i, *q = v->of[QUATERNION];
    double half = v->of[ANGLE] ? v->of[ANGLE][i] / 2 : 0;
    quat turn = q ? (quat){q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]}
                  : (quat){cos(half), 0, 0, sin(half)};
    mat3 R = quat_matrix(quat_normalised(turn));
    return frame_with_axes(v3(x[0], x[1], v->dimension == 3 ? x[2] : 0), &R);
}

/* The section forces N, Vy, Vz, T, My, Mz of a node. */
static void node_forces(const nodes_values *v, size_t i, double out[6])
{
    const double *f = v->of[FORCE], *m = v->of[MOMENT];
    bool space = v->dimension == 3;
    size_t at = (size_t)v->dimension * i;
    const double values[6] = {f[at],
                              f[at + 1],
                              space ? f[at + 2] : 0,
                              space ? m[at] : 0,
                              space ? m[at + 1] : 0,
                              space ? m[at + 2] : m[i]};
    memcpy(out, values, sizeof values);
}

static lmb_frame rest_frame(const lmb_skin *skin, int carrier)
{
    const float *x = skin->carriers + LMB_CARRIER_NUMBERS * carrier;
    mat3 R = quat_matrix((quat){x[3], x[4], x[5], x[6]});
    return frame_with_axes(v3(x[0], x[1], x[2]), &R);
}

/* Frames and section forces of the carriers at all instants, of those of the nodes; without nodes
 * in the result those at rest. */
static void fill_carriers(const lmb_scene *scene, lmb_scene_body *b, const nodes_values *v,
                          lmb_frame *frames, double *forces)
{
    size_t carriers = (size_t)b->skin->carrier_count, nodes = (size_t)v->count;
    bool moves = v->of[NODES], loaded = v->of[FORCE] && v->of[MOMENT];
    for (size_t i = 0; i < (size_t)scene->instant_count; i++) {
        for (size_t k = 0; k < nodes; k++) {
            if (moves)
                frames[k] = node_frame(v, i * nodes + k);
            if (loaded)
                node_forces(v, i * nodes + k, forces + 6 * k);
        }
        for (size_t k = 0; k < carriers; k++) {
            size_t to = i * carriers + k;
            b->frames[to] =
                moves ? lmb_skin_carrier(b->skin, (int)k, frames) : rest_frame(b->skin, (int)k);
            if (loaded)
                lmb_skin_section(b->skin, (int)k, forces, b->sections + LMB_FIBRE_NUMBERS * to);
        }
    }
}

static lmb_status read_carriers(const reading *r, lmb_scene_body *b)
{
    static const char *const what[CHANNELS] = {"nodes", "nodes_quaternion", "nodes_angle",
                                               "section.force", "section.moment"};
    lmb_arena *arena = r->scene->arena;
    int dimension = r->geometry.dimension, turn = dimension == 3 ? 3 : 1;
    const int wanted[CHANNELS] = {dimension, 4, 1, dimension, turn};
    nodes_values v = {.count = lmb_skin_beam_nodes(b->skin), .dimension = dimension};
    size_t n = (size_t)r->scene->instant_count * (size_t)b->skin->carrier_count;
    for (int i = 0; i < CHANNELS; i++) {
        int size;
        v.of[i] = read_channel(r, b->name, what[i], &size);
        if (size != wanted[i] * v.count)
            v.of[i] = NULL;
    }
    lmb_frame *frames = lmb_arena_alloc(arena, (size_t)v.count + 1, sizeof *frames);
    double *forces = lmb_arena_numbers(arena, 6 * (size_t)v.count + 1);
    b->frames = lmb_arena_alloc(arena, n + 1, sizeof *b->frames);
    b->sections = lmb_arena_numbers(arena, LMB_FIBRE_NUMBERS * n + 1);
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(r->context);
    fill_carriers(r->scene, b, &v, frames, forces);
    return LMB_OK;
}

/* --- all -------------------------------------------------------------------------------------- */

static vec3 upwards(const reading *r)
{
    vec3 g = r->geometry.gravity;
    double x = fabs(g.x), y = fabs(g.y), z = fabs(g.z);
    if (r->geometry.dimension == 2)
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
    const lmb_geometry *g = &r->geometry;
    scene->bodies = lmb_arena_alloc(scene->arena, (size_t)g->body_count + 1, sizeof *scene->bodies);
    lmb_status status = scene->bodies ? LMB_OK : lmb_fail_memory(r->context);
    for (int i = 1; i < g->body_count && !status; i++) {
        lmb_scene_body *body = &scene->bodies[scene->body_count++];
        body->name = g->bodies[i].name;
        status = add_mesh(r, body, i) ? read_motion(r, body, g->bodies[i].modes_of)
                                      : lmb_fail_memory(r->context);
        if (!status && body->skin && body->skin->carrier_count > 0)
            status = read_carriers(r, body);
    }
    return status;
}

static lmb_status read_scene(reading *r, int analysis, double step)
{
    const char *text = lmb_result_text(r->result, "geometry");
    if (!text)
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' has no shapes of bodies in it",
                        lmb_result_path(r->result));
    lmb_status status = lmb_geometry_read(&r->geometry, r->context, r->scene->arena,
                                          lmb_result_path(r->result), text);
    if (!status)
        status = lmb_skins_read(&r->skins, &r->skin_count, r->scene->arena, r->context,
                                lmb_result_file(r->result), lmb_result_path(r->result));
    if (!status) {
        r->scene->up = upwards(r);
        status = lmb_result_instants(r->result, r->context, r->scene->arena, analysis, step,
                                     &r->scene->time, &r->scene->instant_count);
    }
    return status ? status : read_bodies(r);
}

lmb_status lmb_scene_read(lmb_scene **out, lmb_context *context, lmb_result *result, int analysis,
                          double step)
{
    lmb_arena *arena;
    lmb_scene *scene = lmb_arena_object(&arena, sizeof *scene);
    if (!scene)
        return lmb_fail_memory(context);
    scene->arena = arena;
    reading r = {.context = context,
                 .result = result,
                 .analysis = lmb_result_analysis_name(result, analysis),
                 .scene = scene};
    lmb_status status = read_scene(&r, analysis, step);
    if (status)
        lmb_arena_free(arena);
    *out = status ? NULL : scene;
    return status;
}
