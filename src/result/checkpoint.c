/* Writing and reading checkpoints. */
#include "result/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

#define GROUP "model/checkpoint"

/* The head of a slot. All are numbers, so that a slot is one array. */
enum { CHECKSUM, SERIAL, ANALYSIS, ROWS, INSTANT, COUNT, HEAD };

static uint64_t hash_of_head(const double *head)
{
    return lmb_h5_hash(0, head + CHECKSUM + 1, (HEAD - CHECKSUM - 1) * sizeof *head);
}

/* The checksum of a head and its numbers: as many bits of the hash as a number holds. */
static double checksum_of(uint64_t hash)
{
    return (double)(hash >> 12);
}

/* --- writing --------------------------------------------------------------------------------- */

static void name_of(char name[64], int pair, int slot)
{
    lmb_snprintf(name, 64, GROUP "/%d%c", pair, "ab"[slot]);
}

/* Makes a slot and finds where it is in the file. */
static bool create_slot(lmb_slots *s, int slot)
{
    char name[64];
    name_of(name, s->pair, slot);
    hsize_t size = s->room + HEAD;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(s->file, name, H5T_NATIVE_DOUBLE, space, links, creation, H5P_DEFAULT);
    s->address[slot] = set < 0 ? HADDR_UNDEF : H5Dget_offset(set);
    H5Dclose(set);
    H5Pclose(links);
    H5Pclose(creation);
    H5Sclose(space);
    return s->address[slot] != HADDR_UNDEF;
}

/* Takes the pair before the present one out of the file. */
static bool remove_old_pair(lmb_slots *s)
{
    char name[64];
    bool done = true;
    for (int slot = 0; slot < 2 && s->old_pair; slot++) {
        name_of(name, s->pair - 1, slot);
        done = done && H5Ldelete(s->file, name, H5P_DEFAULT) >= 0;
    }
    s->old_pair = false;
    return done;
}

/* An old pair goes with the next write only: until then it has the newest checkpoint. */
bool lmb_slots_prepare(lmb_slots *s, size_t count)
{
    if (!remove_old_pair(s))
        return false;
    if (s->pair > 0 && count <= s->room)
        return true;
    s->old_pair = s->pair > 0;
    s->pair++;
    s->room = count;
    return create_slot(s, 0) && create_slot(s, 1);
}

/* Numbers on their way to a slot. */
typedef struct passage {
    lmb_h5_disk *disk;
    haddr_t next;
    uint64_t hash;
    bool failed;
} passage;

static void write_numbers(void *user, const double *numbers, size_t count)
{
    passage *p = user;
    size_t size = count * sizeof *numbers;
    p->hash = lmb_h5_hash(p->hash, numbers, size);
    p->failed = p->failed || !lmb_h5_write_at(p->disk, p->next, size, numbers);
    p->next += size;
}

/* The head comes last: until then that of an older checkpoint does not fit the numbers. */
bool lmb_slots_write(lmb_slots *s, const lmb_checkpoint *c)
{
    enum { ROOM = 8192 };
    double buffer[ROOM];
    double head[HEAD] = {[SERIAL] = (double)++s->written,
                         [ANALYSIS] = c->analysis,
                         [ROWS] = c->rows,
                         [INSTANT] = c->instant,
                         [COUNT] = (double)c->count};
    haddr_t address = s->address[s->written % 2];
    passage p = {.disk = s->disk, .next = address + sizeof head, .hash = hash_of_head(head)};
    lmb_pack pack = {
        .mode = LMB_PACK_SAVE, .numbers = buffer, .take = write_numbers, .user = &p, .room = ROOM};
    c->pack(c->user, &pack);
    lmb_pack_flush(&pack);
    head[CHECKSUM] = checksum_of(p.hash);
    return !p.failed && lmb_h5_write_at(s->disk, address, sizeof head, head);
}

bool lmb_slots_remove(lmb_slots *s)
{
    bool done = s->pair == 0 || H5Ldelete(s->file, GROUP, H5P_DEFAULT) >= 0;
    s->pair = 0;
    s->old_pair = false;
    return done;
}

/* --- reading --------------------------------------------------------------------------------- */

typedef struct search {
    double serial; /* of the newest checkpoint so far, 0 for none */
    lmb_checkpoint *newest;
    bool memory; /* ran out */
} search;

/* Return true for a count, which stays an int when it is increased by 1. */
static bool small(double number)
{
    return number >= 0 && number < INT32_MAX && number == (int)number;
}

static bool whole(const double *slot, size_t size)
{
    return slot[SERIAL] >= 1 && small(slot[ANALYSIS]) && small(slot[ROWS]) &&
           small(slot[INSTANT]) && slot[COUNT] >= 0 && slot[COUNT] <= (double)(size - HEAD) &&
           slot[COUNT] == (double)(size_t)slot[COUNT] &&
           slot[CHECKSUM] == checksum_of(lmb_h5_hash(hash_of_head(slot), slot + HEAD,
                                                     (size_t)slot[COUNT] * sizeof *slot));
}

/* Takes a slot that is whole and newer than those before. */
static herr_t look_at_slot(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    search *s = user;
    size_t size;
    double *slot = lmb_h5_numbers(group, name, &size);
    s->memory = s->memory || (!slot && size > 0);
    if (slot && size >= HEAD && whole(slot, size) && slot[SERIAL] > s->serial) {
        free(s->newest->numbers);
        s->serial = slot[SERIAL];
        *s->newest = (lmb_checkpoint){.analysis = (int)slot[ANALYSIS],
                                      .rows = (int)slot[ROWS],
                                      .instant = (int)slot[INSTANT],
                                      .count = (size_t)slot[COUNT],
                                      .numbers = slot};
        memmove(slot, slot + HEAD, s->newest->count * sizeof *slot);
    } else {
        free(slot);
    }
    return 0;
}

lmb_found lmb_checkpoint_read(hid_t file, lmb_checkpoint *out)
{
    *out = (lmb_checkpoint){0};
    search s = {.newest = out};
    bool there, read = false;
    H5E_BEGIN_TRY
    {
        there =
            H5Lexists(file, "model", H5P_DEFAULT) > 0 && H5Lexists(file, GROUP, H5P_DEFAULT) > 0;
        hid_t group = there ? H5Gopen2(file, GROUP, H5P_DEFAULT) : H5I_INVALID_HID;
        if (group >= 0) {
            read = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_slot, &s) >= 0;
            H5Gclose(group);
        }
    }
    H5E_END_TRY;
    if (!there)
        return LMB_FOUND_NONE;
    return s.memory ? LMB_FOUND_NO_MEMORY : read && s.serial > 0 ? LMB_FOUND : LMB_FOUND_DAMAGED;
}
