/* Whole files as text. */
#ifndef LMB_BASE_READ_FILE_H
#define LMB_BASE_READ_FILE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/message.h"

/* Reads a file, or at most so many bytes of it, with a zero behind them; the caller frees it. */
lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path,
                         size_t most);

/* Reads the text of a model file into the arena. */
lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path);

#endif
