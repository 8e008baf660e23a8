/* Reading the loads of a flexible body from a result. */
#include "export/load_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

/* One instant of a series as a vector: in the plane x, y, or for what turns z. */
static vec3 vector_at(const lmb_series *s, int instant, bool turns)
{
    const double *v = s->values + (size_t)instant * (size_t)s->size;
    if (s->size == 1 && turns)
        return v3(0, 0, v[0]);
    return v3(v[0], s->size > 1 ? v[1] : 0, s->size > 2 ? v[2] : 0);
}

/* Reads a channel of the body into a column of all instants. */
static lmb_status read_vector(lmb_load_cases *c, lmb_context *context, lmb_result *result,
                              const char *channel, bool turns, int column)
{
    lmb_series s;
    const char *name = lmb_text_format(c->arena, "%s/%s.%s", c->analysis, c->body, channel);
    lmb_status status =
        name ? lmb_result_read(result, context, name, &s) : lmb_fail_memory(context);
    if (status)
        return status;
    for (int i = 0; i < c->count && i < s.count; i++) {
        vec3 v = vector_at(&s, i, turns);
        double *to = c->numbers + (size_t)i * (size_t)lmb_load_width(c) + (size_t)column;
        to[0] = v.x, to[1] = v.y, to[2] = v.z;
    }
    lmb_series_free(&s);
    return LMB_OK;
}

/* What the result says about the body: where its frame and its points are. */
static lmb_status read_places(lmb_load_cases *c, lmb_context *context, const char *text,
                              vec3 *origin)
{
    bool found = false;
    lmb_nearest nearest = lmb_nearest_start(c->body);
    size_t room = 0;
    for (const char *at = text; *at; at++)
        room += *at == '\n';
    c->points = lmb_arena_alloc(c->arena, room + 1, sizeof *c->points);
    if (!c->points)
        return lmb_fail_memory(context);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        char body[256], point[256];
        vec3 x;
        int node;
        if (sscanf(line, "body %255s %lf %lf %lf", body, &x.x, &x.y, &x.z) == 4) {
            const char *copy = lmb_text_copy(c->arena, body, strlen(body));
            if (copy)
                lmb_nearest_try(&nearest, copy);
            found = found || strcmp(body, c->body) == 0;
            *origin = strcmp(body, c->body) == 0 ? x : *origin;
        } else if (sscanf(line, "point %255s %255s %lf %lf %lf %d", body, point, &x.x, &x.y, &x.z,
                          &node) == 6 &&
                   strcmp(body, c->body) == 0) {
            const char *name = lmb_text_copy(c->arena, point, strlen(point));
            if (!name)
                return lmb_fail_memory(context);
            c->points[c->point_count++] = (lmb_load_point){name, x, node};
        }
    }
    if (found)
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "there is no flexible body '%s' in the result", c->body);
    lmb_nearest_hint(context, &nearest);
    return LMB_BAD_INPUT;
}

/* The analysis must have forces. */
static lmb_status check_forces(const lmb_load_cases *c, lmb_context *context, lmb_result *result)
{
    const char *wanted = lmb_text_format(c->arena, "%s.%s.force", c->body, c->points[0].name);
    if (!wanted)
        return lmb_fail_memory(context);
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int i = 0; strcmp(lmb_result_analysis_name(result, a), c->analysis) == 0 &&
                        i < lmb_result_channel_count(result, a);
             i++)
            if (strcmp(lmb_result_channel(result, a, i)->name, wanted) == 0)
                return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "analysis '%s' has no forces on body '%s'", c->analysis,
             c->body);
    lmb_hint(context, "statics, dynamics and inverse dynamics have some");
    return LMB_BAD_INPUT;
}

/* From the origin of the body frame to that of the mesh. */
static void move_frame(lmb_load_cases *c, vec3 origin)
{
    for (int i = 0; i < c->count; i++) {
        double *f = c->numbers + (size_t)i * (size_t)lmb_load_width(c) +
                    (size_t)c->point_count * LMB_LOAD_NUMBERS;
        vec3 w = v3(f[3], f[4], f[5]), wd = v3(f[6], f[7], f[8]), x = v3_scale(-1, origin);
        vec3 more = v3_add(v3_cross(wd, x), v3_cross(w, v3_cross(w, x)));
        f[0] += more.x, f[1] += more.y, f[2] += more.z;
    }
}

static lmb_status read_time(lmb_load_cases *c, lmb_context *context, lmb_result *result)
{
    lmb_series s;
    const char *name = lmb_text_format(c->arena, "%s/%s.proper_acceleration", c->analysis, c->body);
    lmb_status status =
        name ? lmb_result_read(result, context, name, &s) : lmb_fail_memory(context);
    if (status)
        return status;
    c->count = s.count;
    c->dimension = s.size;
    c->time = lmb_arena_numbers(c->arena, (size_t)s.count + 1);
    c->numbers = lmb_arena_numbers(c->arena, (size_t)s.count * (size_t)lmb_load_width(c) + 1);
    if (c->time && c->numbers && s.count)
        memcpy(c->time, s.time, (size_t)s.count * sizeof *s.time);
    lmb_series_free(&s);
    return c->time && c->numbers ? LMB_OK : lmb_fail_memory(context);
}

static lmb_status read_all(lmb_load_cases *c, lmb_context *context, lmb_result *result)
{
    static const char *const of_point[] = {"force", "torque", "displacement", "rotation"};
    const char *text = lmb_result_text(result, "flexible");
    vec3 origin = v3(0, 0, 0);
    lmb_status status = read_places(c, context, text ? text : "", &origin);
    if (status || (status = check_forces(c, context, result)) ||
        (status = read_time(c, context, result)))
        return status;
    int frame = c->point_count * LMB_LOAD_NUMBERS;
    for (int p = 0; p < c->point_count && !status; p++)
        for (int k = 0; k < 4 && !status; k++) {
            const char *name = lmb_text_format(c->arena, "%s.%s", c->points[p].name, of_point[k]);
            status = name ? read_vector(c, context, result, name, k % 2 == 1,
                                        p * LMB_LOAD_NUMBERS + 3 * k)
                          : lmb_fail_memory(context);
        }
    bool space = c->dimension == 3;
    if (!status &&
        !(status = read_vector(c, context, result, "proper_acceleration", false, frame)) &&
        !(status =
              read_vector(c, context, result, space ? "angular_velocity_local" : "angular_velocity",
                          true, frame + LMB_LOAD_SPIN)) &&
        !(status = read_vector(c, context, result,
                               space ? "angular_acceleration_local" : "angular_acceleration", true,
                               frame + LMB_LOAD_SPIN_RATE)))
        move_frame(c, origin);
    return status;
}

lmb_status lmb_load_cases_read(lmb_load_cases **out, lmb_context *context, lmb_result *result,
                               const char *analysis, const char *body)
{
    *out = NULL;
    lmb_arena *arena = lmb_arena_new();
    lmb_load_cases *c = arena ? lmb_arena_alloc(arena, 1, sizeof *c) : NULL;
    if (!c) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    *c = (lmb_load_cases){.arena = arena, .body = body, .analysis = analysis};
    lmb_status status = read_all(c, context, result);
    if (status)
        lmb_arena_free(arena);
    else
        *out = c;
    return status;
}
