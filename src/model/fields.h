/* The keys of a model file: every section, each key stated once, beside the code that reads it. The
 * reader, the JSON Schema and the reference page are all made from these tables. */
#ifndef LMB_MODEL_FIELDS_H
#define LMB_MODEL_FIELDS_H

#include "read/field.h"

extern const lmb_field lmb_root_fields[];
extern const lmb_field lmb_point_fields[];
extern const lmb_field lmb_joint_fields[];
extern const lmb_field lmb_driver_fields[];
extern const lmb_field lmb_event_fields[];
extern const lmb_field lmb_analysis_fields[];
extern const lmb_field lmb_table_fields[];

/* The key that any entry of a section may have besides its own. */
extern const lmb_field lmb_repeat_fields[];

#endif
