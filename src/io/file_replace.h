/* Files that are whole or not there. */
#ifndef LMB_IO_FILE_REPLACE_H
#define LMB_IO_FILE_REPLACE_H

#include <stddef.h>

/* Writes a file under another name and renames it, so that it is whole or not there. Returns 0 or
 * what errno says. */
int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size);

#endif
