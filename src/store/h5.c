/* What reading and writing HDF5 files share, and a file driver that survives a full disk. */
#include "store/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "base/file.h"
#include "base/format.h"
#include "base/memory.h"

static herr_t take_innermost(unsigned depth, const H5E_error2_t *entry, void *user)
{
    (void)depth;
    *(H5E_error2_t *)user = *entry;
    return 1;
}

bool lmb_h5_reason(char *reason, size_t room)
{
    H5E_error2_t innermost = {0};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &innermost);
    lmb_snprintf(reason, room, "%s", innermost.desc ? innermost.desc : "HDF5 refused");
    return innermost.maj_num == H5E_RESOURCE && innermost.min_num == H5E_NOSPACE;
}

bool lmb_h5_signature(const char *path)
{
    static const char signature[] = {'\211', 'H', 'D', 'F', '\r', '\n', '\032', '\n'};
    char start[sizeof signature];
    errno = 0;
    FILE *file = lmb_input_open(path, LMB_SOURCE_FILE);
    if (!file)
        return false;
    bool same = fread(start, 1, sizeof start, file) == sizeof start &&
                memcmp(start, signature, sizeof start) == 0;
    int error = ferror(file) ? errno : 0;
    fclose(file);
    errno = error;
    return same;
}

/* FNV-1a over 8-byte words, then over the remaining bytes. The rotation carries all bits of a word
 * into the next products. */
uint64_t lmb_h5_hash(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t prime = UINT64_C(1099511628211);
    const unsigned char *b = bytes, *end = b + size;
    hash = hash ? hash : UINT64_C(14695981039346656037);
    for (uint64_t word; end - b >= 8; b += 8) {
        memcpy(&word, b, sizeof word);
        hash = (hash ^ word) * prime;
        hash = hash << 29 | hash >> 35;
    }
    for (; b < end; b++)
        hash = (hash ^ *b) * prime;
    return hash;
}

/* --- the driver: one file of HDF5's, after its common part ------------------------------------ */

typedef struct disk_file {
    H5FD_t common;
    lmb_h5_disk *disk;
    haddr_t eof; /* of what has been written */
} disk_file;

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name, (void)flags, (void)most;
    lmb_h5_disk *const *disk = H5Pget_driver_info(access);
    disk_file *f = disk ? lmb_calloc(1, sizeof *f) : NULL;
    if (f)
        *f = (disk_file){.disk = *disk, .eof = (*disk)->size};
    return f ? &f->common : NULL;
}

static herr_t disk_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t disk_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->disk->end;
}

static herr_t disk_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((disk_file *)file)->disk->end = address;
    return 0;
}

static haddr_t disk_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->eof;
}

/* Makes a file in memory reach as far as an address, with zeros; false: out of memory. */
static bool memory_reach(lmb_h5_disk *disk, haddr_t end)
{
    if (end > disk->capacity) {
        size_t capacity = end > 2 * disk->capacity ? (size_t)end : 2 * disk->capacity;
        unsigned char *grown = lmb_realloc(disk->bytes, capacity);
        if (!grown) {
            disk->error = ENOMEM;
            return false;
        }
        disk->bytes = grown;
        disk->capacity = capacity;
    }
    if (end > disk->size) {
        memset(disk->bytes + disk->size, 0, (size_t)end - disk->size);
        disk->size = (size_t)end;
    }
    return true;
}

static void memory_read(const lmb_h5_disk *disk, haddr_t address, size_t size, void *buffer)
{
    size_t there = address < disk->size ? disk->size - (size_t)address : 0;
    size_t count = there < size ? there : size;
    if (count)
        memcpy(buffer, disk->bytes + address, count);
    memset((char *)buffer + count, 0, size - count);
}

/* Bytes that were never written read as zero. */
static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                        void *buffer)
{
    (void)type, (void)list;
    lmb_h5_disk *disk = ((disk_file *)file)->disk;
    if (disk->in_memory) {
        memory_read(disk, address, size, buffer);
        return 0;
    }
    char *to = buffer;
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(disk->fd, to + done, size - done, (off_t)(address + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            disk->error = errno;
            return -1;
        }
        if (n == 0)
            break;
        done += (size_t)n;
    }
    memset(to + done, 0, size - done);
    lmb_h5_overlay(disk, address, size, buffer);
    return 0;
}

bool lmb_h5_write_at(lmb_h5_disk *disk, haddr_t address, size_t size, const void *bytes)
{
    const char *from = bytes;
    if (disk->in_memory && !disk->dead) {
        if (!memory_reach(disk, address + size))
            return false;
        memcpy(disk->bytes + address, bytes, size);
        return true;
    }
    while (!disk->dead && size > 0) {
        ssize_t n = pwrite(disk->fd, from, size, (off_t)address);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            disk->error = errno;
            return false;
        }
        from += n;
        address += (haddr_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* What HDF5 is told of a failure. */
static herr_t refuse(lmb_h5_disk *disk)
{
    disk->dead = disk->dead || disk->closing;
    return disk->closing ? 0 : -1;
}

/* Raw data go to the file, file structure waits for the commit. */
static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                         const void *buffer)
{
    (void)list;
    disk_file *f = (disk_file *)file;
    bool now = type == H5FD_MEM_DRAW || f->disk->in_memory;
    if (!(now ? lmb_h5_write_at : lmb_h5_keep)(f->disk, address, size, buffer))
        return refuse(f->disk);
    if (f->eof < address + size)
        f->eof = address + size;
    return 0;
}

/* The file is to be as long as HDF5 says it is: one on the disk with the commit. */
static herr_t disk_truncate(H5FD_t *file, hid_t list, hbool_t closing)
{
    (void)list, (void)closing;
    disk_file *f = (disk_file *)file;
    f->eof = f->disk->end;
    if (f->disk->in_memory && !f->disk->dead && !memory_reach(f->disk, f->eof))
        return refuse(f->disk);
    if (f->disk->in_memory && f->eof < f->disk->size)
        f->disk->size = (size_t)f->eof;
    return 0;
}

static const H5FD_class_t disk_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = 512, /* the first of those HDF5 leaves to others */
#endif
    .name = "limber",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(lmb_h5_disk *),
    .open = disk_open,
    .close = disk_close,
    .query = disk_query,
    .get_eoa = disk_get_eoa,
    .set_eoa = disk_set_eoa,
    .get_eof = disk_get_eof,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t lmb_h5_use_disk(hid_t access, lmb_h5_disk *disk)
{
    hid_t driver = H5FDregister(&disk_class);
    if (driver >= 0 && H5Pset_driver(access, driver, &disk) < 0) {
        H5FDunregister(driver);
        return H5I_INVALID_HID;
    }
    return driver;
}
