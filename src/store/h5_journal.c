/* Writing the structure of a file all at once.
 *
 * What HDF5 writes of it is kept in memory until the commit, as pieces: address, size, bytes. The
 * commit appends them to the file, behind all that belongs to it, and then an ending: a mark, the
 * number of their bytes, a hash. Only then it writes them to their places, and last it cuts them
 * off. A process may be killed at any moment of this: a file without the ending has its old
 * structure, and one with it can be given the new one. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/h5.h"

typedef struct piece {
    uint64_t address, size; /* its bytes follow */
} piece;

typedef struct ending {
    char mark[16];
    uint64_t used, hash;
} ending;

static const char mark[16] = "limber journal 1";

/* --- pieces ----------------------------------------------------------------------------------- */

/* Adds a piece to the lists of the pages that it touches; false: out of memory. */
static bool list_piece(lmb_h5_disk *disk, haddr_t address, size_t size, size_t at)
{
    haddr_t end = size ? (address + size - 1) / LMB_H5_PAGE + 1 : 0;
    for (haddr_t page = address / LMB_H5_PAGE; page < end; page++) {
        size_t list = page % LMB_H5_LISTS;
        if (disk->link_count == disk->link_room) {
            size_t room = disk->link_room ? 2 * disk->link_room : 256;
            lmb_h5_link *links = lmb_realloc(disk->links, room * sizeof *links);
            if (!links)
                return false;
            disk->links = links;
            disk->link_room = room;
        }
        disk->links[disk->link_count++] = (lmb_h5_link){at, 0};
        if (disk->last[list])
            disk->links[disk->last[list] - 1].next = disk->link_count;
        else
            disk->first[list] = disk->link_count;
        disk->last[list] = disk->link_count;
    }
    return true;
}

bool lmb_h5_keep(lmb_h5_disk *disk, haddr_t address, size_t size, const void *bytes)
{
    piece p = {address, size};
    size_t more = disk->used + sizeof p + size;
    if (disk->dead)
        return true;
    if (more + sizeof(ending) > disk->room) {
        size_t room = 2 * (more + sizeof(ending));
        unsigned char *grown = lmb_realloc(disk->journal, room);
        if (!grown) {
            disk->error = ENOMEM;
            return false;
        }
        disk->journal = grown;
        disk->room = room;
    }
    if (!list_piece(disk, address, size, disk->used)) {
        disk->error = ENOMEM;
        return false;
    }
    memcpy(disk->journal + disk->used, &p, sizeof p);
    memcpy(disk->journal + disk->used + sizeof p, bytes, size);
    disk->used = more;
    return true;
}

/* Takes the piece at *at out of the journal and moves on to the next; false at the end. */
static bool next_piece(const lmb_h5_disk *disk, size_t *at, piece *out, const unsigned char **bytes)
{
    if (disk->used - *at < sizeof *out)
        return false;
    memcpy(out, disk->journal + *at, sizeof *out);
    *at += sizeof *out;
    if (out->size > disk->used - *at)
        return false;
    *bytes = disk->journal + *at;
    *at += out->size;
    return true;
}

/* Lays what a piece has between two addresses over bytes that begin at the first of them. */
static void lay_over(const piece *p, const unsigned char *bytes, haddr_t begin, haddr_t end,
                     unsigned char *buffer)
{
    haddr_t from = p->address > begin ? p->address : begin;
    haddr_t to = p->address + p->size < end ? p->address + p->size : end;
    if (from < to)
        memcpy(buffer + (from - begin), bytes + (from - p->address), (size_t)(to - from));
}

/* Page by page; on each the pieces, and those of other pages in its list, are in the order in which
 * they were written. */
void lmb_h5_overlay(const lmb_h5_disk *disk, haddr_t address, size_t size, void *buffer)
{
    for (haddr_t begin = address, end; begin < address + size; begin = end) {
        haddr_t page = begin / LMB_H5_PAGE;
        end = (page + 1) * LMB_H5_PAGE;
        if (end > address + size)
            end = address + size;
        for (size_t k = disk->first[page % LMB_H5_LISTS]; k; k = disk->links[k - 1].next) {
            piece p;
            const unsigned char *bytes;
            size_t at = disk->links[k - 1].piece;
            if (next_piece(disk, &at, &p, &bytes))
                lay_over(&p, bytes, begin, end, (unsigned char *)buffer + (begin - address));
        }
    }
}

/* Forgets the pieces. */
static void empty(lmb_h5_disk *disk)
{
    disk->used = disk->link_count = 0;
    memset(disk->first, 0, sizeof disk->first);
    memset(disk->last, 0, sizeof disk->last);
}

void lmb_h5_release(lmb_h5_disk *disk)
{
    empty(disk);
    free(disk->links);
    free(disk->journal);
    free(disk->bytes);
    disk->links = NULL;
    disk->journal = disk->bytes = NULL;
    disk->room = disk->link_room = disk->size = disk->capacity = 0;
}

/* Writes the pieces to their places. */
static bool apply(lmb_h5_disk *disk)
{
    piece p;
    const unsigned char *bytes;
    for (size_t at = 0; next_piece(disk, &at, &p, &bytes);)
        if (!lmb_h5_write_at(disk, p.address, p.size, bytes))
            return false;
    return true;
}

/* --- the commit ------------------------------------------------------------------------------- */

static bool regular(const lmb_h5_disk *disk, off_t *size)
{
    struct stat status;
    bool is = fstat(disk->fd, &status) == 0 && S_ISREG(status.st_mode);
    *size = is ? status.st_size : 0;
    return is;
}

/* Makes a file longer; the error, or 0. A file system that cannot reserve room is not a full one.
 */
static int reserve(int fd, off_t from, off_t to)
{
    int error = from < to ? posix_fallocate(fd, from, to - from) : 0;
    return error == ENOSPC || error == EFBIG || error == EDQUOT || error == EIO ? error : 0;
}

/* Writes the journal behind the end. Where there is no room for it the commit does without. */
static bool write_journal(lmb_h5_disk *disk)
{
    ending e = {.used = disk->used, .hash = lmb_h5_hash(0, disk->journal, disk->used)};
    memcpy(e.mark, mark, sizeof mark);
    size_t size = disk->used + sizeof e;
    off_t end = (off_t)disk->end;
    if (reserve(disk->fd, end, end + (off_t)size))
        return true;
    memcpy(disk->journal + disk->used, &e, sizeof e);
    return lmb_h5_write_at(disk, disk->end, size, disk->journal);
}

/* Reserves room for the pieces, some of which may go where nothing was written yet, so that a full
 * disk stops the commit before it changes anything; the error, or 0. Pieces that follow each other
 * on a page are one. */
static int reserve_pieces(const lmb_h5_disk *disk)
{
    piece p;
    const unsigned char *bytes;
    int error = 0;
    uint64_t from = 0, to = 0;
    for (size_t at = 0; !error && next_piece(disk, &at, &p, &bytes);) {
        uint64_t page_end = (to + LMB_H5_PAGE - 1) / LMB_H5_PAGE * LMB_H5_PAGE;
        if (p.address < from || p.address > page_end) {
            error = reserve(disk->fd, (off_t)from, (off_t)to);
            from = p.address;
            to = from;
        }
        to = p.address + p.size > to ? p.address + p.size : to;
    }
    return error ? error : reserve(disk->fd, (off_t)from, (off_t)to);
}

bool lmb_h5_commit(lmb_h5_disk *disk)
{
    off_t size;
    bool file = !disk->dead && regular(disk, &size);
    if (disk->dead || disk->used == 0) {
        empty(disk);
        return true;
    }
    if (disk->error) /* what the structure points to was not written */
        return false;
    if (file && ((disk->error = reserve(disk->fd, size, (off_t)disk->end)) ||
                 (disk->error = reserve_pieces(disk))))
        return false;
    /* an ending counts at the end of the file only */
    if (file && size > (off_t)disk->end && ftruncate(disk->fd, (off_t)disk->end) != 0)
        file = false;
    if ((file && !write_journal(disk)) || !apply(disk))
        return false;
    if (file && ftruncate(disk->fd, (off_t)disk->end) != 0) {
        disk->error = errno;
        return false;
    }
    empty(disk);
    return true;
}

/* --- after a process was killed --------------------------------------------------------------- */

static bool get(int fd, off_t from, size_t size, void *bytes)
{
    return pread(fd, bytes, size, from) == (ssize_t)size;
}

/* Reads the journal of a file, if it has a whole one. */
static bool read_journal(lmb_h5_disk *disk, off_t size)
{
    ending e;
    off_t after = size - (off_t)sizeof e;
    if (after < 0 || !get(disk->fd, after, sizeof e, &e) ||
        memcmp(e.mark, mark, sizeof mark) != 0 || e.used == 0 || e.used > (uint64_t)after)
        return false;
    disk->end = (haddr_t)after - e.used;
    disk->used = disk->room = e.used;
    disk->journal = lmb_malloc(e.used);
    return disk->journal && get(disk->fd, (off_t)disk->end, e.used, disk->journal) &&
           lmb_h5_hash(0, disk->journal, e.used) == e.hash;
}

void lmb_h5_recover(const char *path)
{
    off_t size;
    lmb_h5_disk disk = {.fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)};
    if (disk.fd < 0)
        return;
    /* where this fails, opening the file tells */
    if (regular(&disk, &size) && read_journal(&disk, size) && apply(&disk) &&
        ftruncate(disk.fd, (off_t)disk.end) != 0)
        disk.error = errno;
    lmb_h5_release(&disk);
    close(disk.fd);
}
