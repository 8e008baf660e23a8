/* Cameras; see camera.h. With d the distance from the camera to the middle m and f, r, t the
 * directions from, right and top, a point p is seen at
 *
 *   x + s (p - m).r / w,   y - s (p - m).t / w,   w = 1 - (p - m).f / d,
 *
 * and 1 / w says how near it is, which is linear on the picture. For parallel rays w is 1. */
#include "export/camera.h"

#include <math.h>

/* Times the diagonal of the box: far enough for a calm perspective, as with 35 degrees. */
static const double away = 1.6;
static const double nearest = 0.05; /* w of what is just before the camera */

lmb_box lmb_box_empty(void)
{
    return (lmb_box){v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
}

void lmb_box_add(lmb_box *b, vec3 p)
{
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
        return;
    b->low = v3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = v3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

static vec3 corner_of(const lmb_box *b, int i)
{
    return v3(i & 1 ? b->high.x : b->low.x, i & 2 ? b->high.y : b->low.y,
              i & 4 ? b->high.z : b->low.z);
}

lmb_raster_corner lmb_camera_see(const lmb_camera *c, vec3 p)
{
    vec3 offset = v3_sub(p, c->middle);
    double depth = v3_dot(offset, c->from), w = c->distance > 0 ? 1 - depth / c->distance : 1;
    double near = c->distance > 0 ? 1 / w : depth / c->size, f = c->scale / w;
    if (!(w > nearest))
        return (lmb_raster_corner){.x = NAN};
    return (lmb_raster_corner){.x = (float)(c->x + f * v3_dot(offset, c->right)),
                               .y = (float)(c->y - f * v3_dot(offset, c->top)),
                               .near = (float)near,
                               .light = 1};
}

/* Directions of the picture; looking along `up`, something else is upwards. */
static void turn_camera(lmb_camera *c, vec3 from, vec3 up)
{
    c->from = v3_unit(from);
    vec3 right = v3_cross(up, c->from);
    if (v3_norm(right) < 1e-6)
        right = fabs(up.x) > 0.5 ? v3(0, 1, 0) : v3(1, 0, 0);
    c->right = v3_unit(right);
    c->top = v3_cross(c->from, c->right);
}

lmb_camera lmb_camera_fit(const lmb_box *box, vec3 from, vec3 up, bool parallel,
                          const double part[4])
{
    lmb_camera c = {.scale = 1};
    double size = v3_norm(v3_sub(box->high, box->low));
    c.middle = size >= 0 ? v3_scale(0.5, v3_add(box->low, box->high)) : v3(0, 0, 0);
    c.size = size > 0 && isfinite(size) ? size : 1;
    c.distance = parallel ? 0 : away * c.size;
    turn_camera(&c, from, up);
    /* the picture of the box at scale 1, then as large as there is room */
    lmb_box seen = lmb_box_empty();
    for (int i = 0; i < 8; i++) {
        vec3 corner = isfinite(size) ? corner_of(box, i) : c.middle;
        lmb_raster_corner p = lmb_camera_see(&c, corner);
        lmb_box_add(&seen, v3((double)p.x, (double)p.y, 0));
    }
    double least = 1e-3 * c.size;
    c.scale = fmin((part[2] - part[0]) / fmax(seen.high.x - seen.low.x, least),
                   (part[3] - part[1]) / fmax(seen.high.y - seen.low.y, least));
    c.x = (part[0] + part[2]) / 2 - c.scale * (seen.low.x + seen.high.x) / 2;
    c.y = (part[1] + part[3]) / 2 - c.scale * (seen.low.y + seen.high.y) / 2;
    return c;
}
