/* States in text files: where the bodies are and how they move. */
#ifndef LMB_MODEL_STATE_FILE_H
#define LMB_MODEL_STATE_FILE_H

#include "system/state.h"

/* Reads a state file into a state: `time: T` and a map of keys for each body. Bodies that are not
 * mentioned stay where the model places them, at rest. */
lmb_status lmb_state_load(lmb_state *state, lmb_context *context, const char *path);

#endif
