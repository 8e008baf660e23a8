/* The table of channels while it is made. */
#ifndef LMB_CHANNELS_CHANNEL_LIST_H
#define LMB_CHANNELS_CHANNEL_LIST_H

#include "channels/channel_values.h"
#include "channels/channels.h"

/* Where the numbers of a channel come from. */
typedef struct lmb_channel_source {
    lmb_getter *get;
    int index;
    int at;                         /* where its numbers start in the row */
    int used;                       /* by what: LMB_BY_SENSOR, LMB_BY_EVENT */
    const lmb_recovered *recovered; /* instead of get */
} lmb_channel_source;

enum { LMB_BY_SENSOR = 1, LMB_BY_EVENT = 2, LMB_BY_ALL = 4 };

struct lmb_channels {
    lmb_arena *arena;
    lmb_context *context; /* while it is being made */
    unsigned known;       /* lmb_known */
    const lmb_model *model;
    lmb_channel *channels;
    lmb_channel_source *sources;
    int count, room;
    int size;
    bool failed;
    const lmb_expr **expressions; /* of the sensors, then of the events */
    int expression_count, first_event;
    int mode_at;                /* where the numbers of a mode start in the row, */
    int sensor_at, event_at;    /* and those of sensors and events */
    int user;                   /* what is being compiled: LMB_BY_SENSOR, LMB_BY_EVENT */
    const lmb_counter *counter; /* the counters that it can use */
    int events_need;            /* what must be evaluated for the events */
    double *row;
    lmb_jet *variables;
    lmb_recovery *recovery;
    lmb_run_record *record; /* NULL: no flexible bodies, or nothing to record */
};

/* Adds a channel "item.name" with so many numbers, which have letters or are counted. */
void lmb_channels_add(lmb_channels *c, const char *item, const char *name, int size,
                      const char *components, const char *unit, const char *doc, lmb_getter *get,
                      int index);

/* Adds the channels that the model has in such an analysis: all but sensors and events' values. */
void lmb_channels_list_model(lmb_channels *c);

#endif
