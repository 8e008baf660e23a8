/* Writing results.
 *
 * Layout: attributes program, version and format on the root; texts as /model/NAME; an analysis
 * as a group with the attributes type and order. In it are `time`, with the attributes name, unit
 * and doc of what it really is; `values/QUANTITY`, instants x slots x components of like channels,
 * with the attributes unit, doc and components; and `channels`, the table of the channels in their
 * order, with the name of each, its quantity, first slot and number of nodes (quantities.h).
 *
 * HDF5 is called only when rows are written: raw data first, then the file structure, all of it or
 * nothing (h5_journal.c). So the file is whole between two writes, and a full disk leaves it as it
 * was. A checkpoint comes last (checkpoint.h), into room that the file has by then.
 *
 * What is added besides rows, texts and the like, waits for the next write, the beginning of an
 * analysis or the end: a commit takes a tenth of a millisecond, and a short run no longer than
 * fifty of them. */
#include "result/write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "result/row_sets.h"
#include "result/series.h"
#include "store/h5.h"

enum { FLUSH_SECONDS = 2, LARGE_CHECKPOINT = 1 << 17 /* numbers */ };

struct lmb_writer {
    const char *path; /* as it was given, for messages */
    lmb_claim *claim; /* NULL: in memory */
    bool owns;        /* the claim goes with the writer */
    bool later;       /* the file appears when it is told to */
    lmb_h5_disk disk;
    hid_t driver, file;
    bool broken;  /* a write failed and was reported; later calls only return LMB_IO */
    bool waiting; /* something was added that has not been committed */
    char reason[256];
    int analysis_count;
    lmb_row_sets *rows; /* of the analysis under way, or of the last one */
    bool begun;
    double readable;                /* time of the last row in the file */
    bool some_readable;             /* in any analysis so far */
    struct timespec flushed, saved; /* when rows and a checkpoint were written last, */
    double cost;                    /* and how long a large one took (s); 0: none yet */
    lmb_save_function *save;        /* NULL: the file has no checkpoints */
    void *user;
    bool held; /* the rows are behind the motion: no checkpoint, */
    bool owed; /* and one was left out */
    lmb_slots slots;
};

/* --- steps: each returns false when it fails -------------------------------------------------- */

/* HDF5 calls this where one of its functions fails: the first reason counts. */
static herr_t keep_reason(hid_t stack, void *user)
{
    (void)stack;
    lmb_writer *w = user;
    if (!w->reason[0] && lmb_h5_reason(w->reason, sizeof w->reason))
        lmb_memory_fail();
    return 0;
}

/* Writes the file structure; that of a file in memory nobody looks at before it is closed. */
static bool commit(lmb_writer *w)
{
    w->waiting = false;
    if (w->disk.in_memory)
        return true;
    return H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0 && lmb_h5_commit(&w->disk);
}

/* Lets go of the file as it is on the disk. */
static void abandon(lmb_writer *w)
{
    w->disk.dead = true;
    H5Fclose(w->file);
    w->file = H5I_INVALID_HID;
}

/* Reports a failed write once. */
static lmb_status report(lmb_writer *w, lmb_context *context)
{
    const char *why = w->reason[0] ? w->reason : "HDF5 refused";
    w->broken = true;
    lmb_fail(context, LMB_IO, "cannot write '%s': %s", w->path,
             w->disk.error ? strerror(w->disk.error) : why);
    if (w->some_readable)
        lmb_hint(context, "the results up to %s = %.9g are readable",
                 lmb_over_symbol(lmb_row_sets_over_what(w->rows)), w->readable);
    return LMB_IO;
}

typedef bool step(lmb_writer *w, void *data);

/* Takes a step; the file is let go of where that fails, which is reported once. */
static lmb_status guarded(lmb_writer *w, lmb_context *context, step *write, void *data)
{
    H5E_auto2_t handler;
    void *user;
    if (w->broken)
        return LMB_IO;
    w->reason[0] = 0;
    H5Eget_auto2(H5E_DEFAULT, &handler, &user);
    H5Eset_auto2(H5E_DEFAULT, keep_reason, w);
    bool done = write(w, data) && !w->disk.error; /* HDF5 may write when it closes something */
    if (!done && w->file >= 0)
        abandon(w);
    H5Eset_auto2(H5E_DEFAULT, handler, user);
    return done ? LMB_OK : report(w, context);
}

/* --- the file -------------------------------------------------------------------------------- */

static bool create_file(lmb_writer *w, void *unused)
{
    (void)unused;
    if (w->claim && (w->disk.fd = lmb_claim_open(w->claim)) < 0) {
        w->disk.error = errno;
        return false;
    }
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    w->driver = lmb_h5_use_disk(access, &w->disk);
    if (w->driver >= 0)
        w->file = H5Fcreate(w->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return w->file >= 0 && lmb_h5_put_text(w->file, "program", "limber") &&
           lmb_h5_put_text(w->file, "version", lmb_version()) &&
           lmb_h5_put_integer(w->file, "format", LMB_RESULT_FORMAT) && commit(w);
}

lmb_status lmb_check_replaceable(lmb_context *context, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0 ||
        lmb_h5_signature(path) || errno != 0)
        return LMB_OK;
    lmb_fail(context, LMB_IO, "'%s' exists and is not a result file, so it is not replaced", path);
    return lmb_hint(context, "give the result another name, or remove that file");
}

static void free_writer(lmb_writer *w)
{
    if (w->driver >= 0)
        H5FDunregister(w->driver);
    if (w->disk.fd >= 0)
        close(w->disk.fd);
    lmb_h5_release(&w->disk);
    if (w->owns)
        lmb_claim_drop(w->claim);
    lmb_row_sets_free(w->rows);
    free(w);
}

lmb_status lmb_writer_on(lmb_writer **out, lmb_context *context, lmb_claim *claim, bool later)
{
    const char *path = claim ? lmb_claim_path(claim) : LMB_IN_MEMORY;
    *out = NULL;
    lmb_status status = claim ? lmb_check_replaceable(context, path) : LMB_OK;
    if (status != LMB_OK)
        return status;
    lmb_writer *w = lmb_calloc(1, sizeof *w);
    if (!w)
        return lmb_fail_memory(context);
    w->file = w->driver = H5I_INVALID_HID;
    w->disk.fd = -1;
    w->disk.in_memory = !claim;
    w->slots.disk = &w->disk;
    w->path = path;
    w->claim = claim;
    w->later = later;
    status = guarded(w, context, create_file, NULL);
    if (status)
        free_writer(w);
    else
        *out = w;
    return status;
}

lmb_status lmb_writer_new(lmb_writer **out, lmb_context *context, const char *path)
{
    lmb_claim *claim = NULL;
    *out = NULL;
    lmb_status status = path ? lmb_claim_take(&claim, context, path) : LMB_OK;
    if (!status)
        status = lmb_writer_on(out, context, claim, false);
    if (status)
        lmb_claim_drop(claim);
    else
        (*out)->owns = true;
    return status;
}

/* Gives the file its name. */
static bool appear(lmb_writer *w, void *unused)
{
    (void)unused;
    w->disk.error = lmb_claim_appear(w->claim);
    return !w->disk.error;
}

/* Whether the file is to get its name now that there is something in it. */
static bool is_unseen(const lmb_writer *w)
{
    return w->claim && !w->later && !lmb_claim_appeared(w->claim);
}

/* What is added to a group, and by whom. */
typedef struct addition {
    const char *group;
    lmb_add_function *add;
    void *user;
} addition;

static bool add_to_group(lmb_writer *w, void *data)
{
    const addition *a = data;
    hid_t group = lmb_h5_group(w->file, a->group ? a->group : lmb_row_sets_analysis(w->rows));
    bool done = group >= 0 && a->add(a->user, group);
    H5Gclose(group);
    w->waiting = true;
    return done;
}

lmb_status lmb_writer_add(lmb_writer *w, lmb_context *context, const char *group,
                          lmb_add_function *add, void *user)
{
    return guarded(w, context, add_to_group, &(addition){group, add, user});
}

static bool put_text(void *user, hid_t group)
{
    const char *const *text = user; /* name and text */
    if (H5Lexists(group, text[0], H5P_DEFAULT) > 0)
        H5Ldelete(group, text[0], H5P_DEFAULT);
    return lmb_h5_write_text(group, text[0], text[1]);
}

lmb_status lmb_writer_text(lmb_writer *w, lmb_context *context, const char *name, const char *text)
{
    return lmb_writer_add(w, context, "model", put_text, (const char *[]){name, text});
}

static bool put_skin(void *skin, hid_t file)
{
    return lmb_skin_write(file, skin);
}

lmb_status lmb_writer_skin(lmb_writer *w, lmb_context *context, const lmb_skin *skin)
{
    return lmb_writer_add(w, context, "/", put_skin, (void *)skin);
}

/* --- an analysis ------------------------------------------------------------------------------ */

static bool commit_additions(lmb_writer *w, void *unused)
{
    (void)unused;
    return !w->waiting || commit(w);
}

lmb_status lmb_writer_begin(lmb_writer *w, lmb_context *context, const char *analysis,
                            const char *type, int channel_count, const lmb_channel *channels)
{
    lmb_status status = guarded(w, context, commit_additions, NULL);
    if (status)
        return status;
    lmb_row_sets *rows =
        lmb_row_sets_new(analysis, type, w->analysis_count, channel_count, channels);
    if (!rows)
        return lmb_fail_memory(context);
    lmb_row_sets_free(w->rows);
    w->rows = rows;
    w->analysis_count++;
    w->begun = true;
    lmb_writer_over(w, "time", "s", "Time.");
    clock_gettime(CLOCK_MONOTONIC, &w->flushed);
    w->saved = w->flushed;
    return LMB_OK;
}

void lmb_writer_over(lmb_writer *w, const char *name, const char *unit, const char *doc)
{
    lmb_row_sets_over(w->rows, &(lmb_channel){name, unit, doc, 1, ""});
}

static bool is_old(struct timespec since)
{
    return lmb_seconds_since(since) >= FLUSH_SECONDS;
}

/* What a write consists of. */
typedef struct portion {
    bool rows;  /* those in memory */
    bool last;  /* of the analysis */
    bool saves; /* a checkpoint, however young the last one is */
} portion;

/* Whether a checkpoint of so many numbers is worth its time: the large ones of a run are to take a
 * small part of it, how long one takes being known from the last, or guessed. */
static bool is_due(const lmb_writer *w, size_t count)
{
    const double part = 0.05, numbers_per_second = 2.5e7;
    if (count < LARGE_CHECKPOINT)
        return true;
    double cost = w->cost > 0 ? w->cost : (double)count / numbers_per_second;
    return lmb_seconds_since(w->saved) >= fmax(FLUSH_SECONDS, cost / part);
}

static bool write_checkpoint(lmb_writer *w, const lmb_checkpoint *checkpoint)
{
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    bool done = lmb_slots_write(&w->slots, checkpoint);
    clock_gettime(CLOCK_MONOTONIC, &w->saved);
    if (checkpoint->count >= LARGE_CHECKPOINT)
        w->cost = lmb_seconds_since(begun);
    return done;
}

/* Writes the rows in memory, if an analysis is under way, and a checkpoint, if there is one. That
 * of a large model is larger than a block of its rows, most of which do without. */
static bool write_all(lmb_writer *w, void *data)
{
    const portion *p = data;
    bool rows = p->rows, last = p->last;
    lmb_checkpoint checkpoint;
    bool saves = w->save && !w->held && w->save(w->user, &checkpoint) &&
                 (p->saves || is_due(w, checkpoint.count));
    w->slots.file = w->file;
    return (!saves || lmb_slots_prepare(&w->slots, checkpoint.count)) &&
           (!rows || lmb_row_sets_write(w->rows, w->file, last)) && commit(w) &&
           (!saves || write_checkpoint(w, &checkpoint));
}

static lmb_status flush(lmb_writer *w, lmb_context *context, portion p)
{
    lmb_status status = guarded(w, context, write_all, &p);
    if (status)
        return status;
    if (p.rows && lmb_row_sets_waiting(w->rows) > 0) {
        w->readable = lmb_row_sets_last(w->rows);
        w->some_readable = true;
        lmb_row_sets_written(w->rows);
    }
    clock_gettime(CLOCK_MONOTONIC, &w->flushed);
    return LMB_OK;
}

lmb_status lmb_writer_row(lmb_writer *w, lmb_context *context, double t, const double *values)
{
    if (w->broken || (is_unseen(w) && guarded(w, context, appear, NULL)))
        return LMB_IO;
    bool full = lmb_row_sets_take(w->rows, t, values);
    bool due = full || (!w->held && is_old(w->flushed));
    w->owed |= full && w->held;
    return due ? flush(w, context, (portion){.rows = true}) : LMB_OK;
}

void lmb_writer_hold(lmb_writer *w)
{
    w->held = true;
}

lmb_status lmb_writer_release(lmb_writer *w, lmb_context *context)
{
    w->held = false;
    if (w->broken)
        return LMB_IO;
    bool due = w->owed || is_old(w->flushed);
    w->owed = false;
    return due ? flush(w, context, (portion){.rows = w->begun}) : LMB_OK;
}

lmb_status lmb_writer_end(lmb_writer *w, lmb_context *context)
{
    if (!w->begun && !w->broken)
        return LMB_OK;
    w->begun = false;
    return flush(w, context, (portion){.rows = true, .last = true, .saves = true});
}

/* --- checkpoints and the end ------------------------------------------------------------------ */

void lmb_writer_on_save(lmb_writer *w, lmb_save_function *save, void *user)
{
    w->save = save;
    w->user = user;
}

lmb_status lmb_writer_flush(lmb_writer *w, lmb_context *context)
{
    return flush(w, context, (portion){.rows = w->begun, .saves = true});
}

int lmb_writer_rows(const lmb_writer *w)
{
    return w->rows ? lmb_row_sets_count(w->rows) : 0;
}

static bool remove_slots(lmb_writer *w, void *unused)
{
    (void)unused;
    w->waiting = true;
    return lmb_slots_remove(&w->slots);
}

lmb_status lmb_writer_complete(lmb_writer *w, lmb_context *context)
{
    w->save = NULL;
    return guarded(w, context, remove_slots, NULL);
}

/* What another file had must be on the disk before that goes. */
static bool appear_safely(lmb_writer *w, void *unused)
{
    if (!commit_additions(w, NULL))
        return false;
    if (fsync(w->disk.fd) != 0 && errno != EINVAL) {
        w->disk.error = errno;
        return false;
    }
    return appear(w, unused);
}

lmb_status lmb_writer_appear(lmb_writer *w, lmb_context *context)
{
    return guarded(w, context, appear_safely, NULL);
}

/* Closes the file for good; some file systems report a failed write only then. */
static bool close_file(lmb_writer *w, void *unused)
{
    (void)unused;
    w->disk.closing = true;
    if (H5Fclose(w->file) < 0)
        return false;
    w->file = H5I_INVALID_HID;
    if (w->disk.error || !lmb_h5_commit(&w->disk))
        return false;
    w->disk.error = w->disk.in_memory || close(w->disk.fd) == 0 ? 0 : errno;
    w->disk.fd = -1;
    return !w->disk.error;
}

/* Somebody has taken the file away while it was written; `lost`: it has no other name. */
static lmb_status fail_gone(lmb_writer *w, lmb_context *context, bool lost)
{
    bool there = access(w->path, F_OK) == 0;
    if (!lost)
        return lmb_fail(context, LMB_IO, "'%s' was given another name while it was written",
                        w->path);
    lmb_fail(context, LMB_IO, "'%s' was %s while it was written, and its results are lost", w->path,
             there ? "replaced" : "deleted");
    return lmb_hint(context, "run again, and leave the file alone until the end");
}

static lmb_status end_file(lmb_writer *w, lmb_context *context)
{
    lmb_status status = lmb_writer_end(w, context);
    if (!status && is_unseen(w))
        status = guarded(w, context, appear, NULL);
    struct stat about;
    bool gone = !status && w->claim && !lmb_claim_holds(w->claim, w->disk.fd);
    bool lost = gone && fstat(w->disk.fd, &about) == 0 && about.st_nlink == 0;
    if (!status)
        status = guarded(w, context, close_file, NULL);
    return !status && gone ? fail_gone(w, context, lost) : status;
}

lmb_status lmb_writer_close(lmb_writer *w, lmb_context *context)
{
    if (!w)
        return LMB_OK;
    lmb_status status = end_file(w, context);
    if (!status && !w->disk.in_memory)
        lmb_h5_stamp(context, w->path);
    free_writer(w);
    return status;
}

lmb_status lmb_writer_result(lmb_writer *w, lmb_context *context, lmb_result **out)
{
    *out = NULL;
    if (!w)
        return LMB_OK;
    lmb_status status = end_file(w, context);
    if (!status) {
        status = lmb_result_adopt(out, context, w->disk.bytes, w->disk.size);
        w->disk.bytes = NULL;
    }
    free_writer(w);
    return status;
}
