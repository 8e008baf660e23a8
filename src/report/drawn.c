/* What pages have of a result; see drawn.h. */
#include "report/drawn.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"
#include "result/read.h"
#include "result/write.h"

/* Above so many numbers of all channels of an analysis, instants are left out. */
enum { MOST_NUMBERS = 4 * 1000 * 1000 };

/* The least nodes that one skin of many is left with. */
enum { LEAST_NODES = 4000 };

void lmb_page_numbers(lmb_page *page, const lmb_series *s)
{
    size_t count = (size_t)s->count, size = (size_t)s->size;
    float *numbers = lmb_malloc((count * size + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < count * size; i++)
        numbers[i % size * count + i / size] = (float)s->values[i];
    lmb_page_block(page, "data", "f32", numbers, count * size);
    free(numbers);
}

bool lmb_page_geometry_of(lmb_geometry *out, lmb_page *page, lmb_context *context, lmb_result *r)
{
    const char *stored = lmb_result_text(r, "geometry");
    size_t before = lmb_message_count(context);
    bool known =
        stored && !lmb_geometry_read(out, context, page->arena, lmb_result_path(r), stored);
    lmb_messages_forget(context, before);
    return known;
}

/* As this version writes it. */
lmb_status lmb_page_geometry(lmb_page *page, lmb_context *context, const lmb_geometry *geometry)
{
    char *text = geometry ? lmb_geometry_text(geometry) : NULL;
    lmb_json_text(&page->json, "geometry", text);
    free(text);
    return geometry && !text ? lmb_fail_memory(context) : lmb_check_memory(context, page->arena);
}

/* --- skins ------------------------------------------------------------------------------------
 *
 * A long motion stays small because modes are sent once and combined where they are shown. The
 * shape of a mode is sent with 16 bits a number, relative to its largest one; stresses with 8,
 * which is finer than colours can show. Of the stress a mode has the five numbers
 *
 *   xx - yy, yy - zz, xy, yz, zx
 *
 * that the von Mises stress depends on. In both, numbers of one component stand together. */

enum { PARTS = 5 };

static double largest_of(const float *numbers, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            largest = fmax(largest, fabs((double)numbers[i]));
    return largest;
}

/* Numbers of modes x nodes x parts as a list of scales, then a block of modes x parts x nodes of 16
 * or 8 bits each. */
static void put_packed(lmb_page *page, const char *scales, const char *key, bool wide, size_t modes,
                       size_t n, size_t parts, const float *numbers)
{
    size_t each = n * parts;
    int16_t *words = lmb_malloc((each * modes + 1) * sizeof *words);
    int8_t *bytes = (int8_t *)words;
    lmb_json_open(&page->json, scales, '[');
    for (size_t mode = 0; words && mode < modes; mode++) {
        const float *of = numbers + mode * each;
        double scale = largest_of(of, each) / (wide ? INT16_MAX : INT8_MAX);
        for (size_t i = 0; i < each; i++) {
            double value = scale > 0 ? of[i] / scale : 0;
            long rounded = isfinite(value) ? lrint(value) : 0;
            size_t to = mode * each + i % parts * n + i / parts;
            if (wide)
                words[to] = (int16_t)rounded;
            else
                bytes[to] = (int8_t)rounded;
        }
        lmb_json_rounded(&page->json, NULL, scale, 9);
    }
    lmb_json_close(&page->json);
    lmb_page_block(page, key, wide ? "i16" : "i8", words, each * modes);
    free(words);
}

/* The stresses of modes, then of accelerations. */
static void put_stresses(lmb_page *page, const lmb_skin *s)
{
    size_t n = (size_t)s->node_count, modes = (size_t)(s->mode_count + s->further_count);
    float *parts = lmb_malloc((PARTS * n * modes + 1) * sizeof *parts);
    for (size_t i = 0; parts && i < n * modes; i++) {
        const float *t = s->stresses + i * LMB_SKIN_STRESSES;
        const float of[PARTS] = {t[0] - t[1], t[1] - t[2], t[3], t[4], t[5]};
        memcpy(parts + PARTS * i, of, sizeof of);
    }
    page->failed = page->failed || !parts;
    put_packed(page, "stress_scale", "stresses", false, parts ? modes : 0, n, PARTS, parts);
    free(parts);
}

static void put_skin(lmb_page *page, const lmb_skin *s)
{
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_text(&page->json, "name", s->name);
    lmb_page_block(page, "nodes", "f32", s->nodes, 3 * (size_t)s->node_count);
    lmb_page_block(page, "triangles", "u32", s->triangles, 3 * (size_t)s->triangle_count);
    lmb_page_block(page, "lines", "u32", s->lines, 2 * (size_t)s->line_count);
    if (s->carrier_count > 0) {
        lmb_page_block(page, "carriers", "f32", s->carriers,
                       LMB_CARRIER_NUMBERS * (size_t)s->carrier_count);
        lmb_page_block(page, "carrier", "u32", s->carrier, (size_t)s->node_count);
        lmb_json_integer(&page->json, "beam_nodes", lmb_skin_beam_nodes(s));
        lmb_page_block(page, "ends", "u32", s->ends, 2 * (size_t)s->span_count);
        lmb_page_block(page, "spans", "f32", s->spans, LMB_SPAN_NUMBERS * (size_t)s->span_count);
        lmb_page_block(page, "span", "u32", s->span, (size_t)s->carrier_count);
        lmb_page_block(page, "along", "f32", s->along, (size_t)s->carrier_count);
        if (s->fibres)
            lmb_page_block(page, "fibres", "f32", s->fibres,
                           LMB_FIBRE_NUMBERS * (size_t)s->node_count);
    }
    lmb_json_numbers(&page->json, "frequency", (size_t)s->mode_count, s->frequency);
    put_packed(page, "shape_scale", "shapes", true, (size_t)s->mode_count, (size_t)s->node_count, 3,
               s->shapes);
    if (s->stresses)
        put_stresses(page, s);
    lmb_json_close(&page->json);
}

void lmb_page_skins(lmb_page *page, const lmb_skin *skins, int count)
{
    lmb_json_open(&page->json, "skins", '[');
    for (int i = 0; i < count; i++)
        put_skin(page, &skins[i]);
    lmb_json_close(&page->json);
}

lmb_status lmb_page_result_skins(lmb_page *page, lmb_context *context, const lmb_result *r,
                                 bool stresses)
{
    lmb_skin *skins = NULL;
    int count = 0;
    lmb_status status = lmb_skins_read(&skins, &count, page->arena, context, lmb_result_file(r),
                                       lmb_result_path(r));
    int share = LMB_PAGE_NODES / (count > 0 ? count : 1);
    for (int i = 0; i < count && !status; i++) {
        if (!stresses)
            skins[i].stresses = skins[i].fibres = NULL;
        status = lmb_skin_thin(&skins[i], page->arena, context,
                               share > LEAST_NODES ? share : LEAST_NODES);
    }
    if (!status)
        lmb_page_skins(page, skins, count);
    return status;
}

/* --- motions -----------------------------------------------------------------------------------
 */

static void put_channel(lmb_page *page, const lmb_series *s)
{
    const lmb_channel *c = &s->channel;
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_put(&page->json, "name %s, unit %s, doc %s, components %s, size %d", c->name, c->unit,
                 c->doc, c->components, s->size);
    lmb_page_numbers(page, s);
    lmb_json_close(&page->json);
}

/* Leaves every `stride`-th instant and the last one. */
static void thin(lmb_series *s, int stride)
{
    int kept = s->count > 1 ? (s->count - 2) / stride + 2 : s->count;
    size_t size = (size_t)s->size;
    for (int i = 0; i < kept && stride > 1; i++) {
        int row = i + 1 == kept ? s->count - 1 : i * stride;
        s->time[i] = s->time[row];
        memmove(s->values + (size_t)i * size, s->values + (size_t)row * size,
                size * sizeof *s->values);
    }
    s->count = kept;
}

/* The largest change of the energy balance over all instants. It is the difference of large
 * numbers: single precision would not have it. */
static double unaccounted(const lmb_series *s)
{
    double worst = 0;
    for (int i = 0; i < s->count; i++)
        worst = fmax(worst, fabs(s->values[i] - s->values[0]));
    return s->count > 1 ? worst : NAN;
}

/* Whether a channel moves what is drawn; of some geometry: its bodies, without their stresses. */
static bool is_drawn(const char *name, const lmb_names *only)
{
    static const struct {
        const char *text;
        bool moves; /* bodies themselves, or says when an event was */
    } endings[] = {{".position", true},
                   {".quaternion", true},
                   {".angle", true},
                   {".modes", true},
                   {".time", true},
                   {".stress_coordinates", false},
                   {".nodes", true},
                   {".nodes_quaternion", true},
                   {".nodes_angle", true},
                   {".section.force", false},
                   {".section.moment", false},
                   {".nodes_velocity", false},
                   {".nodes_angular_velocity", false}};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (lmb_ends_with(name, endings[i].text))
            return !only || (endings[i].moves &&
                             lmb_names_find(only, name, strlen(name) - strlen(endings[i].text)));
    return false;
}

/* Whether a report has a channel: of those over nodes, which are large, the ones that are drawn. */
static bool is_sent(const lmb_channel *c, const lmb_page_choice *choice, const lmb_names *only)
{
    return is_drawn(c->name, only) || (!choice->drawn && lmb_channel_nodes(c) == 1);
}

/* The bodies and events of the geometry that is chosen. */
static bool find_names(lmb_names *names, lmb_page *page, const lmb_page_choice *choice)
{
    const lmb_geometry *g = choice->only;
    bool fine = true;
    for (int i = 0; g && i < g->body_count && fine; i++)
        fine = lmb_names_add(names, page->arena, g->bodies[i].name, 0, i);
    for (int i = 0; g && i < g->event_count && fine; i++)
        fine = lmb_names_add(names, page->arena, g->events[i].name, 1, i);
    return fine;
}

/* Which channels are sent, and how many numbers they have at an instant. */
static size_t choose(bool *sent, const lmb_result *r, int index, const lmb_page_choice *choice,
                     const lmb_names *only)
{
    size_t width = 1;
    for (int i = 0; i < lmb_result_channel_count(r, index); i++) {
        const lmb_channel *c = lmb_result_channel(r, index, i);
        sent[i] = is_sent(c, choice, only);
        width += sent[i] ? (size_t)c->size : 0;
    }
    return width;
}

/* Write the largest stress of each body. */
static void put_peaks(lmb_page *page, const lmb_result *r, int index)
{
    static const char ending[] = ".stress.max";
    lmb_json_open(&page->json, "peaks", '[');
    for (int i = 0; i < lmb_result_channel_count(r, index); i++) {
        const char *name = lmb_result_channel(r, index, i)->name;
        size_t length = strlen(name), end = sizeof ending - 1;
        lmb_peak_stress p;
        if (length <= end || strcmp(name + length - end, ending) != 0)
            continue;
        char *body = lmb_text_copy(page->arena, name, length - end);
        if (body && lmb_record_peak(r, index, body, &p))
            lmb_json_object(&page->json, NULL,
                            "body %s, stress %g, time %g, node %g, correction %g, lowest %g, "
                            "highest %g",
                            body, p.stress, p.time, p.node, p.correction, p.lowest, p.highest);
    }
    lmb_json_close(&page->json);
}

lmb_status lmb_page_analysis(lmb_page *page, lmb_context *context, lmb_result *r, int index,
                             const lmb_page_choice *choice)
{
    const char *analysis = lmb_result_analysis_name(r, index);
    int count = lmb_result_channel_count(r, index), stride = 1;
    double worst = NAN;
    const char *type = lmb_result_analysis_type(r, page->arena, index);
    bool balanced = !choice->drawn && type && strcmp(type, "dynamics") == 0;
    bool *sent = lmb_arena_alloc(page->arena, (size_t)count + 1, sizeof *sent);
    lmb_names only = {0};
    if (!sent || !find_names(&only, page, choice))
        return lmb_fail_memory(context);
    size_t width = choose(sent, r, index, choice, choice->only ? &only : NULL);
    lmb_status status = lmb_check_memory(context, page->arena);
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_put(&page->json, "name %s, type %s", analysis, type ? type : "");
    lmb_json_object(&page->json, "over", "name %s, unit %s", lmb_result_over(r, index)->name,
                    lmb_result_over(r, index)->unit);
    bool first = true;
    for (int i = 0; i < count && !status; i++) {
        lmb_series s;
        const char *channel = lmb_result_channel(r, index, i)->name;
        if (!sent[i])
            continue;
        char *name = lmb_text_format(page->arena, "%s/%s", analysis, channel);
        status = name ? lmb_result_read(r, context, name, &s) : lmb_fail_memory(context);
        if (status)
            break;
        if (choice->time && !lmb_series_resample(&s, choice->time, choice->count))
            status = lmb_fail_memory(context);
        if (first) {
            stride = choice->time ? 1 : (int)((size_t)s.count * width / MOST_NUMBERS) + 1;
            lmb_json_integer(&page->json, "stored", s.count);
        }
        if (balanced && strcmp(channel, "energy.balance") == 0)
            worst = unaccounted(&s);
        thin(&s, stride);
        if (first) {
            lmb_page_block(page, "time", "f64", s.time, (size_t)s.count);
            lmb_json_open(&page->json, "channels", '[');
        }
        put_channel(page, &s);
        lmb_series_free(&s);
        first = false;
    }
    if (!first && !status)
        lmb_json_close(&page->json);
    if (!isnan(worst))
        lmb_json_number(&page->json, "unaccounted", worst);
    if (!choice->drawn)
        put_peaks(page, r, index);
    lmb_json_close(&page->json);
    if (stride > 1 && !choice->drawn && !status)
        lmb_warn(context, "the report of '%s' has every %dth instant only", analysis, stride);
    return status;
}
