/* Sizes (m) of the boom; heights and widths are those of the outside of the box. */
#ifndef LMB_PARTS_BOOM_H
#define LMB_PARTS_BOOM_H

enum { BOOM_BAYS = 5 };

#define BOOM_LENGTH 12.0
#define BOOM_RAM 4.0         /* where the ram pushes, from the foot */
#define BOOM_RAM_LENGTH 0.4  /* of the seat of the ram */
#define BOOM_FOOT 0.5        /* height at the foot, */
#define BOOM_WAIST 0.8       /* over the ram, */
#define BOOM_HEAD 0.36       /* and at the head */
#define BOOM_WIDTH 0.4       /* from wall to wall at the foot, */
#define BOOM_HEAD_WIDTH 0.28 /* and at the head */
#define BOOM_WALL 0.010      /* thickness of all walls */
#define BOOM_PLATE 0.04      /* thickness of the plates that close both ends */
#define BOOM_RIB 0.012       /* thickness of the bulkheads */

#endif
