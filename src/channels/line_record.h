/* What beams with large deformation are warned of, from the rows of results. */
#ifndef LMB_CHANNELS_LINE_RECORD_H
#define LMB_CHANNELS_LINE_RECORD_H

#include "limber/result.h"
#include "system/model.h"

/* A linear material holds up to this strain. */
#define LMB_LARGE_STRAIN 0.1

typedef struct lmb_line_record lmb_line_record;

/* For rows with the numbers of these channels. Lives in the arena; NULL: out of memory. */
lmb_line_record *lmb_line_record_new(lmb_arena *arena, const lmb_model *model, int count,
                                     const lmb_channel *channels);

/* Takes a row of results; warns once a body. */
void lmb_line_record_take(lmb_line_record *record, lmb_context *context, double t,
                          const double *row);

#endif
