/* Checkpoints: from where a run that was interrupted can go on, kept in its result file.
 *
 * The group /model/checkpoint is there while a run is not complete. Its data sets are slots, a
 * head and then the numbers of a motion (lmb_dynamics_pack). Two slots are written in turns, each
 * after the rows that it belongs to are in the file. So a run that is killed at any moment leaves
 * at least one that is whole, which its checksum tells, and the newer one counts. Rows behind those
 * that it belongs to are written again. Numbers are written as they are packed: there may be
 * hundreds for each body. */
#ifndef LMB_RESULT_CHECKPOINT_H
#define LMB_RESULT_CHECKPOINT_H

#include "base/pack.h"
#include "store/h5.h"

typedef struct lmb_checkpoint {
    int analysis;    /* the one under way, counted among those of the run */
    int rows;        /* its results that the checkpoint belongs to; 0: it starts again */
    int instant;     /* the number of its last instant */
    size_t count;    /* of the numbers */
    double *numbers; /* the motion at the last row, as it was read */

    void (*pack)(void *user, lmb_pack *pack); /* saves the numbers, as they are to be written */
    void *user;
} lmb_checkpoint;

/* The slots of a file that is being written. */
typedef struct lmb_slots {
    hid_t file;
    lmb_h5_disk *disk;
    haddr_t address[2];
    size_t room;           /* for numbers in each of the two */
    int pair;              /* the number of the pair in use, from 1; 0 for none yet */
    bool old_pair;         /* the pair before it is still in the file */
    unsigned long written; /* checkpoints so far */
} lmb_slots;

/* Makes slots for so many numbers, before the file structure is written; false: HDF5 refused. */
bool lmb_slots_prepare(lmb_slots *slots, size_t count);

/* Writes a checkpoint by its `pack`, after the file structure; false: the disk refused. */
bool lmb_slots_write(lmb_slots *slots, const lmb_checkpoint *checkpoint);

/* Takes all slots out of the file; false: HDF5 refused. */
bool lmb_slots_remove(lmb_slots *slots);

/* How a file's checkpoint was found. */
typedef enum lmb_found {
    LMB_FOUND_NONE, /* the run is complete */
    LMB_FOUND,
    LMB_FOUND_DAMAGED,
    LMB_FOUND_NO_MEMORY
} lmb_found;

/* Reads the newest whole checkpoint of a file; free its numbers. */
lmb_found lmb_checkpoint_read(hid_t file, lmb_checkpoint *out);

#endif
