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

#include "report/report.h"

enum { PARTS = 5, SHORT = 32767, BYTE = 127 };

static void deviator(const float *stress, float out[PARTS])
{
    out[0] = stress[0] - stress[1];
    out[1] = stress[1] - stress[2];
    out[2] = stress[3];
    out[3] = stress[4];
    out[4] = stress[5];
}

static double largest_of(const float *numbers, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            largest = fmax(largest, fabs((double)numbers[i]));
    return largest;
}

static int16_t rounded(double value, double scale)
{
    double n = scale > 0 ? value / scale : 0;
    return (int16_t)(isfinite(n) ? lrint(n) : 0);
}

/* The shapes: a list of scales, then a block of mode x 3 x node. */
static void put_shapes(lmb_page *page, const lmb_skin *s)
{
    size_t n = (size_t)s->node_count, modes = (size_t)s->mode_count;
    int16_t *packed = malloc((3 * n * modes + 1) * sizeof *packed);
    lmb_json_open(&page->json, "shape_scale", '[');
    for (size_t mode = 0; packed && mode < modes; mode++) {
        const float *shape = s->shapes + 3 * n * mode;
        double scale = largest_of(shape, 3 * n) / SHORT;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 3; k++)
                packed[(3 * mode + k) * n + i] = rounded(shape[3 * i + k], scale);
        lmb_json_rounded(&page->json, NULL, scale, 9);
    }
    lmb_json_close(&page->json);
    lmb_page_block(page, "shapes", "i16", packed, 3 * n * modes);
    free(packed);
}

/* The same for the stresses, (mode, then acceleration) x 5 x node. */
static void put_stresses(lmb_page *page, const lmb_skin *s)
{
    size_t n = (size_t)s->node_count, modes = (size_t)(s->mode_count + s->acceleration_count);
    int8_t *packed = malloc(PARTS * n * modes + 1);
    float *parts = malloc((PARTS * n + 1) * sizeof *parts);
    page->failed = page->failed || !packed || !parts;
    lmb_json_open(&page->json, "stress_scale", '[');
    for (size_t mode = 0; !page->failed && mode < modes; mode++) {
        for (size_t i = 0; i < n; i++)
            deviator(s->stresses + (mode * n + i) * LMB_SKIN_STRESSES, parts + PARTS * i);
        double scale = largest_of(parts, PARTS * n) / BYTE;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < PARTS; k++)
                packed[(PARTS * mode + k) * n + i] = (int8_t)rounded(parts[PARTS * i + k], scale);
        lmb_json_rounded(&page->json, NULL, scale, 9);
    }
    lmb_json_close(&page->json);
    lmb_page_block(page, "stresses", "i8", packed, PARTS * n * modes);
    free(parts);
    free(packed);
}

static void put_skin(lmb_page *page, const lmb_skin *s)
{
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_text(&page->json, "name", s->name);
    lmb_page_block(page, "nodes", "f32", s->nodes, 3 * (size_t)s->node_count);
    lmb_page_block(page, "triangles", "u32", s->triangles, 3 * (size_t)s->triangle_count);
    lmb_page_block(page, "lines", "u32", s->lines, 2 * (size_t)s->line_count);
    lmb_json_numbers(&page->json, "frequency", (size_t)s->mode_count, s->frequency);
    put_shapes(page, s);
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
