/* Channels: the named numbers that an analysis reports at each instant. */
#ifndef LMB_CHANNELS_CHANNELS_H
#define LMB_CHANNELS_CHANNELS_H

#include "channels/recovery.h"
#include "elements/exact_beam.h"
#include "system/equations.h"

typedef struct lmb_channels lmb_channels;

/* The channels of an analysis by what it knows (lmb_known); sensors that use others are reported as
 * mistakes. */
lmb_status lmb_channels_new(lmb_channels **out, lmb_context *context, const lmb_model *model,
                            unsigned known);
void lmb_channels_free(lmb_channels *channels);

/* Leaves only channels to be stored whose names fit the patterns of an analysis, and what later
 * ones play back; others are computed where sensors, events or warnings need them. A pattern that
 * fits none is a mistake. Where the modes of a flexible body are stored, so is what its record is
 * made of; where not, there is no record of it. */
lmb_status lmb_channels_select(lmb_channels *channels, lmb_context *context,
                               const lmb_analysis *analysis);

/* The channels that are stored: all, or those selected. */
int lmb_channels_count(const lmb_channels *channels);
const lmb_channel *lmb_channels_list(const lmb_channels *channels);

/* Of a row the numbers that are stored; and the row of such numbers, 0 where they are not known.
 * Both belong to the channels. */
const double *lmb_channels_pack(lmb_channels *channels, const double *row);
const double *lmb_channels_unpack(lmb_channels *channels, const double *packed);

/* Finds a channel, or one number of it as "crank.position.x": where its numbers start in a row and
 * how many there are. One that there is not is reported at a place of the model (of no file: of the
 * command line) with the nearest name. */
lmb_status lmb_channels_find(const lmb_channels *channels, lmb_context *context, const char *name,
                             lmb_place place, int *at, int *size);

/* Where the numbers of the channel "item.name" start in a row; -1: there is none. */
int lmb_channels_place(const lmb_channels *channels, const char *item, const char *name);

/* Whether the sections along a beam are known, so that there are stresses. */
bool lmb_beam_has_stress(const lmb_exact_beam *beam);

/* The name of a number of a row, such as "crank.position.x". */
void lmb_channels_number_name(const lmb_channels *channels, int at, char *buffer, size_t size);

/* With LMB_KNOWN_MODES: frequency, damping, real and imaginary part of the eigenvalue of the mode
 * that the next row is about. With LMB_KNOWN_PATH: load factor, number of unstable directions and
 * whether it is a critical point. */
void lmb_channels_more(lmb_channels *channels, const double *more);

/* Lets the channels of many rigid bodies be evaluated by several threads; what they are does not
 * depend on it. NULL: by the caller alone. */
void lmb_channels_share(lmb_channels *channels, lmb_workers *workers);

/* Evaluates them for a state that has been solved; the row belongs to the channels. */
const double *lmb_channels_row(lmb_channels *channels, const lmb_state *state);

/* Finds a channel as lmb_channels_find does, for somebody who reads it from now on. */
lmb_status lmb_channels_want(lmb_channels *channels, lmb_context *context, const char *name,
                             int *at, int *size);

/* Evaluates those alone that were wanted; their numbers are in the row, which stays in its place.
 */
const double *lmb_channels_wanted(lmb_channels *channels, const lmb_state *state);

/* Takes a row into the record of what flexible bodies go through; warns where their deformation is
 * not small. And that record, which belongs to the channels. */
void lmb_channels_take(lmb_channels *channels, lmb_context *context, double t, const double *row);
const lmb_run_record *lmb_channels_record(const lmb_channels *channels);

/* The same of beams with large deformation; NULL: there is none. */
const struct lmb_line_record *lmb_channels_line_record(const lmb_channels *channels);

/* Largest stresses of bodies can be put off: rows are then whole after `take_rows`, which takes up
 * to LMB_STRESS_ROWS of them, one after the other. False: there are none to put off. */
bool lmb_channels_put_off(lmb_channels *channels, bool later);
void lmb_channels_take_rows(lmb_channels *channels, lmb_context *context, lmb_workers *workers,
                            int count, const double *t, double *rows);
int lmb_channels_width(const lmb_channels *channels); /* numbers of a row */

/* Only instants in a span count in it. */
void lmb_channels_limit(lmb_channels *channels, lmb_span span);

/* Adds the expression of an objective, of any channels and of `BODY.mass`. */
lmb_status lmb_channels_add_objective(lmb_channels *channels, lmb_context *context,
                                      const lmb_objective *objective);

/* The expressions of the objectives in the order in which they were added, for a state that has
 * been solved; no more than these need is evaluated. The numbers belong to the channels. */
const double *lmb_channels_objectives(lmb_channels *channels, const lmb_state *state);

/* Derivatives of the objectives by the chain rule. They are linearised at a state, g = W y with
 * smooth numbers y of their channels (channels/chain.h); the functions below use this
 * linearisation. `prepare` allocates, after all objectives are added; false: out of memory. */
bool lmb_channels_prepare_slopes(lmb_channels *channels);
void lmb_channels_linearise(lmb_channels *channels, const lmb_state *state);

/* The derivatives by q, v, a and lambda (3 nv + nrows for each objective) of numbers y whose
 * derivatives are exact; returns false if there are others, which need differences. */
bool lmb_channels_slopes(lmb_channels *channels, const lmb_state *state, double *slopes);

/* Marks the coordinates that these others depend on (3 nv + nrows numbers) with 1. */
void lmb_channels_reach(const lmb_channels *channels, double *marks);

/* W (y - y0) at another state, also of a neighbouring model with its own channels, for differences;
 * `rough`: only numbers y without exact derivatives. */
void lmb_channels_linear(lmb_channels *own, const lmb_channels *base, const lmb_state *state,
                         bool rough, double *out);

/* The objectives of a neighbouring model with the numbers y0 of `base`. */
void lmb_channels_frozen(lmb_channels *own, lmb_channels *base, double t, double *out);

/* Whether the objectives of two neighbouring models surely are equal at equal states; `others`:
 * markers whose frames differ. */
bool lmb_channels_are_alike(const lmb_channels *a, const lmb_channels *b, const bool *others);

/* The expressions of the events, in order, for such a state; of the other channels of dynamics no
 * more than these need is evaluated. The numbers belong to the channels. */
const double *lmb_channels_events(lmb_channels *channels, const lmb_state *state);

#endif
