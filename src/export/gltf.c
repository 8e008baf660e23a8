/* Scenes as binary glTF 2.0: one node a body, moved by an animation of translation and rotation;
 * the modes of flexible bodies are morph targets whose weights are animated, too. A node above all
 * turns the axis that points up into y, as glTF has it. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/body_file.h"
#include "export/scene.h"

enum { FLOAT = 5126, UINT = 5125, VERTICES = 34962, INDICES = 34963, LINES = 1, TRIANGLES = 4 };

/* The file in the making: JSON of views and accessors, and the bytes behind it. */
typedef struct gltf {
    FILE *bytes, *views, *accessors;
    char *byte_text, *view_text, *accessor_text;
    size_t byte_size, view_size, accessor_size;
    size_t used;
    int view_count, accessor_count;
} gltf;

static bool open_all(gltf *g)
{
    g->bytes = open_memstream(&g->byte_text, &g->byte_size);
    g->views = open_memstream(&g->view_text, &g->view_size);
    g->accessors = open_memstream(&g->accessor_text, &g->accessor_size);
    return g->bytes && g->views && g->accessors;
}

static bool close_all(gltf *g)
{
    bool fine = true;
    FILE *const files[] = {g->bytes, g->views, g->accessors};
    for (int i = 0; i < 3; i++)
        fine = files[i] && !ferror(files[i]) && fclose(files[i]) == 0 && fine;
    return fine;
}

/* Adds numbers (all of four bytes) as a view with an accessor; returns its number. `limits` adds
 * the least and largest of each component. */
static int add(gltf *g, const void *data, size_t count, int components, int type, int target,
               bool limits)
{
    static const char *const names[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    size_t size = 4 * count * (size_t)components;
    fwrite(data, 1, size, g->bytes);
    fprintf(g->views, "%s{\"buffer\": 0, \"byteOffset\": %zu, \"byteLength\": %zu",
            g->view_count ? ", " : "", g->used, size);
    if (target)
        fprintf(g->views, ", \"target\": %d", target);
    fputs("}", g->views);
    g->used += size;
    fprintf(g->accessors,
            "%s{\"bufferView\": %d, \"componentType\": %d, \"count\": %zu, \"type\": \"%s\"",
            g->accessor_count ? ", " : "", g->view_count++, type, count, names[components]);
    for (int which = 0; limits && which < 2; which++) {
        fprintf(g->accessors, ", \"%s\": [", which ? "max" : "min");
        for (int k = 0; k < components; k++) {
            const float *values = (const float *)data + k;
            float best = values[0];
            for (size_t i = 1; i < count; i++) {
                float v = values[i * (size_t)components];
                best = which ? fmaxf(best, v) : fminf(best, v);
            }
            fprintf(g->accessors, "%s%.9g", k ? ", " : "", (double)best);
        }
        fputs("]", g->accessors);
    }
    fputs("}", g->accessors);
    return g->accessor_count++;
}

static const float palette[][3] = {
    {0.08f, 0.19f, 0.38f}, {0.74f, 0.25f, 0.04f}, {0.10f, 0.34f, 0.16f}, {0.46f, 0.13f, 0.15f},
    {0.25f, 0.17f, 0.39f}, {0.08f, 0.37f, 0.38f}, {0.58f, 0.37f, 0.04f}, {0.26f, 0.15f, 0.10f}};
enum { COLORS = sizeof palette / sizeof *palette };

/* --- parts of the JSON ------------------------------------------------------------------------ */

static void put_primitive(FILE *json, gltf *g, int position, const int *corners, size_t count,
                          int mode, const int *targets, int target_count, int material)
{
    int indices = add(g, corners, count, 1, UINT, INDICES, false);
    fprintf(json,
            "{\"attributes\": {\"POSITION\": %d}, \"indices\": %d, \"mode\": %d, \"material\": %d",
            position, indices, mode, material);
    for (int i = 0; i < target_count; i++)
        fprintf(json, "%s{\"POSITION\": %d}", i ? ", " : ", \"targets\": [", targets[i]);
    fputs(target_count ? "]}" : "}", json);
}

static bool has_mesh(const lmb_scene_body *b)
{
    return b->mesh.triangle_count > 0 || (b->skin && b->skin->line_count > 0);
}

static bool put_mesh(FILE *json, gltf *g, const lmb_scene_body *b, int material)
{
    size_t n = (size_t)b->mesh.node_count;
    int modes = b->skin ? b->skin->mode_count : 0;
    int *targets = malloc(((size_t)modes + 1) * sizeof *targets);
    if (!targets)
        return false;
    int position = add(g, b->mesh.nodes, n, 3, FLOAT, VERTICES, true);
    for (int m = 0; m < modes; m++)
        targets[m] = add(g, b->skin->shapes + 3 * n * (size_t)m, n, 3, FLOAT, VERTICES, true);
    fprintf(json, "{\"name\": \"%s\", \"primitives\": [", b->name);
    if (b->mesh.triangle_count > 0)
        put_primitive(json, g, position, b->mesh.triangles, 3 * (size_t)b->mesh.triangle_count,
                      TRIANGLES, targets, modes, material);
    if (b->skin && b->skin->line_count > 0) {
        fputs(b->mesh.triangle_count > 0 ? ", " : "", json);
        put_primitive(json, g, position, b->skin->lines, 2 * (size_t)b->skin->line_count, LINES,
                      targets, modes, material);
    }
    fputs("]", json);
    for (int m = 0; m < modes; m++)
        fprintf(json, "%s%d", m ? ", " : ", \"weights\": [", 0);
    for (int m = 0; m < modes; m++)
        fprintf(json, b->skin->frequency[m] > 0 ? "%s\"mode %d, %.6g Hz\"" : "%s\"shape %d\"",
                m ? ", " : "], \"extras\": {\"targetNames\": [", m + 1, b->skin->frequency[m]);
    fputs(modes ? "]}}" : "}", json);
    free(targets);
    return true;
}

/* One channel of the animation. */
static void put_channel(FILE *channels, FILE *samplers, int *count, int input, int output, int node,
                        const char *path)
{
    const char *comma = *count ? ", " : "";
    fprintf(samplers, "%s{\"input\": %d, \"output\": %d, \"interpolation\": \"LINEAR\"}", comma,
            input, output);
    fprintf(channels, "%s{\"sampler\": %d, \"target\": {\"node\": %d, \"path\": \"%s\"}}", comma,
            (*count)++, node, path);
}

/* The numbers of the motion of a body; false: out of memory. */
static bool put_motion(FILE *channels, FILE *samplers, int *count, gltf *g, const lmb_scene *scene,
                       const lmb_scene_body *b, int input, int node)
{
    size_t n = (size_t)scene->instant_count, modes = b->skin ? (size_t)b->skin->mode_count : 0;
    float *room = malloc((n * (7 + modes) + 1) * sizeof *room);
    if (!room)
        return false;
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
    put_channel(channels, samplers, count, input, add(g, room, n, 3, FLOAT, 0, false), node,
                "translation");
    put_channel(channels, samplers, count, input, add(g, turn, n, 4, FLOAT, 0, false), node,
                "rotation");
    if (modes && has_mesh(b))
        put_channel(channels, samplers, count, input, add(g, weight, n * modes, 1, FLOAT, 0, false),
                    node, "weights");
    free(room);
    return true;
}

static void put_nodes(FILE *json, const lmb_scene *scene)
{
    vec3 up = scene->up;
    double h = sqrt(0.5);
    quat turn = up.z > 0   ? (quat){h, -h, 0, 0}
                : up.z < 0 ? (quat){h, h, 0, 0}
                : up.x > 0 ? (quat){h, 0, 0, h}
                : up.x < 0 ? (quat){h, 0, 0, -h}
                : up.y < 0 ? (quat){0, 1, 0, 0}
                           : quat_identity();
    fprintf(json,
            "{\"name\": \"mechanism\", \"rotation\": [%.9g, %.9g, %.9g, %.9g], \"children\": [",
            turn.x, turn.y, turn.z, turn.w);
    for (int i = 0; i < scene->body_count; i++)
        fprintf(json, "%s%d", i ? ", " : "", i + 1);
    fputs("]}", json);
    for (int i = 0, mesh = 0; i < scene->body_count; i++) {
        const lmb_scene_body *b = &scene->bodies[i];
        fprintf(json, ", {\"name\": \"%s\"", b->name);
        if (has_mesh(b))
            fprintf(json, ", \"mesh\": %d", mesh++);
        if (scene->instant_count > 0)
            fprintf(json,
                    ", \"translation\": [%.9g, %.9g, %.9g], \"rotation\": [%.9g, %.9g, %.9g, %.9g]",
                    b->position[0].x, b->position[0].y, b->position[0].z, b->turn[0].x,
                    b->turn[0].y, b->turn[0].z, b->turn[0].w);
        fputs("}", json);
    }
}

static bool put_animation(FILE *json, gltf *g, const lmb_scene *scene)
{
    char *channel_text = NULL, *sampler_text = NULL;
    size_t channel_size, sampler_size, n = (size_t)scene->instant_count;
    FILE *channels = open_memstream(&channel_text, &channel_size);
    FILE *samplers = open_memstream(&sampler_text, &sampler_size);
    float *time = malloc((n + 1) * sizeof *time);
    bool done = channels && samplers && time;
    int count = 0, input = 0;
    for (size_t i = 0; done && i < n; i++)
        time[i] = (float)(scene->time[i] - scene->time[0]);
    if (done)
        input = add(g, time, n, 1, FLOAT, 0, true);
    for (int i = 0; done && i < scene->body_count; i++)
        done = put_motion(channels, samplers, &count, g, scene, &scene->bodies[i], input, i + 1);
    done = (!channels || fclose(channels) == 0) && (!samplers || fclose(samplers) == 0) && done;
    if (done)
        fprintf(
            json,
            ", \"animations\": [{\"name\": \"motion\", \"channels\": [%s], \"samplers\": [%s]}]",
            channel_text, sampler_text);
    free(channel_text);
    free(sampler_text);
    free(time);
    return done;
}

static bool put_json(FILE *json, gltf *g, const lmb_scene *scene)
{
    fputs("{\"asset\": {\"version\": \"2.0\", \"generator\": \"Limber\"}, \"scene\": 0, "
          "\"scenes\": [{\"nodes\": [0]}], \"nodes\": [",
          json);
    put_nodes(json, scene);
    fputs("], \"materials\": [", json);
    for (int i = 0; i < COLORS; i++)
        fprintf(json,
                "%s{\"pbrMetallicRoughness\": {\"baseColorFactor\": [%g, %g, %g, 1], "
                "\"metallicFactor\": 0.1, \"roughnessFactor\": 0.6}, \"doubleSided\": true}",
                i ? ", " : "", (double)palette[i][0], (double)palette[i][1], (double)palette[i][2]);
    bool done = true;
    fputs("], \"meshes\": [", json);
    for (int i = 0, first = 1; i < scene->body_count && done; i++)
        if (has_mesh(&scene->bodies[i])) {
            fputs(first ? "" : ", ", json);
            first = 0;
            done = put_mesh(json, g, &scene->bodies[i], i % COLORS);
        }
    fputs("]", json);
    return done && (scene->instant_count < 2 || put_animation(json, g, scene));
}

/* --- the file --------------------------------------------------------------------------------- */

static void put_u32(FILE *out, size_t value)
{
    for (int k = 0; k < 4; k++)
        putc((int)(value >> (8 * k) & 255), out);
}

/* Header, JSON and bytes, padded to multiples of four. */
static void put_file(FILE *out, const char *json, size_t json_size, const gltf *g)
{
    size_t padded = (json_size + 3) / 4 * 4;
    fputs("glTF", out);
    put_u32(out, 2);
    put_u32(out, 12 + 8 + padded + 8 + g->used);
    put_u32(out, padded);
    fputs("JSON", out);
    fputs(json, out);
    for (size_t i = json_size; i < padded; i++)
        putc(' ', out);
    put_u32(out, g->used);
    fwrite("BIN\0", 1, 4, out);
    fwrite(g->byte_text, 1, g->used, out);
}

lmb_status lmb_write_gltf(lmb_context *context, const lmb_scene *scene, const char *path)
{
    gltf g = {0};
    char *json_text = NULL, *file_text = NULL;
    size_t json_size = 0, file_size = 0;
    FILE *json = open_memstream(&json_text, &json_size);
    bool done = open_all(&g) && json && put_json(json, &g, scene);
    done = close_all(&g) && done;
    if (done)
        fprintf(
            json,
            ", \"bufferViews\": [%s], \"accessors\": [%s], \"buffers\": [{\"byteLength\": %zu}]}",
            g.view_text, g.accessor_text, g.used);
    done = json && fclose(json) == 0 && done;
    FILE *out = done ? open_memstream(&file_text, &file_size) : NULL;
    if (out)
        put_file(out, json_text, json_size, &g);
    done = out && fclose(out) == 0;
    lmb_status status = done ? LMB_OK : lmb_fail_memory(context);
    int error = done ? lmb_file_replace(path, (const unsigned char *)file_text, file_size) : 0;
    if (error)
        status = lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
    free(json_text);
    free(file_text);
    free(g.byte_text);
    free(g.view_text);
    free(g.accessor_text);
    return status;
}
