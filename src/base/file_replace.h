/* Files that are whole or not there, and folders for a while. */
#ifndef LMB_BASE_FILE_REPLACE_H
#define LMB_BASE_FILE_REPLACE_H

#include <stddef.h>
#include <stdio.h>

#include "limber/context.h"

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
