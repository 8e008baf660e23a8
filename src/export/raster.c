/* Triangles as pixels; see raster.h.
 *
 * A sample at p is inside a triangle with the corners a, b, c (counterclockwise) if it is to the
 * left of its edges,
 *
 *   E(p) = (b - a) x (p - a) >= 0   for (a, b), (b, c) and (c, a).
 *
 * Corners are rounded to 1/256 of a pixel and E is computed in integers, so it is exact. A sample
 * on an edge belongs to the triangle for which it is a left or a top one: to one of two neighbours.
 *
 * The four samples of a pixel are on no common row or column, which smooths nearly level and nearly
 * upright edges in four steps, not in two. */
#include "export/raster.h"

#include <math.h>
#include <stdlib.h>

#include "base/message.h"

enum { SAMPLES = 4, UNIT = 256 }; /* UNIT: steps of a pixel */

static const int places[SAMPLES][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}}; /* of UNIT */
static const float farthest_corner = 500000; /* pixels: 256 times it, squared, is below 2^54 */

struct lmb_raster {
    int width, height;
    uint32_t *color[SAMPLES]; /* sample: 0xrrggbb of each pixel */
    float *near[SAMPLES];
};

lmb_status lmb_raster_new(lmb_raster **out, lmb_context *context, int width, int height)
{
    lmb_raster *r = calloc(1, sizeof *r);
    bool done = r != NULL;
    for (int s = 0; s < SAMPLES && done; s++) {
        size_t count = (size_t)width * (size_t)height;
        r->color[s] = calloc(count + 1, sizeof *r->color[s]);
        r->near[s] = calloc(count + 1, sizeof *r->near[s]);
        done = r->color[s] && r->near[s];
    }
    if (!done) {
        lmb_raster_free(r);
        return lmb_fail_memory(context);
    }
    r->width = width;
    r->height = height;
    *out = r;
    return LMB_OK;
}

void lmb_raster_free(lmb_raster *r)
{
    for (int s = 0; r && s < SAMPLES; s++) {
        free(r->color[s]);
        free(r->near[s]);
    }
    free(r);
}

void lmb_raster_clear(lmb_raster *r, uint32_t color)
{
    size_t count = (size_t)r->width * (size_t)r->height;
    for (int s = 0; s < SAMPLES; s++)
        for (size_t i = 0; i < count; i++) {
            r->color[s][i] = color;
            r->near[s][i] = -INFINITY;
        }
}

/* --- triangles -------------------------------------------------------------------------------- */

/* A number that is linear on the screen: at + x dx + y dy, with x and y in steps. */
typedef struct plane {
    float at, dx, dy;
} plane;

/* A triangle made ready. */
typedef struct triangle {
    int64_t x[3], y[3];            /* corners, in steps */
    int64_t edge[3], ex[3], ey[3]; /* E >= 0 inside: edge + x ex + y ey */
    plane near, light, value;
    lmb_raster_colors colors;
} triangle;

static plane plane_of(const triangle *t, const float f[3], double area)
{
    double x1 = (double)(t->x[1] - t->x[0]), y1 = (double)(t->y[1] - t->y[0]);
    double x2 = (double)(t->x[2] - t->x[0]), y2 = (double)(t->y[2] - t->y[0]);
    double f1 = (double)f[1] - (double)f[0], f2 = (double)f[2] - (double)f[0];
    return (plane){f[0], (float)((f1 * y2 - f2 * y1) / area), (float)((f2 * x1 - f1 * x2) / area)};
}

static bool usable(const lmb_raster_corner *c)
{
    return fabsf(c->x) < farthest_corner && fabsf(c->y) < farthest_corner && isfinite(c->near);
}

/* False if there is nothing to draw. */
static bool prepare(triangle *t, const lmb_raster_corner *const corners[3])
{
    const lmb_raster_corner *c[3] = {corners[0], corners[1], corners[2]};
    for (int i = 0; i < 3; i++) {
        if (!usable(c[i]))
            return false;
        t->x[i] = lrintf(c[i]->x * UNIT);
        t->y[i] = lrintf(c[i]->y * UNIT);
    }
    int64_t area =
        (t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    if (area == 0)
        return false;
    if (area < 0) { /* seen from behind: the other way round */
        int64_t x = t->x[1], y = t->y[1];
        t->x[1] = t->x[2];
        t->y[1] = t->y[2];
        t->x[2] = x;
        t->y[2] = y;
        c[1] = corners[2];
        c[2] = corners[1];
        area = -area;
    }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        int64_t dx = t->x[k] - t->x[i], dy = t->y[k] - t->y[i];
        bool owned = dy < 0 || (dy == 0 && dx > 0); /* samples on this edge are its own */
        t->ex[i] = -dy;
        t->ey[i] = dx;
        t->edge[i] = dy * t->x[i] - dx * t->y[i] - (owned ? 0 : 1);
    }
    t->near = plane_of(t, (float[]){c[0]->near, c[1]->near, c[2]->near}, (double)area);
    t->light = plane_of(t, (float[]){c[0]->light, c[1]->light, c[2]->light}, (double)area);
    if (t->colors.count > 1)
        t->value = plane_of(t, (float[]){c[0]->value, c[1]->value, c[2]->value}, (double)area);
    return true;
}

static uint32_t lit(uint32_t color, float light)
{
    int f = (int)(light * 256 + 0.5f);
    f = f < 0 ? 0 : f;
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t part = (color >> shift & 255) * (uint32_t)f >> 8;
        out |= (part < 255 ? part : 255) << shift;
    }
    return out;
}

static uint32_t color_of(const triangle *t, float dx, float dy)
{
    float light = t->light.at + dx * t->light.dx + dy * t->light.dy;
    int which = 0;
    if (t->colors.count > 1) {
        float value = t->value.at + dx * t->value.dx + dy * t->value.dy;
        which =
            (int)((value > 0 ? value < 1 ? value : 1 : 0) * (float)(t->colors.count - 1) + 0.5f);
    }
    return lit(t->colors.list[which], light < 2 ? light : 2);
}

/* Narrows a long row to the pixels that the edges leave, and one more on each side. */
static void narrow(const triangle *t, int s, int y, int *x0, int *x1)
{
    double py = (double)y * UNIT + places[s][1], low = *x0, high = *x1;
    for (int i = 0; i < 3; i++) {
        double e = (double)t->edge[i] + py * (double)t->ey[i], slope = (double)t->ex[i] * UNIT;
        double x = slope != 0 ? -e / slope : 0; /* where the edge crosses the row */
        low = slope > 0 && x - 2 > low ? x - 2 : low;
        high = slope < 0 && x + 1 < high ? x + 1 : high;
    }
    *x0 = (int)low;
    *x1 = high > low ? (int)high : *x0 - 1;
}

/* The samples of a kind in the pixels from x0 to x1 of a row. */
static void fill_row(lmb_raster *r, const triangle *t, int s, int y, int x0, int x1)
{
    if (x1 - x0 > 8)
        narrow(t, s, y, &x0, &x1);
    int64_t px = (int64_t)x0 * UNIT + places[s][0], py = (int64_t)y * UNIT + places[s][1];
    int64_t e[3];
    for (int i = 0; i < 3; i++)
        e[i] = t->edge[i] + px * t->ex[i] + py * t->ey[i];
    float dx = (float)(px - t->x[0]), dy = (float)(py - t->y[0]);
    size_t at = (size_t)y * (size_t)r->width + (size_t)x0;
    for (int x = x0; x <= x1; x++, at++, dx += UNIT) {
        if ((e[0] | e[1] | e[2]) >= 0) {
            float near = t->near.at + dx * t->near.dx + dy * t->near.dy;
            if (near > r->near[s][at]) {
                r->near[s][at] = near;
                r->color[s][at] = color_of(t, dx, dy);
            }
        }
        for (int i = 0; i < 3; i++)
            e[i] += UNIT * t->ex[i];
    }
}

static int64_t least_of(const int64_t v[3])
{
    int64_t least = v[0] < v[1] ? v[0] : v[1];
    return least < v[2] ? least : v[2];
}

static int64_t most_of(const int64_t v[3])
{
    int64_t most = v[0] > v[1] ? v[0] : v[1];
    return most > v[2] ? most : v[2];
}

/* The pixels between two places in steps, of those from 0 to count - 1. */
static void range_of(const int64_t v[3], int count, int *first, int *last)
{
    int64_t low = least_of(v), high = most_of(v) / UNIT;
    *first = low > 0 ? (int)(low / UNIT) : 0;
    *last = high < count - 1 ? (int)high : count - 1;
}

void lmb_raster_triangle(lmb_raster *r, const lmb_raster_corner *a, const lmb_raster_corner *b,
                         const lmb_raster_corner *c, lmb_raster_colors colors)
{
    triangle t = {.colors = colors};
    if (!prepare(&t, (const lmb_raster_corner *[]){a, b, c}))
        return;
    int x0, x1, y0, y1;
    range_of(t.x, r->width, &x0, &x1);
    range_of(t.y, r->height, &y0, &y1);
    if (most_of(t.x) < 0 || most_of(t.y) < 0)
        return;
    for (int s = 0; s < SAMPLES; s++)
        for (int y = y0; y <= y1; y++)
            fill_row(r, &t, s, y, x0, x1);
}

void lmb_raster_line(lmb_raster *r, const lmb_raster_corner *a, const lmb_raster_corner *b,
                     double width, uint32_t color)
{
    double dx = (double)b->x - (double)a->x, dy = (double)b->y - (double)a->y;
    double length = hypot(dx, dy);
    if (!(length > 0))
        return;
    float x = (float)(-dy / length * width / 2), y = (float)(dx / length * width / 2);
    lmb_raster_corner corners[4] = {*a, *a, *b, *b};
    for (int i = 0; i < 4; i++) { /* around the line */
        corners[i].x += i == 0 || i == 3 ? x : -x;
        corners[i].y += i == 0 || i == 3 ? y : -y;
    }
    lmb_raster_colors colors = {&color, 1};
    lmb_raster_triangle(r, &corners[0], &corners[1], &corners[2], colors);
    lmb_raster_triangle(r, &corners[0], &corners[2], &corners[3], colors);
}

void lmb_raster_pixels(const lmb_raster *r, uint32_t *pixels, int stride)
{
    for (int y = 0; y < r->height; y++) {
        size_t row = (size_t)y * (size_t)r->width;
        uint32_t *to = pixels + (size_t)y * (size_t)stride;
        for (int x = 0; x < r->width; x++) { /* the mean; red and blue are added side by side */
            uint32_t outer = 0x20002, green = 0x200;
            for (int s = 0; s < SAMPLES; s++) {
                uint32_t color = r->color[s][row + (size_t)x];
                outer += color & 0xff00ff;
                green += color & 0x00ff00;
            }
            to[x] = (outer / SAMPLES & 0xff00ff) | (green / SAMPLES & 0x00ff00);
        }
    }
}
