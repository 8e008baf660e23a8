/* Skins of flexible bodies in a report.
 *
 * A long motion stays small because modes are sent once and combined where they are shown. The
 * shape of a mode is sent with 16 bits a number, relative to its largest one; stresses with 8,
 * which is finer than colours can show. Of the stress a mode has the five numbers
 *
 *   xx - yy, yy - zz, xy, yz, zx
 *
 * that the von Mises stress depends on. In both, numbers of one component stand together. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

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
    int16_t *words = malloc((each * modes + 1) * sizeof *words);
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
    size_t n = (size_t)s->node_count, modes = (size_t)(s->mode_count + s->acceleration_count);
    float *parts = malloc((PARTS * n * modes + 1) * sizeof *parts);
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
    lmb_json_numbers(&page->json, "frequency", (size_t)s->mode_count, s->frequency);
    put_packed(page, "shape_scale", "shapes", true, (size_t)s->mode_count, (size_t)s->node_count, 3,
               s->shapes);
    if (s->stresses)
        put_stresses(page, s);
    lmb_json_close(&page->json);
}

void lmb_report_skins(lmb_page *page, const lmb_skin *skins, int count)
{
    lmb_json_open(&page->json, "skins", '[');
    for (int i = 0; i < count; i++)
        put_skin(page, &skins[i]);
    lmb_json_close(&page->json);
}
