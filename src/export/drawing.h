/* Pictures of a result: the bodies of a scene at an instant, as a camera sees them that has the
 * whole motion in view. In models of the plane rays are parallel. */
#ifndef LMB_EXPORT_DRAWING_H
#define LMB_EXPORT_DRAWING_H

#include <stdint.h>

#include "export/camera.h"
#include "export/scene.h"

typedef struct lmb_drawing lmb_drawing;

typedef struct lmb_drawing_style {
    int width, height; /* pixels */
    vec3 from;         /* where the camera is, as seen from the mechanism; zero: as it looks best */
    double exaggerate; /* factor of deformations */
    bool stress;       /* flexible bodies in the colours of von Mises' stress */
    bool dark;
} lmb_drawing_style;

/* Makes ready to draw a scene, which must outlive it. */
lmb_status lmb_drawing_new(lmb_drawing **out, lmb_context *context, const lmb_scene *scene,
                           const lmb_drawing_style *style);
void lmb_drawing_free(lmb_drawing *drawing);

/* Draws an instant; rows of pixels (0xrrggbb) begin `stride` apart. */
void lmb_drawing_draw(lmb_drawing *drawing, int instant, uint32_t *pixels, int stride);

/* What the last of the colours means: the largest stress of the motion, Pa. */
double lmb_drawing_largest_stress(const lmb_drawing *drawing);

/* The colour of a part 0 to 1 of it. */
uint32_t lmb_stress_color(double part);

/* The direction of a camera by its name, iso, front, side or top, where `up` is upwards; false if
 * there is no such name. */
bool lmb_view_named(vec3 up, const char *name, vec3 *from);

#endif
