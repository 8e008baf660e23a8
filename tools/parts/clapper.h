/* Sizes (m) that the solid clapper and its beam model share; distances from the axis are those of
 * the flats. */
#ifndef LMB_PARTS_CLAPPER_H
#define LMB_PARTS_CLAPPER_H

#include "base/message.h"
#include "fe/mesh.h"

enum { CLAPPER_SIDES = 12, CLAPPER_RIBS = 3, CLAPPER_GUSSETS = 4 };

#define CLAPPER_LENGTH 8.0
#define CLAPPER_TUBE 0.3185        /* from the axis to the outside */
#define CLAPPER_WALL 0.0062        /* thickness of the tube */
#define CLAPPER_FLANGE 0.43        /* from the axis to the outside */
#define CLAPPER_FLANGE_DEPTH 0.065 /* along the axis */
#define CLAPPER_RIB 0.26           /* from the axis to the inside of ribs and flanges */
#define CLAPPER_RIB_DEPTH 0.008    /* along the axis */
#define CLAPPER_GUSSET 0.3         /* along the axis */
#define CLAPPER_GUSSET_WALL 0.016  /* thickness */
#define CLAPPER_GUSSET_TIP 0.025   /* height where it ends */

lmb_status clapper_beams(lmb_mesh **out, lmb_context *context, int elements);

#endif
