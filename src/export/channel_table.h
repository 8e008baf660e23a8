/* Channels of a result as one table, for programs that read tables. */
#ifndef LMB_EXPORT_CHANNEL_TABLE_H
#define LMB_EXPORT_CHANNEL_TABLE_H

#include <stdio.h>

#include "base/arena.h"
#include "result/series.h"

typedef struct lmb_channel_table {
    lmb_arena *arena;
    int count;
    lmb_series *series; /* of the same instants */
    const char **names; /* as they were given, "swing/crank.angle" */
} lmb_channel_table;

/* Reads channels by their names, or all of an analysis without names, at the instants in a span. To
 * be freed in any case, before the names and the arena of its lists. */
lmb_status lmb_channel_table_read(lmb_channel_table *out, lmb_arena *arena, lmb_context *context,
                                  lmb_result *result, int analysis, int name_count,
                                  const char *const *names, lmb_span span);
void lmb_channel_table_free(lmb_channel_table *table);

/* Comma-separated values: a line of names, then one line per instant. */
void lmb_channel_table_csv(const lmb_channel_table *table, FILE *out);
lmb_status lmb_channel_table_csv_file(const lmb_channel_table *table, lmb_context *context,
                                      const char *path);

/* A MAT-file: "time" or what they are over, the channels as matrices with one row per instant, and
 * their names and units. Dots are no part of names there and become underscores. */
lmb_status lmb_channel_table_mat(const lmb_channel_table *table, lmb_context *context,
                                 const char *path);

#endif
