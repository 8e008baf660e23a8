/* What reading and writing HDF5 files share, and the way written bytes take to the disk. */
#ifndef LMB_STORE_H5_H
#define LMB_STORE_H5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hdf5.h>

#include "base/arena.h"
#include "base/message.h"

/* HDF5's words on why its call that has just failed did so. Returns whether it got no memory (in
 * reading that may be a damaged file which wants more than there is). */
bool lmb_h5_reason(char *reason, size_t room);

/* Whether a file starts with the eight bytes that every HDF5 file starts with. False with errno
 * set when it cannot be read, with errno 0 when it is another kind of file. */
bool lmb_h5_signature(const char *path);

/* Files that others may have made, see h5_probe.c. */

/* Has a file probed by the program of the context, if that has one and the file has no stamp. */
lmb_status lmb_h5_probe(lmb_context *context, const char *path);

/* Stamps a file that Limber has just written: it need not be probed unless it changes. */
void lmb_h5_stamp(const lmb_context *context, const char *path);

/* Reads all that is in a file, as the probing program does. False with HDF5's words on what is
 * wrong with it. */
bool lmb_h5_walk(const char *path, char *reason, size_t room);

/* Return a hash of bytes that continues `hash` (0 to start). Hashing in pieces whose sizes are
 * multiples of 8 gives the hash of the whole. */
uint64_t lmb_h5_hash(uint64_t hash, const void *bytes, size_t size);

/* A piece of the journal on a page of the file: where it is in the journal, and the next one in its
 * list, counted from 1; 0 for none. */
typedef struct lmb_h5_link {
    size_t piece, next;
} lmb_h5_link;

enum { LMB_H5_PAGE = 4096, LMB_H5_LISTS = 1024 };

/* An open file as HDF5 writes to it. HDF5 insists on writing what it holds when a file is closed,
 * and crashes at the end of the process when that fails. So the first failure is kept here, and
 * from then on the file is left as it is while HDF5 believes that all is well. */
typedef struct lmb_h5_disk {
    int fd;
    int error;    /* errno of the write that failed, 0 if none did */
    bool dead;    /* nothing is written any more */
    bool closing; /* HDF5 closes the file, and is not told of failures */
    haddr_t end;  /* of what HDF5 has allocated in the file */

    /* a file in memory: its bytes, and no descriptor, journal or commits */
    bool in_memory;
    unsigned char *bytes;
    size_t size, capacity; /* bytes that are there, and for which there is room */

    /* file structure that HDF5 has written since the last commit, in the form of the journal */
    unsigned char *journal;
    size_t used, room; /* bytes */

    /* lists of its pieces by the pages that they touch (number of the page modulo LMB_H5_LISTS), in
     * the order of writing, so that a read need not look at all of them: with thousands of channels
     * there are as many pieces as reads */
    lmb_h5_link *links;
    size_t link_count, link_room;
    size_t first[LMB_H5_LISTS], last[LMB_H5_LISTS]; /* counted from 1 */
} lmb_h5_disk;

/* Makes HDF5 read and write through disk->fd, or in memory, in a file that is created or opened
 * with the access list. Returns the driver, to be closed with H5FDunregister after the file;
 * negative on failure. */
hid_t lmb_h5_use_disk(hid_t access, lmb_h5_disk *disk);

/* Brings the file structure that HDF5 has written (H5Fflush) into the file, all of it or nothing:
 * a full disk leaves the structure that there was, and a process that is killed halfway leaves a
 * journal at the end of the file, from which lmb_h5_recover completes it. False, with disk->error
 * set, on failure. */
bool lmb_h5_commit(lmb_h5_disk *disk);

/* Completes what a killed process has left half done in a file, if anything. */
void lmb_h5_recover(const char *path);

/* Frees what is kept for the next commit, and the bytes of a file in memory. */
void lmb_h5_release(lmb_h5_disk *disk);

/* For the driver: keeps bytes for the next commit (false: out of memory), and shows them to a
 * reader of bytes that come from the file. */
bool lmb_h5_keep(lmb_h5_disk *disk, haddr_t address, size_t size, const void *bytes);
void lmb_h5_overlay(const lmb_h5_disk *disk, haddr_t address, size_t size, void *bytes);

/* Writes bytes at an address of the file, without HDF5; false, with disk->error set, on failure. */
bool lmb_h5_write_at(lmb_h5_disk *disk, haddr_t address, size_t size, const void *bytes);

/* --- data: all names are paths from an open file or group; false or NULL is a failure -------- */

typedef enum lmb_h5_type { LMB_H5_DOUBLE, LMB_H5_FLOAT, LMB_H5_INT } lmb_h5_type;

/* Bytes of a number in memory. */
size_t lmb_h5_size(lmb_h5_type type);

/* Writes an array, and the groups on the way to it. One without numbers is not written, and read as
 * nothing. Reading asks for just these dimensions. Times are not kept, so that the same data give
 * the same bytes. */
bool lmb_h5_write(hid_t group, const char *name, lmb_h5_type type, int rank, const size_t *dims,
                  const void *data);
bool lmb_h5_read(hid_t group, const char *name, lmb_h5_type type, int rank, const size_t *dims,
                 void *data);

/* The dimensions of an array; all are 0 where there is none. False: it has another rank. */
bool lmb_h5_dims(hid_t group, const char *name, int rank, size_t *dims);

/* All numbers of an array, to be freed; NULL: there is none (*count is 0), or out of memory. */
double *lmb_h5_numbers(hid_t group, const char *name, size_t *count);

/* A text as a data set; the one that is read is in the arena. */
bool lmb_h5_write_text(hid_t group, const char *name, const char *text);
char *lmb_h5_read_text(lmb_arena *arena, hid_t group, const char *name);

/* Attributes of an open object. */
bool lmb_h5_put(hid_t object, const char *name, hid_t type, const void *value);
bool lmb_h5_put_text(hid_t object, const char *name, const char *text);
bool lmb_h5_put_integer(hid_t object, const char *name, int value);
bool lmb_h5_get(hid_t object, const char *name, hid_t type, void *value);
bool lmb_h5_get_integer(hid_t object, const char *name, int *value);
char *lmb_h5_get_text(lmb_arena *arena, hid_t object, const char *name);

/* Whether so many data of a size can be in the file of an object: a few bytes may claim to be any
 * number. HDF5 makes up values that are not stored, and allocates room for those that are packed.
 */
bool lmb_h5_fits(hid_t object, hsize_t count, size_t size);

/* A group, made if there is none. */
hid_t lmb_h5_group(hid_t parent, const char *name);

/* Rows of an open data set, nodes (1 where it is over none) and numbers of each; false if it is not
 * one of those Limber writes. */
bool lmb_h5_shape(hid_t set, hsize_t dims[3]);

#endif
