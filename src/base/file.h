/* Reading whole files; writing files that are whole or not there; folders for a while. */
#ifndef LMB_BASE_FILE_H
#define LMB_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/message.h"
#include "limber/context.h"

/* Reads a file, or at most so many bytes of it, with a zero behind them; the caller frees it. */
lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path,
                         size_t most);

/* Reads the text of a model file into the arena. */
lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path);

/* Writes a file under another name and renames it, so that it is whole or not there. Returns 0 or
 * what errno says. */
int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size);

/* The same with a message where it fails. */
lmb_status lmb_file_write(lmb_context *context, const char *path, const void *bytes, size_t size);

/* Opens a file to be written piece by piece, and closes it; a message says what went wrong, at the
 * latest at the end. NULL where it cannot be opened. */
FILE *lmb_file_create(lmb_context *context, const char *path);
lmb_status lmb_file_close(lmb_context *context, FILE *file, const char *path);

/* Makes a folder of its own for files that are soon gone, below TMPDIR or /tmp; the path has its
 * name then. */
enum { LMB_FOLDER_ROOM = 2048 };
lmb_status lmb_temporary_folder(lmb_context *context, char path[LMB_FOLDER_ROOM]);

#endif
