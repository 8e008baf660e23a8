/* An open result: its analyses and channels, and where they are in the file. */
#ifndef LMB_RESULT_OPENED_H
#define LMB_RESULT_OPENED_H

#include "base/names.h"
#include "result/read.h"

/* A data set of like channels. */
typedef struct lmb_opened_set {
    const char *name;
    hid_t id; /* once it is read from */
    const char *unit, *doc, *components;
    int slots, columns;
} lmb_opened_set;

/* A channel and where it is in the file. */
typedef struct lmb_opened_channel {
    lmb_channel channel;
    int set, slot;
} lmb_opened_channel;

typedef struct lmb_opened {
    const char *name;
    int order, count, set_count;
    lmb_opened_channel *entries;
    lmb_opened_set *sets;
    lmb_names names, set_names; /* of the channels and of the sets */
    lmb_channel over;           /* what stands in the place of time */
} lmb_opened;

struct lmb_result {
    lmb_arena *arena;
    const char *path;    /* of the file; for messages where there is none */
    lmb_h5_disk *memory; /* the bytes of one without a file, or NULL */
    hid_t driver;        /* of that */
    hid_t file;
    int count;
    lmb_opened *analyses;
};

/* Says that HDF5 cannot read the result, with its reason. */
lmb_status lmb_result_fail(const lmb_result *result, lmb_context *context);

#endif
