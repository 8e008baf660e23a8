/* States of earlier analyses of a run, from which later analyses begin. */
#ifndef LMB_RUN_INITIAL_STATES_H
#define LMB_RUN_INITIAL_STATES_H

#include "base/pack.h"
#include "system/state.h"

typedef struct lmb_initial_states lmb_initial_states;

/* Make room for the states of a run of the analyses `names` (NULL: all). The object belongs to the
 * arena, its states are freed by lmb_initial_states_free (`states` may be NULL). */
lmb_status lmb_initial_states_new(lmb_initial_states **out, lmb_context *context, lmb_arena *arena,
                                  const lmb_model *model, const char *const *names);
void lmb_initial_states_free(lmb_initial_states *states);

/* Keep a state of an analysis for the analyses that begin from it at this instant. */
lmb_status lmb_initial_states_keep(lmb_initial_states *states, lmb_context *context,
                                   const lmb_analysis *analysis, const lmb_state *state);

/* Return the state that an analysis begins from, or NULL if there is none. */
const lmb_state *lmb_initial_states_find(const lmb_initial_states *states, const lmb_analysis *a);

/* Free the state that an analysis began from. */
void lmb_initial_states_drop(lmb_initial_states *states, const lmb_analysis *a);

/* Save or restore the states that the analysis with this number in the run and later analyses begin
 * from. Returns false if out of memory. */
bool lmb_initial_states_pack(lmb_initial_states *states, int number, lmb_pack *pack);

#endif
