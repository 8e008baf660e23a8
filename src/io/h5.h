/* What reading and writing HDF5 files share, and the way written bytes take to the disk. */
#ifndef LMB_IO_H5_H
#define LMB_IO_H5_H

#include <stdbool.h>
#include <stddef.h>

#include <hdf5.h>

/* HDF5's words on why its call that has just failed did so. */
void lmb_h5_reason(char *reason, size_t room);

/* Whether a file starts with the eight bytes that every HDF5 file starts with. False with errno
 * set when it cannot be read, with errno 0 when it is another kind of file. */
bool lmb_h5_signature(const char *path);

/* An open file as HDF5 writes to it. HDF5 insists on writing what it holds when a file is closed,
 * and crashes at the end of the process when that fails. So the first failure is kept here, and
 * from then on the file is left as it is while HDF5 believes that all is well. */
typedef struct lmb_h5_disk {
    int fd;
    int error;   /* errno of the write that failed, 0 if none did */
    bool dead;   /* nothing is written any more */
    haddr_t end; /* of what HDF5 has allocated in the file */
} lmb_h5_disk;

/* Makes HDF5 write through disk->fd in a file that is created with the access list. Returns the
 * driver, to be closed with H5FDunregister after the file; negative on failure. */
hid_t lmb_h5_use_disk(hid_t access, lmb_h5_disk *disk);

/* Sets aside room for all that HDF5 will write; false, with disk->error set, if there is none. */
bool lmb_h5_reserve(lmb_h5_disk *disk);

/* Writes bytes at an address of the file, without HDF5; false, with disk->error set, on failure. */
bool lmb_h5_put(lmb_h5_disk *disk, haddr_t address, size_t size, const void *bytes);

#endif
