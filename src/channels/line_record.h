/* What beams with large deformation go through in an analysis, from the rows of results: the
 * envelope of their stresses, and what they are warned of. */
#ifndef LMB_CHANNELS_LINE_RECORD_H
#define LMB_CHANNELS_LINE_RECORD_H

#include "channels/line_envelope.h"

/* A linear material holds up to this strain. */
#define LMB_LARGE_STRAIN 0.1

typedef struct lmb_line_record {
    const lmb_model *model;
    int count;
    struct lmb_line_limits *limits; /* count: of each beam */
    int envelope_count;
    lmb_line_envelope *envelopes;
    lmb_span span; /* instants that count in them */
} lmb_line_record;

/* For rows with the numbers of these channels, with envelopes or without. Lives in the arena; NULL:
 * out of memory. */
lmb_line_record *lmb_line_record_new(lmb_arena *arena, const lmb_model *model, bool envelopes,
                                     const struct lmb_channels *channels);

/* Takes a row of results; warns once a body. */
void lmb_line_record_take(lmb_line_record *record, lmb_context *context, double t,
                          const double *row);

#endif
