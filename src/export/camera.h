/* Where a picture is taken from: a place and three directions, and what of space is where on it. */
#ifndef LMB_EXPORT_CAMERA_H
#define LMB_EXPORT_CAMERA_H

#include "export/raster.h"
#include "math/vec.h"

/* A box with edges along the axes; empty while low > high. */
typedef struct lmb_box {
    vec3 low, high;
} lmb_box;

lmb_box lmb_box_empty(void);
void lmb_box_add(lmb_box *box, vec3 p); /* one that is not finite is left out */

typedef struct lmb_camera {
    vec3 middle;           /* what it looks at */
    vec3 right, top, from; /* directions on the picture, and towards the camera */
    double distance;       /* from the middle; 0 for parallel rays */
    double size;           /* of what there is to see */
    double x, y;           /* pixel of the middle */
    double scale;          /* pixels a metre, there */
} lmb_camera;

/* A camera that sees a box whole, in the middle of a part of the picture (pixels: left, top, right,
 * bottom) and as large as it fits, from a direction; `up` is upwards on the picture. */
lmb_camera lmb_camera_fit(const lmb_box *box, vec3 from, vec3 up, bool parallel,
                          const double part[4]);

/* Where a point is on the picture; one beside or behind the camera is not a number. Light and value
 * are 1 and 0. */
lmb_raster_corner lmb_camera_see(const lmb_camera *camera, vec3 p);

#endif
