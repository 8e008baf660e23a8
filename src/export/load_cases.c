/* Reading the loads of a flexible body from a result. */
#include "export/load_cases.h"

#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "result/series.h"

/* One instant of a series as a vector: in the plane x, y, or for what turns z. */
static vec3 vector_at(const lmb_series *s, int instant, bool turns)
{
    const double *v = s->values + (size_t)instant * (size_t)s->size;
    if (s->size == 1 && turns)
        return v3(0, 0, v[0]);
    return v3(v[0], s->size > 1 ? v[1] : 0, s->size > 2 ? v[2] : 0);
}

/* The reading of load cases. */
typedef struct reading {
    lmb_context *context;
    lmb_result *result;
    lmb_load_cases *c;
    lmb_span span;
} reading;

/* Reads a channel of the body, or of a point of it (or ""), into a column of all instants; the
 * first one makes room for all. */
static lmb_status read_vector(const reading *r, const char *point, const char *channel, bool turns,
                              int column)
{
    lmb_series s;
    lmb_load_cases *c = r->c;
    const char *name = lmb_text_format(c->arena, "%s/%s.%s%s%s", c->analysis, c->body, point,
                                       point[0] ? "." : "", channel);
    lmb_status status =
        name ? lmb_result_read(r->result, r->context, name, &s) : lmb_fail_memory(r->context);
    if (status)
        return status;
    if ((status = lmb_series_cut(&s, r->context, r->span))) {
        lmb_series_free(&s);
        return status;
    }
    if (!c->numbers) {
        c->count = s.count;
        c->dimension = s.size;
        c->time = lmb_arena_numbers(c->arena, (size_t)s.count + 1);
        c->numbers = lmb_arena_numbers(c->arena, (size_t)s.count * (size_t)lmb_load_width(c) + 1);
        if (lmb_arena_fine(c->arena))
            memcpy(c->time, s.time, (size_t)s.count * sizeof *s.time);
    }
    for (int i = 0; lmb_arena_fine(c->arena) && i < c->count && i < s.count; i++) {
        vec3 v = vector_at(&s, i, turns);
        double *to = c->numbers + (size_t)i * (size_t)lmb_load_width(c) + (size_t)column;
        to[0] = v.x, to[1] = v.y, to[2] = v.z;
    }
    lmb_series_free(&s);
    return lmb_check_memory(r->context, c->arena);
}

/* What the result says about the body: where its frame and its points are. */
static lmb_status read_places(const reading *r, const char *text, vec3 *origin)
{
    lmb_load_cases *c = r->c;
    bool found = false;
    lmb_nearest nearest = lmb_nearest_start(c->body);
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
            c->points = lmb_arena_append(c->arena, c->points, c->point_count, sizeof *c->points);
            if (!lmb_arena_fine(c->arena))
                return lmb_fail_memory(r->context);
            c->points[c->point_count++] = (lmb_load_point){name, x, node};
        }
    }
    if (found)
        return lmb_check_memory(r->context, c->arena);
    lmb_fail(r->context, LMB_BAD_INPUT, "there is no flexible body '%s' in the result", c->body);
    return lmb_nearest_hint(r->context, &nearest);
}

/* The analysis must have forces. */
static lmb_status check_forces(const reading *r, int analysis)
{
    const lmb_load_cases *c = r->c;
    const char *wanted =
        lmb_text_format(c->arena, "%s.%s.force", c->body, c->point_count ? c->points[0].name : "");
    if (!wanted)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < lmb_result_channel_count(r->result, analysis); i++)
        if (strcmp(lmb_result_channel(r->result, analysis, i)->name, wanted) == 0)
            return LMB_OK;
    lmb_fail(r->context, LMB_BAD_INPUT, "analysis '%s' has no forces on body '%s'", c->analysis,
             c->body);
    return lmb_hint(r->context, "statics, dynamics and inverse dynamics have some");
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

static lmb_status read_all(const reading *r, int analysis)
{
    static const char *const of_point[] = {"force", "torque", "displacement", "rotation"};
    lmb_load_cases *c = r->c;
    const char *text = lmb_result_text(r->result, "flexible");
    vec3 origin = v3(0, 0, 0);
    lmb_status status = read_places(r, text ? text : "", &origin);
    int frame = c->point_count * LMB_LOAD_NUMBERS;
    if (status || (status = check_forces(r, analysis)) ||
        (status = read_vector(r, "", "proper_acceleration", false, frame)))
        return status;
    for (int p = 0; p < c->point_count && !status; p++)
        for (int k = 0; k < 4 && !status; k++)
            status = read_vector(r, c->points[p].name, of_point[k], k % 2 == 1,
                                 p * LMB_LOAD_NUMBERS + 3 * k);
    bool space = c->dimension == 3;
    if (!status)
        status = read_vector(r, "", space ? "angular_velocity_local" : "angular_velocity", true,
                             frame + LMB_LOAD_SPIN);
    if (!status)
        status = read_vector(r, "", space ? "angular_acceleration_local" : "angular_acceleration",
                             true, frame + LMB_LOAD_SPIN_RATE);
    if (!status)
        move_frame(c, origin);
    return status;
}

lmb_status lmb_load_cases_read(lmb_load_cases **out, lmb_context *context, lmb_result *result,
                               int analysis, const char *body, lmb_span span)
{
    lmb_arena *arena;
    lmb_load_cases *c = lmb_arena_object(&arena, sizeof *c);
    *out = NULL;
    if (!c)
        return lmb_fail_memory(context);
    *c = (lmb_load_cases){
        .arena = arena, .body = body, .analysis = lmb_result_analysis_name(result, analysis)};
    lmb_status status = read_all(&(reading){context, result, c, span}, analysis);
    if (status)
        lmb_arena_free(arena);
    else
        *out = c;
    return status;
}
