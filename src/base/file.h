/* Opening files that others may have made; reading whole files; writing files that are whole or not
 * there; folders for a while. */
#ifndef LMB_BASE_FILE_H
#define LMB_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/message.h"
#include "limber/context.h"

/* What may be opened: files; also the pipes that a process is given, as /dev/stdin; files alone
 * that are no symbolic links. */
typedef enum lmb_source { LMB_SOURCE_FILE, LMB_SOURCE_TEXT, LMB_SOURCE_ENTRY } lmb_source;

/* Opens a file to be read. All files that a user or a model names are opened here: devices, FIFOs
 * and sockets, which may never end or never begin, are refused with errno ENODEV, folders with
 * EISDIR. NULL with errno. */
FILE *lmb_input_open(const char *path, lmb_source source);

/* The message that a file cannot be read, by errno of lmb_input_open. */
lmb_status lmb_fail_read(lmb_context *context, const char *path, int error);

/* The largest files, in MiB: meshes, matrices, tables and measurements; models. */
enum { LMB_LARGEST_INPUT = 2048, LMB_LARGEST_MODEL = 64 };

/* Notes that a file is read, so that it is not replaced by what is written later (see
 * lmb_file_write). */
void lmb_input_note(lmb_context *context, const char *path);

/* Fails for a file that is larger than what is read of a mesh or table. */
lmb_status lmb_input_check_size(FILE *file, lmb_context *context, const char *path);

/* Reads a file, with a zero behind its bytes, and notes that; the caller frees it. */
lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path);

/* Reads the text of a model file into the arena. */
lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path);

/* Writes a file under another name and renames it, so that it is whole or not there. A device, a
 * pipe and what the process was given open (/dev/stdout) are written as they are. Returns 0 or what
 * errno says. */
int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size);

/* The same with a message where it fails, also because memory ran out when the bytes were made.
 * Neither a model nor a file that the context guards (lmb_context_guard) is replaced. */
lmb_status lmb_file_write(lmb_context *context, const char *path, const void *bytes, size_t size);

/* The same for a file that is written piece by piece. */
typedef struct lmb_output {
    FILE *file;
    const char *given; /* the path for messages */
    char *path, *part; /* what it is renamed to, and from; NULL: it is written as it is */
    int lock;          /* keeps the part locked; -1: none */
} lmb_output;

/* Opens a file to be written; NULL, with a message, where that fails. The path must outlive it. */
FILE *lmb_file_create(lmb_output *out, lmb_context *context, const char *path);

/* Closes it; after a status that is a failure, which is returned, nothing is left of it. A message
 * says what went wrong with any of its pieces. */
lmb_status lmb_file_close(lmb_output *out, lmb_context *context, lmb_status status);

/* Lock an open file. Returns 0, EAGAIN if it is locked already, or errno. The lock is one of the
 * open file, not of the process, so that it also keeps two threads apart. */
int lmb_file_lock(int fd);

/* Whether a path is that of an open file. */
bool lmb_file_is(const char *path, int fd);

/* The folder for temporary files: TMPDIR or /tmp. */
const char *lmb_temporary_parent(void);

/* Make a folder for temporary files, TMPDIR/limber-USE-XXXXXX. Its name is written to `path`. */
enum { LMB_FOLDER_ROOM = 2048 };
lmb_status lmb_temporary_folder(lmb_context *context, const char *use, char path[LMB_FOLDER_ROOM]);

/* Removes a folder with all that is in it; links in it, not what they lead to. */
void lmb_folder_remove(const char *path);

#endif
