/* Results of a run, in an HDF5 file with one data set per quantity, or in memory. */
#ifndef LIMBER_RESULT_H
#define LIMBER_RESULT_H

#include "limber/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Description of a channel. */
typedef struct lmb_channel {
    const char *name;       /* such as "crank.position" */
    const char *unit;       /* such as "m", "" for none */
    const char *doc;        /* one sentence */
    int size;               /* numbers per instant */
    const char *components; /* one letter per component ("xyz"), or "" for a scalar; a channel over
                               nodes has these for each, and more numbers than letters */
} lmb_channel;

/* The record of one channel. */
typedef struct lmb_series {
    int count;           /* instants */
    int size;            /* numbers per instant */
    double *time;        /* count */
    double *values;      /* count x size, one row per instant */
    lmb_channel channel; /* of the component if one was selected */
    lmb_channel over;    /* of `time`: time or another quantity, see lmb_result_over */
} lmb_series;

typedef struct lmb_result lmb_result;

/* Opens a result file for reading. */
LMB_API lmb_status lmb_result_open(lmb_result **out, lmb_context *context, const char *path);
LMB_API void lmb_result_close(lmb_result *result);

/* Writes the result, one in memory or of another file, to a file; a file of that name is replaced
 * if it is a result. */
LMB_API lmb_status lmb_result_save(lmb_result *result, lmb_context *context, const char *path);

/* The bytes that the file of a result in memory would have, as another process may open them; NULL
 * for a result of a file. Valid until the result is closed. */
LMB_API const void *lmb_result_image(const lmb_result *result, size_t *size);

/* Opens a result in memory, of a copy of the bytes of a result file. */
LMB_API lmb_status lmb_result_open_image(lmb_result **out, lmb_context *context, const void *bytes,
                                         size_t size);

/* The analyses in the order of the run, and their channels. */
LMB_API int lmb_result_analysis_count(const lmb_result *result);
LMB_API const char *lmb_result_analysis_name(const lmb_result *result, int analysis);
LMB_API int lmb_result_channel_count(const lmb_result *result, int analysis);
LMB_API const lmb_channel *lmb_result_channel(const lmb_result *result, int analysis, int channel);

/* The independent variable of an analysis: time for most, "mode" (a number) for modes, "speed" or
 * "place" for analyses of rotors. It takes the place of time. */
LMB_API const lmb_channel *lmb_result_over(const lmb_result *result, int analysis);

/* Reads a channel by name: "crank.position", one component of it as "crank.position.x", or
 * with the analysis in front, "swing/crank.position"; without it the last analysis is read. Of a
 * channel over nodes "arm.nodes.x" is a component at all nodes, "arm.nodes.7" those of a node.
 * Free the series with lmb_series_free. */
LMB_API lmb_status lmb_result_read(lmb_result *result, lmb_context *context, const char *name,
                                   lmb_series *out);
LMB_API void lmb_series_free(lmb_series *series);

/* A text stored with the result: "model" (the model file), "file" (its path as it was given),
 * "version", "title", "geometry", "parameters" (their values), "flexible" (positions of the points
 * of flexible bodies and checksums of their files) and "analyses" (names of the requested ones),
 * one per line; NULL if there is none. Valid until the result is closed. */
LMB_API const char *lmb_result_text(lmb_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#endif
