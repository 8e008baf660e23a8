/* The keys of probes and instruments: where stresses are reported, and what virtual sensors
 * measure. */
#ifndef LMB_MODEL_SENSOR_FIELDS_H
#define LMB_MODEL_SENSOR_FIELDS_H

#include "read/field.h"

extern const lmb_field lmb_patch_fields[];
extern const lmb_field lmb_probe_fields[];

/* Positions of the keys in the tables. */
enum lmb_probe_field { LMB_PROBE_NODE, LMB_PROBE_AT, LMB_PROBE_NODES, LMB_PROBE_COUNT };
enum lmb_accelerometer_field {
    LMB_ACCELEROMETER_POINT,
    LMB_ACCELEROMETER_GRAVITY,
    LMB_ACCELEROMETER_COUNT
};
/* Gauges and rosettes have the first four in common. */
enum lmb_gauge_field {
    LMB_GAUGE_BODY,
    LMB_GAUGE_NODE,
    LMB_GAUGE_AT,
    LMB_GAUGE_DIRECTION,
    LMB_GAUGE_FIBRE,
    LMB_GAUGE_COUNT,
    LMB_ROSETTE_NORMAL = LMB_GAUGE_FIBRE,
    LMB_ROSETTE_COUNT = LMB_GAUGE_COUNT
};

/* A kind of instrument. */
typedef struct lmb_instrument_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
} lmb_instrument_type;

/* In the order of lmb_sensor_kind after the expression, ended by {0}. */
extern const lmb_instrument_type lmb_instrument_types[];

enum { LMB_INSTRUMENT_FIELDS = LMB_GAUGE_COUNT }; /* most fields that one has */

#endif
