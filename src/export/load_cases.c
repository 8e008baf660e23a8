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

/* Read the series of a channel of the body, or of a point of it (or ""), in the span. */
static lmb_status read_series(const reading *r, const char *point, const char *channel,
                              lmb_series *s)
{
    const lmb_load_cases *c = r->c;
    const char *name = lmb_text_format(c->arena, "%s/%s.%s%s%s", c->analysis, c->body, point,
                                       point[0] ? "." : "", channel);
    lmb_status status =
        name ? lmb_result_read(r->result, r->context, name, s) : lmb_fail_memory(r->context);
    if (!status && (status = lmb_series_cut(s, r->context, r->span)))
        lmb_series_free(s);
    return status;
}

/* Read such a channel into a column of all instants; the first one makes room for all. */
static lmb_status read_vector(const reading *r, const char *point, const char *channel, bool turns,
                              int column)
{
    lmb_series s;
    lmb_load_cases *c = r->c;
    lmb_status status = read_series(r, point, channel, &s);
    if (status)
        return status;
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
    size_t length = strlen(c->body);
    lmb_nearest nearest = lmb_nearest_start(c->body);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        char body[256], point[256];
        vec3 x;
        if (lmb_sscanf(line, "body %255s %lf %lf %lf", body, &x.x, &x.y, &x.z) == 4) {
            const char *copy = lmb_text_copy(c->arena, body, strlen(body));
            if (copy)
                lmb_nearest_try(&nearest, copy);
            found = found || strcmp(body, c->body) == 0;
            *origin = strcmp(body, c->body) == 0 ? x : *origin;
        } else if (lmb_sscanf(line, "patch %255s", body) == 1 &&
                   strncmp(body, c->body, length) == 0 && body[length] == '.') {
            c->patches = lmb_arena_append(c->arena, c->patches, c->patch_count, sizeof *c->patches);
            const char *name =
                lmb_text_copy(c->arena, body + length + 1, strlen(body + length + 1));
            if (!lmb_arena_fine(c->arena))
                return lmb_fail_memory(r->context);
            c->patches[c->patch_count++] = name;
        } else if (lmb_sscanf(line, "files %255s %255s", body, point) == 2 &&
                   strcmp(body, c->body) == 0) {
            c->checksum = lmb_text_copy(c->arena, point, strlen(point));
        } else if (lmb_sscanf(line, "point %255s %255s %lf %lf %lf", body, point, &x.x, &x.y,
                              &x.z) == 5 &&
                   strcmp(body, c->body) == 0) {
            const char *name = lmb_text_copy(c->arena, point, strlen(point));
            c->points = lmb_arena_append(c->arena, c->points, c->point_count, sizeof *c->points);
            if (!lmb_arena_fine(c->arena))
                return lmb_fail_memory(r->context);
            c->points[c->point_count++] = (lmb_load_point){name, x};
        }
    }
    if (found)
        return lmb_check_memory(r->context, c->arena);
    lmb_fail(r->context, LMB_BAD_INPUT, "there is no flexible body '%s' in the result", c->body);
    return lmb_nearest_hint(r->context, &nearest);
}

/* Return true if an analysis has a channel of the body, or if memory runs out. */
static bool has_channel(const reading *r, int analysis, const char *name)
{
    const char *wanted = lmb_text_format(r->c->arena, "%s.%s", r->c->body, name);
    for (int i = 0; wanted && i < lmb_result_channel_count(r->result, analysis); i++)
        if (strcmp(lmb_result_channel(r->result, analysis, i)->name, wanted) == 0)
            return true;
    return !wanted;
}

/* The analysis must have forces. */
static lmb_status check_forces(const reading *r, int analysis)
{
    const lmb_load_cases *c = r->c;
    const char *name =
        lmb_text_format(c->arena, "%s.force", c->point_count ? c->points[0].name : "");
    if (!name || has_channel(r, analysis, name))
        return lmb_check_memory(r->context, c->arena);
    lmb_fail(r->context, LMB_BAD_INPUT, "analysis '%s' has no forces on body '%s'", c->analysis,
             c->body);
    return lmb_hint(r->context, "statics, dynamics and inverse dynamics have some");
}

/* Read a derivative (1 or 2) of the modal coordinates. */
static lmb_status read_mode_rates(const reading *r, const char *channel, int derivative)
{
    lmb_series s;
    lmb_load_cases *c = r->c;
    lmb_status status = read_series(r, "", channel, &s);
    if (status)
        return status;
    size_t modes = (size_t)s.size;
    c->mode_count = s.size;
    if (!c->modes)
        c->modes = lmb_arena_numbers(c->arena, 2 * (size_t)s.count * modes + 1);
    for (size_t i = 0; c->modes && i < (size_t)s.count; i++)
        memcpy(c->modes + (2 * i + (size_t)derivative - 1) * modes, s.values + i * modes,
               modes * sizeof *s.values);
    lmb_series_free(&s);
    return lmb_check_memory(r->context, c->arena);
}

/* Read rates and accelerations of the modal coordinates. Statics have none. */
static lmb_status read_modes(const reading *r, int analysis)
{
    if (!has_channel(r, analysis, "modes_acceleration"))
        return LMB_OK;
    lmb_status status = read_mode_rates(r, "modes_velocity", 1);
    return status ? status : read_mode_rates(r, "modes_acceleration", 2);
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
    for (int p = 0; p < c->patch_count && !status; p++)
        status = read_vector(r, c->patches[p], "force", false, frame + LMB_LOAD_FRAME + 3 * p);
    bool space = c->dimension == 3;
    if (!status)
        status = read_vector(r, "", space ? "angular_velocity_local" : "angular_velocity", true,
                             frame + LMB_LOAD_SPIN);
    if (!status)
        status = read_vector(r, "", space ? "angular_acceleration_local" : "angular_acceleration",
                             true, frame + LMB_LOAD_SPIN_RATE);
    if (!status)
        move_frame(c, origin);
    return status ? status : read_modes(r, analysis);
}

/* --- instants --------------------------------------------------------------------------------- */

/* Find the instant of the largest stress in the body. */
static lmb_status find_peak(const reading *r, int analysis, int *out)
{
    lmb_series s;
    lmb_load_cases *c = r->c;
    if (!has_channel(r, analysis, "stress.max"))
        return lmb_fail_hint(r->context, "choose instants with --at T, or with --from and --to",
                             "analysis '%s' has no stresses of body '%s' to find their peak",
                             c->analysis, c->body);
    lmb_status status = read_series(r, "", "stress.max", &s);
    if (status)
        return status;
    *out = 0;
    for (int i = 1; i < s.count; i++)
        if (s.values[i] > s.values[*out])
            *out = i;
    lmb_series_free(&s);
    return LMB_OK;
}

/* Move the numbers of an instant to an earlier row. */
static void keep_instant(lmb_load_cases *c, int to, int from)
{
    size_t width = (size_t)lmb_load_width(c), modes = 2 * (size_t)c->mode_count;
    c->time[to] = c->time[from];
    memmove(c->numbers + (size_t)to * width, c->numbers + (size_t)from * width,
            width * sizeof *c->numbers);
    if (c->modes)
        memmove(c->modes + (size_t)to * modes, c->modes + (size_t)from * modes,
                modes * sizeof *c->modes);
}

/* Remove all instants except the chosen ones. */
static lmb_status choose(const reading *r, int analysis, const lmb_load_choice *choice)
{
    lmb_load_cases *c = r->c;
    const lmb_series s = {
        .count = c->count, .time = c->time, .over = *lmb_result_over(r->result, analysis)};
    bool *kept = lmb_arena_alloc(c->arena, (size_t)c->count + 1, sizeof *kept);
    int peak = 0, count = 0;
    lmb_status status = lmb_check_memory(r->context, c->arena);
    if (!status && choice->peak && !(status = find_peak(r, analysis, &peak)))
        kept[peak] = true;
    for (int k = 0; k < choice->at_count && !status; k++) {
        int i = lmb_series_at(&s, choice->at[k]);
        if (i < 0)
            return lmb_series_fail_instant(&s, r->context, choice->at[k]);
        kept[i] = true;
    }
    for (int i = 0; i < c->count && !status; i++)
        if (kept[i] || (!choice->peak && !choice->at_count && i % choice->every == 0))
            keep_instant(c, count++, i);
    c->count = count;
    return status;
}

lmb_status lmb_load_cases_read(lmb_load_cases **out, lmb_context *context, lmb_result *result,
                               int analysis, const char *body, const lmb_load_choice *choice)
{
    lmb_arena *arena;
    lmb_load_cases *c = lmb_arena_object(&arena, sizeof *c);
    *out = NULL;
    if (!c)
        return lmb_fail_memory(context);
    *c = (lmb_load_cases){
        .arena = arena, .body = body, .analysis = lmb_result_analysis_name(result, analysis)};
    reading r = {context, result, c, choice->span};
    lmb_status status = read_all(&r, analysis);
    if (!status)
        status = choose(&r, analysis, choice);
    if (status)
        lmb_arena_free(arena);
    else
        *out = c;
    return status;
}
