/* Signs of joints and springs on a picture: pins, rails, rods, coils and, in models of the plane,
 * the feet of what is held by the ground. */
#ifndef LMB_EXPORT_SIGNS_H
#define LMB_EXPORT_SIGNS_H

#include "export/camera.h"
#include "export/scene.h"

/* How far joints slide, of all ties of a scene: the least and the greatest offset along the axis,
 * in the axes of the first body. */
typedef struct lmb_slide {
    double low, high;
} lmb_slide;

/* What signs are drawn with. */
typedef struct lmb_sign_pen {
    lmb_raster *raster;
    const lmb_camera *camera;
    const lmb_scene *scene;
    const lmb_slide *slides; /* tie */
    float nearer;            /* added to depths: before what signs are drawn on */
    bool dark;
} lmb_sign_pen;

/* The slides of all instants, in the arena; NULL: out of memory. */
lmb_slide *lmb_slides_of(const lmb_scene *scene, lmb_arena *arena);

/* Adds to a box what signs hold on to at an instant. */
void lmb_signs_measure(const lmb_scene *scene, int instant, lmb_box *box);

/* Draws the signs of an instant. */
void lmb_signs_draw(const lmb_sign_pen *pen, int instant);

#endif
