/* Scenes as binary glTF 2.0: one node a body, moved by an animation of translation and rotation;
 * the modes of flexible bodies are morph targets whose weights are animated, too. Where nodes of a
 * body carry its skin they are joints of glTF: nodes that are animated, one by one. A node above
 * all turns the axis that points up into y, as glTF has it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/message.h"
#include "export/scene.h"

enum {
    FLOAT = 5126,
    UINT = 5125,
    USHORT = 5123,
    VERTICES = 34962,
    INDICES = 34963,
    LINES = 1,
    TRIANGLES = 4
};

/* The file in the making: its JSON, lists that grow beside it, and the bytes behind it. */
typedef struct gltf {
    lmb_json json, views, accessors, channels, samplers;
    lmb_arena *arena; /* of numbers until they are written */
    FILE *bytes;
    char *byte_text;
    size_t byte_size, used;
    int view_count, accessor_count, channel_count;
    int joints, weights; /* accessors of the mesh that is written; -1: nothing carries it */
    bool failed;         /* out of memory for a list */
} gltf;

/* Begins a list, and puts it where it belongs. */
static void start_list(lmb_json *list)
{
    lmb_json_start_text(list);
    lmb_json_open_flat(list, NULL, '[');
}

static void end_list(gltf *g, const char *key, lmb_json *list)
{
    lmb_json_close(list);
    char *text = lmb_json_end_text(list);
    if (text)
        lmb_json_raw(&g->json, key, text);
    g->failed = g->failed || !text;
    free(text);
}

/* Numbers with the digits of single precision. */
static void put_numbers(lmb_json *json, const char *key, int count, const double *values)
{
    lmb_json_open_flat(json, key, '[');
    for (int k = 0; k < count; k++)
        lmb_json_rounded(json, NULL, values[k], 9);
    lmb_json_close(json);
}

/* The least and largest of each component. */
static void put_limits(lmb_json *json, const float *data, size_t count, int components)
{
    double least[4], most[4];
    for (int k = 0; k < components; k++) {
        least[k] = most[k] = (double)data[k];
        for (size_t i = 1; i < count; i++) {
            double v = (double)data[i * (size_t)components + (size_t)k];
            least[k] = fmin(least[k], v);
            most[k] = fmax(most[k], v);
        }
    }
    put_numbers(json, "min", components, least);
    put_numbers(json, "max", components, most);
}

/* Adds numbers (of four bytes, or four of two) as a view with an accessor; returns its number.
 * `limits` adds the least and largest of each component. */
static int add(gltf *g, const void *data, size_t count, int components, int type, int target,
               bool limits)
{
    static const char *const names[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    size_t size = (type == USHORT ? 2 : 4) * count * (size_t)components;
    fwrite(data, 1, size, g->bytes);
    lmb_json_open(&g->views, NULL, '{');
    lmb_json_put(&g->views, "buffer %d, byteOffset %zu, byteLength %zu", 0, g->used, size);
    if (target)
        lmb_json_integer(&g->views, "target", target);
    lmb_json_close(&g->views);
    g->used += size;
    lmb_json_open(&g->accessors, NULL, '{');
    lmb_json_put(&g->accessors, "bufferView %d, componentType %d, count %zu, type %s",
                 g->view_count++, type, count, names[components]);
    if (limits)
        put_limits(&g->accessors, data, count, components);
    lmb_json_close(&g->accessors);
    return g->accessor_count++;
}

/* The colours of the bodies, one after the other. */
static const double colours[][4] = {
    {0.08, 0.19, 0.38, 1}, {0.74, 0.25, 0.04, 1}, {0.1, 0.34, 0.16, 1},  {0.46, 0.13, 0.15, 1},
    {0.25, 0.17, 0.39, 1}, {0.08, 0.37, 0.38, 1}, {0.58, 0.37, 0.04, 1}, {0.26, 0.15, 0.1, 1}};
enum { MATERIALS = sizeof colours / sizeof *colours };

static void put_materials(lmb_json *json)
{
    lmb_json_open(json, "materials", '[');
    for (int i = 0; i < MATERIALS; i++) {
        lmb_json_open(json, NULL, '{');
        lmb_json_open(json, "pbrMetallicRoughness", '{');
        put_numbers(json, "baseColorFactor", 4, colours[i]);
        lmb_json_put(json, "metallicFactor %.9g, roughnessFactor %.9g", 0.1, 0.6);
        lmb_json_close(json);
        lmb_json_bool(json, "doubleSided", true);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

/* --- parts of the JSON ------------------------------------------------------------------------ */

static void put_primitive(gltf *g, int position, const int *corners, size_t count, int mode,
                          const int *targets, int target_count, int material)
{
    int indices = add(g, corners, count, 1, UINT, INDICES, false);
    lmb_json_open(&g->json, NULL, '{');
    if (g->joints >= 0)
        lmb_json_object(&g->json, "attributes", "POSITION %d, JOINTS_0 %d, WEIGHTS_0 %d", position,
                        g->joints, g->weights);
    else
        lmb_json_object(&g->json, "attributes", "POSITION %d", position);
    lmb_json_put(&g->json, "indices %d, mode %d, material %d", indices, mode, material);
    if (target_count > 0) {
        lmb_json_open(&g->json, "targets", '[');
        for (int i = 0; i < target_count; i++)
            lmb_json_object(&g->json, NULL, "POSITION %d", targets[i]);
        lmb_json_close(&g->json);
    }
    lmb_json_close(&g->json);
}

static bool has_mesh(const lmb_scene_body *b)
{
    return b->mesh.triangle_count > 0 || (b->skin && b->skin->line_count > 0);
}

/* The modes of a flexible body as targets: none is there at first; their names. */
static void put_targets(lmb_json *json, const lmb_skin *skin)
{
    lmb_json_open(json, "weights", '[');
    for (int m = 0; m < skin->mode_count; m++)
        lmb_json_integer(json, NULL, 0);
    lmb_json_close(json);
    lmb_json_open(json, "extras", '{');
    lmb_json_open(json, "targetNames", '[');
    for (int m = 0; m < skin->mode_count; m++) {
        char name[64];
        lmb_snprintf(name, sizeof name, skin->frequency[m] > 0 ? "mode %d, %.6g Hz" : "shape %d",
                     m + 1, skin->frequency[m]);
        lmb_json_text(json, NULL, name);
    }
    lmb_json_close(json);
    lmb_json_close(json);
}

static bool is_carried(const lmb_scene_body *b)
{
    return b->skin && b->skin->carrier_count > 0;
}

/* Which joint carries each vertex: the first of four, with all of the weight. */
static void add_joints(gltf *g, const lmb_scene_body *b)
{
    size_t n = (size_t)b->mesh.node_count;
    uint16_t *joints = lmb_arena_alloc(g->arena, 4 * n + 1, sizeof *joints);
    float *weights = lmb_arena_alloc(g->arena, 4 * n + 1, sizeof *weights);
    g->joints = g->weights = -1;
    if (!is_carried(b) || !joints || !weights)
        return;
    for (size_t i = 0; i < n; i++) {
        joints[4 * i] = (uint16_t)b->skin->carrier[i];
        weights[4 * i] = 1;
    }
    g->joints = add(g, joints, n, 4, USHORT, VERTICES, false);
    g->weights = add(g, weights, n, 4, FLOAT, VERTICES, false);
}

static void put_mesh(gltf *g, const lmb_scene_body *b, int material)
{
    size_t n = (size_t)b->mesh.node_count;
    int modes = b->skin ? b->skin->mode_count : 0;
    int *targets = lmb_arena_integers(g->arena, (size_t)modes + 1);
    if (!targets)
        return;
    int position = add(g, b->mesh.nodes, n, 3, FLOAT, VERTICES, true);
    add_joints(g, b);
    for (int m = 0; m < modes; m++)
        targets[m] = add(g, b->skin->shapes + 3 * n * (size_t)m, n, 3, FLOAT, VERTICES, true);
    lmb_json_open(&g->json, NULL, '{');
    lmb_json_text(&g->json, "name", b->name);
    lmb_json_open(&g->json, "primitives", '[');
    if (b->mesh.triangle_count > 0)
        put_primitive(g, position, b->mesh.triangles, 3 * (size_t)b->mesh.triangle_count, TRIANGLES,
                      targets, modes, material);
    if (b->skin && b->skin->line_count > 0)
        put_primitive(g, position, b->skin->lines, 2 * (size_t)b->skin->line_count, LINES, targets,
                      modes, material);
    lmb_json_close(&g->json);
    if (modes > 0)
        put_targets(&g->json, b->skin);
    lmb_json_close(&g->json);
}

/* One channel of the animation. */
static void put_channel(gltf *g, int input, int output, int node, const char *path)
{
    lmb_json_object(&g->samplers, NULL, "input %d, output %d, interpolation %s", input, output,
                    "LINEAR");
    lmb_json_open(&g->channels, NULL, '{');
    lmb_json_integer(&g->channels, "sampler", g->channel_count++);
    lmb_json_object(&g->channels, "target", "node %d, path %s", node, path);
    lmb_json_close(&g->channels);
}

static quat turn_of(const lmb_frame *frame)
{
    mat3 R = frame_rotation(frame);
    return quat_from_matrix(&R);
}

/* The motion of the joints of a body; quaternions stay on the side of those before. */
static void put_joint_motion(gltf *g, const lmb_scene *scene, const lmb_scene_body *b, int input,
                             int first)
{
    size_t n = (size_t)scene->instant_count, carriers = (size_t)b->skin->carrier_count;
    float *place = lmb_arena_alloc(g->arena, 7 * n + 1, sizeof *place), *turn = place + 3 * n;
    for (size_t k = 0; place && k < carriers; k++) {
        quat last = quat_identity();
        for (size_t i = 0; i < n; i++) {
            const lmb_frame *x = &b->frames[i * carriers + k];
            quat q = turn_of(x);
            double dot = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z;
            double side = i > 0 && dot < 0 ? -1 : 1;
            last = (quat){side * q.w, side * q.x, side * q.y, side * q.z};
            const double of[7] = {x->p.x, x->p.y, x->p.z, last.x, last.y, last.z, last.w};
            for (size_t c = 0; c < 7; c++)
                (c < 3 ? place + 3 * i : turn + 4 * i - 3)[c] = (float)of[c];
        }
        int node = first + (int)k;
        put_channel(g, input, add(g, place, n, 3, FLOAT, 0, false), node, "translation");
        put_channel(g, input, add(g, turn, n, 4, FLOAT, 0, false), node, "rotation");
    }
}

/* The numbers of the motion of a body. */
static void put_motion(gltf *g, const lmb_scene *scene, const lmb_scene_body *b, int input,
                       int node)
{
    size_t n = (size_t)scene->instant_count, modes = b->skin ? (size_t)b->skin->mode_count : 0;
    float *room = lmb_arena_alloc(g->arena, n * (7 + modes) + 1, sizeof *room);
    if (!room)
        return;
    float *turn = room + 3 * n, *weight = turn + 4 * n;
    for (size_t i = 0; i < n; i++) {
        const float q[4] = {(float)b->turn[i].x, (float)b->turn[i].y, (float)b->turn[i].z,
                            (float)b->turn[i].w};
        for (int k = 0; k < 3; k++)
            room[3 * i + (size_t)k] = (float)v3_get(b->position[i], k);
        memcpy(turn + 4 * i, q, sizeof q);
        for (size_t m = 0; m < modes; m++)
            weight[i * modes + m] = (float)b->eta[i * modes + m];
    }
    put_channel(g, input, add(g, room, n, 3, FLOAT, 0, false), node, "translation");
    put_channel(g, input, add(g, turn, n, 4, FLOAT, 0, false), node, "rotation");
    if (modes && has_mesh(b))
        put_channel(g, input, add(g, weight, n * modes, 1, FLOAT, 0, false), node, "weights");
}

static void put_quat(lmb_json *json, quat q)
{
    put_numbers(json, "rotation", 4, (double[]){q.x, q.y, q.z, q.w});
}

/* The number of the first joint of a body; behind all bodies, the number of nodes. */
static int first_joint(const lmb_scene *scene, int body)
{
    int number = 1 + scene->body_count;
    for (int i = 0; i < body; i++)
        number += is_carried(&scene->bodies[i]) ? scene->bodies[i].skin->carrier_count : 0;
    return number;
}

/* The joints of a body, where they are at the first instant. */
static void put_joints(lmb_json *json, const lmb_scene *scene, const lmb_scene_body *b)
{
    for (int k = 0; is_carried(b) && k < b->skin->carrier_count; k++) {
        lmb_json_open(json, NULL, '{');
        if (scene->instant_count > 0) {
            put_numbers(json, "translation", 3, &b->frames[k].p.x);
            put_quat(json, turn_of(&b->frames[k]));
        }
        lmb_json_close(json);
    }
}

static void put_nodes(lmb_json *json, const lmb_scene *scene)
{
    vec3 up = scene->up;
    double h = sqrt(0.5);
    quat turn = up.z > 0   ? (quat){h, -h, 0, 0}
                : up.z < 0 ? (quat){h, h, 0, 0}
                : up.x > 0 ? (quat){h, 0, 0, h}
                : up.x < 0 ? (quat){h, 0, 0, -h}
                : up.y < 0 ? (quat){0, 1, 0, 0}
                           : quat_identity();
    lmb_json_open(json, "nodes", '[');
    lmb_json_open(json, NULL, '{');
    lmb_json_text(json, "name", "mechanism");
    put_quat(json, turn);
    lmb_json_open(json, "children", '[');
    for (int i = 1; i < first_joint(scene, scene->body_count); i++)
        if (i > scene->body_count || !is_carried(&scene->bodies[i - 1]))
            lmb_json_integer(json, NULL, i);
    lmb_json_close(json);
    lmb_json_close(json);
    for (int i = 0, mesh = 0, skin = 0; i < scene->body_count; i++) {
        const lmb_scene_body *b = &scene->bodies[i];
        lmb_json_open(json, NULL, '{');
        lmb_json_text(json, "name", b->name);
        if (has_mesh(b))
            lmb_json_integer(json, "mesh", mesh++);
        if (is_carried(b))
            lmb_json_integer(json, "skin", skin++);
        else if (scene->instant_count > 0) {
            put_numbers(json, "translation", 3, &b->position[0].x);
            put_quat(json, b->turn[0]);
        }
        lmb_json_close(json);
    }
    for (int i = 0; i < scene->body_count; i++)
        put_joints(json, scene, &scene->bodies[i]);
    lmb_json_close(json);
}

/* Bodies that joints move are not below the node above all: they have no place of their own. */
static void put_roots(lmb_json *json, const lmb_scene *scene)
{
    lmb_json_open(json, "scenes", '[');
    lmb_json_open(json, NULL, '{');
    lmb_json_open_flat(json, "nodes", '[');
    lmb_json_integer(json, NULL, 0);
    for (int i = 0; i < scene->body_count; i++)
        if (is_carried(&scene->bodies[i]))
            lmb_json_integer(json, NULL, i + 1);
    lmb_json_close(json);
    lmb_json_close(json);
    lmb_json_close(json);
}

/* The joints of the bodies that have some; places are in the axes of these, so no matrices take
 * them there. */
static void put_skins(lmb_json *json, const lmb_scene *scene)
{
    if (first_joint(scene, scene->body_count) == first_joint(scene, 0))
        return;
    lmb_json_open(json, "skins", '[');
    for (int i = 0; i < scene->body_count; i++) {
        if (!is_carried(&scene->bodies[i]))
            continue;
        lmb_json_open(json, NULL, '{');
        lmb_json_open_flat(json, "joints", '[');
        for (int k = 0; k < scene->bodies[i].skin->carrier_count; k++)
            lmb_json_integer(json, NULL, first_joint(scene, i) + k);
        lmb_json_close(json);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void put_animation(gltf *g, const lmb_scene *scene)
{
    size_t n = (size_t)scene->instant_count;
    float *time = lmb_arena_alloc(g->arena, n + 1, sizeof *time);
    if (!time)
        return;
    for (size_t i = 0; i < n; i++)
        time[i] = (float)(scene->time[i] - scene->time[0]);
    int input = add(g, time, n, 1, FLOAT, 0, true);
    start_list(&g->channels);
    start_list(&g->samplers);
    for (int i = 0; i < scene->body_count; i++)
        if (is_carried(&scene->bodies[i]))
            put_joint_motion(g, scene, &scene->bodies[i], input, first_joint(scene, i));
        else
            put_motion(g, scene, &scene->bodies[i], input, i + 1);
    lmb_json_open(&g->json, "animations", '[');
    lmb_json_open(&g->json, NULL, '{');
    lmb_json_text(&g->json, "name", "motion");
    end_list(g, "channels", &g->channels);
    end_list(g, "samplers", &g->samplers);
    lmb_json_close(&g->json);
    lmb_json_close(&g->json);
}

static void put_json(gltf *g, const lmb_scene *scene)
{
    lmb_json *json = &g->json;
    lmb_json_start_text(json);
    start_list(&g->views);
    start_list(&g->accessors);
    lmb_json_open_flat(json, NULL, '{');
    lmb_json_object(json, "asset", "version %s, generator %s", "2.0", "Limber");
    lmb_json_integer(json, "scene", 0);
    put_roots(json, scene);
    put_nodes(json, scene);
    put_skins(json, scene);
    put_materials(json);
    lmb_json_open(json, "meshes", '[');
    for (int i = 0; i < scene->body_count; i++)
        if (has_mesh(&scene->bodies[i]))
            put_mesh(g, &scene->bodies[i], i % MATERIALS);
    lmb_json_close(json);
    if (scene->instant_count >= 2)
        put_animation(g, scene);
    end_list(g, "bufferViews", &g->views);
    end_list(g, "accessors", &g->accessors);
    lmb_json_open(json, "buffers", '[');
    lmb_json_object(json, NULL, "byteLength %zu", g->used);
    lmb_json_close(json);
    lmb_json_close(json);
}

/* --- the file --------------------------------------------------------------------------------- */

static void put_u32(FILE *out, size_t value)
{
    for (int k = 0; k < 4; k++)
        putc((int)(value >> (8 * k) & 255), out);
}

/* Header, JSON and bytes, padded to multiples of four. */
static void put_file(FILE *out, const char *json, const gltf *g)
{
    size_t size = strlen(json), padded = (size + 3) / 4 * 4;
    fputs("glTF", out);
    put_u32(out, 2);
    put_u32(out, 12 + 8 + padded + 8 + g->used);
    put_u32(out, padded);
    fputs("JSON", out);
    fputs(json, out);
    for (size_t i = size; i < padded; i++)
        putc(' ', out);
    put_u32(out, g->used);
    fwrite("BIN\0", 1, 4, out);
    fwrite(g->byte_text, 1, g->used, out);
}

lmb_status lmb_write_gltf(lmb_context *context, const lmb_scene *scene, const char *path)
{
    gltf g = {.arena = lmb_arena_new()};
    char *file_text = NULL;
    size_t file_size = 0;
    g.bytes = lmb_text_open(&g.byte_text, &g.byte_size);
    if (g.bytes)
        put_json(&g, scene);
    char *json = g.bytes ? lmb_json_end_text(&g.json) : NULL;
    bool done = lmb_text_close(g.bytes) && json && !g.failed && lmb_arena_fine(g.arena);
    FILE *out = done ? lmb_text_open(&file_text, &file_size) : NULL;
    if (out)
        put_file(out, json, &g);
    done = lmb_text_close(out);
    lmb_status status =
        done ? lmb_file_write(context, path, file_text, file_size) : lmb_fail_memory(context);
    free(json);
    free(file_text);
    free(g.byte_text);
    lmb_arena_free(g.arena);
    return status;
}
