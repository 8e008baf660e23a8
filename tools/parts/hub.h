/* Sizes (m) that the solid hub and its beam model share. */
#ifndef LMB_PARTS_HUB_H
#define LMB_PARTS_HUB_H

#include "base/message.h"
#include "fe/mesh.h"

enum { HUB_ARMS = 6 };

/* the drum: an inner and an outer ring, joined by two plates */
#define HUB_BORE 0.25
#define HUB_BORE_OUT 0.36
#define HUB_SHELL_IN 0.62
#define HUB_DRUM 0.7
#define HUB_DRUM_HEIGHT 0.6
#define HUB_PLATE 0.088
/* the arms: box sections from ring to ring and on to the gondolas */
#define HUB_ARM_WIDTH 0.088
#define HUB_ARM_HEIGHT 0.133
#define HUB_ARM_WALL 0.006
#define HUB_ARM_END 2.5 /* from the axis */
/* the gondolas: bars across the ends of the arms, as high as these */
#define HUB_GONDOLA_WIDTH 1.2
#define HUB_GONDOLA_DEPTH 0.15 /* along the arm */
#define HUB_END (HUB_ARM_END + HUB_GONDOLA_DEPTH)

lmb_status hub_beams(lmb_mesh **out, lmb_context *context, int elements);

#endif
