/* What beams with large deformation are warned of, from the rows of results. */
#ifndef LMB_CHANNELS_LINE_RECORD_H
#define LMB_CHANNELS_LINE_RECORD_H

#include "limber/result.h"
#include "system/model.h"

/* A linear material holds up to this strain, and the interpolation of rotations up to this turn
 * (rad) in an element; where a turn comes near to pi, another way round is as near. */
#define LMB_LARGE_STRAIN 0.1
#define LMB_LARGE_TURN 2.0

typedef struct lmb_line_record lmb_line_record;

/* For rows with the numbers of these channels. Lives in the arena; NULL: out of memory. */
lmb_line_record *lmb_line_record_new(lmb_arena *arena, const lmb_model *model, int count,
                                     const lmb_channel *channels);

/* Takes a row of results; warns once a body and kind. */
void lmb_line_record_take(lmb_line_record *record, lmb_context *context, double t,
                          const double *row);

#endif
