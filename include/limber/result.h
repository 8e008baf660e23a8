/* Results: what a run computed, kept in an HDF5 file, a channel a data set. */
#ifndef LIMBER_RESULT_H
#define LIMBER_RESULT_H

#include "limber/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a channel is. */
typedef struct lmb_channel {
    const char *name;       /* such as "crank.position" */
    const char *unit;       /* such as "m", "" for none */
    const char *doc;        /* one sentence */
    int size;               /* numbers an instant */
    const char *components; /* one letter per component ("xyz"), or "" for a scalar */
} lmb_channel;

/* The record of one channel. */
typedef struct lmb_series {
    int count;           /* instants */
    int size;            /* numbers an instant */
    double *time;        /* count */
    double *values;      /* count x size, an instant a row */
    lmb_channel channel; /* of the selected component where one was asked for */
    lmb_channel over;    /* what `time` is: time, or as lmb_result_over tells */
} lmb_series;

typedef struct lmb_result lmb_result;

/* Opens a result file for reading. */
LMB_API lmb_status lmb_result_open(lmb_result **out, lmb_context *context, const char *path);
LMB_API void lmb_result_close(lmb_result *result);

/* The analyses in the order they ran, and their channels. */
LMB_API int lmb_result_analysis_count(const lmb_result *result);
LMB_API const char *lmb_result_analysis_name(const lmb_result *result, int analysis);
LMB_API int lmb_result_channel_count(const lmb_result *result, int analysis);
LMB_API const lmb_channel *lmb_result_channel(const lmb_result *result, int analysis, int channel);

/* What the channels of an analysis are over: time for most, "mode" (a number) for modes, "speed" or
 * "place" for analyses of rotors. It stands where the time would. */
LMB_API const lmb_channel *lmb_result_over(const lmb_result *result, int analysis);

/* Reads a channel by name: "crank.position", one component of it as "crank.position.x", or
 * with the analysis in front, "swing/crank.position"; a bare name means the last analysis.
 * Free the series with lmb_series_free. */
LMB_API lmb_status lmb_result_read(lmb_result *result, lmb_context *context, const char *name,
                                   lmb_series *out);
LMB_API void lmb_series_free(lmb_series *series);

/* A text kept with the result: "model" (the model file), "version", "title", "geometry",
 * "parameters" (their values), "flexible" (where the points of flexible bodies are) and "analyses"
 * (the names of those that were to run), a line each; NULL when there is none. Lives as long as the
 * result. */
LMB_API const char *lmb_result_text(lmb_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#endif
