/* Frames of a video; see report.h. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "report/report.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/text.h"
#include "report/chromium.h"
#include "result/read.h"
#include "result/series.h"

typedef struct work {
    lmb_context *context;
    lmb_result *result;
    lmb_arena *arena;
    lmb_frame_style style;
    const char *folder;
} work;

static lmb_status find_instants(work *w, double step)
{
    int analysis = w->style.analysis;
    const lmb_channel *first = lmb_result_channel(w->result, analysis, 0);
    if (!first)
        return lmb_fail(w->context, LMB_BAD_INPUT, "there are no results in the file");
    char *name = lmb_text_format(w->arena, "%s/%s", lmb_result_analysis_name(w->result, analysis),
                                 first->name);
    lmb_series s;
    if (!name)
        return lmb_fail_memory(w->context);
    lmb_status status = lmb_result_read(w->result, w->context, name, &s);
    if (status)
        return status;
    w->style.time = lmb_series_instants(&s, w->arena, step, &w->style.count);
    lmb_series_free(&s);
    return w->style.time ? LMB_OK : lmb_fail_memory(w->context);
}

/* What is asked for must be in the result. */
static lmb_status check_result(const work *w)
{
    lmb_skin *skins = NULL;
    int count = 0;
    if (!lmb_result_text(w->result, "geometry"))
        return lmb_fail(w->context, LMB_BAD_INPUT, "'%s' has no shapes of bodies in it",
                        lmb_result_path(w->result));
    lmb_status status = lmb_skins_read(&skins, &count, w->arena, w->context,
                                       lmb_result_file(w->result), lmb_result_path(w->result));
    bool stresses = false;
    for (int i = 0; i < count && !status; i++)
        stresses = stresses || skins[i].stresses;
    if (!status && w->style.stress && !stresses)
        status = lmb_fail(w->context, LMB_BAD_INPUT,
                          "--stress: no body of the result has stresses to be drawn");
    if (!status && w->style.exaggerate != 1 && count == 0)
        status =
            lmb_fail(w->context, LMB_BAD_INPUT, "--exaggerate: no body of the result is flexible");
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

static void frame_path(char path[4096], const char *folder, int number)
{
    snprintf(path, 4096, "%s/frame-%04d.png", folder, number);
}

static lmb_status write_frame(const work *w, int number, const char *text, size_t size)
{
    char path[4096];
    unsigned char *bytes = malloc(size + 1);
    if (!bytes)
        return lmb_fail_memory(w->context);
    frame_path(path, w->folder, number);
    lmb_status status = lmb_file_write(w->context, path, bytes, lmb_base64_read(bytes, text, size));
    free(bytes);
    return status;
}

static lmb_status write_all(const work *w, lmb_chromium *chromium)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < w->style.count && !status; i++) {
        char expression[64];
        char *text;
        size_t size;
        snprintf(expression, sizeof expression, "limber.frame(%d)", i);
        status = lmb_chromium_ask(chromium, w->context, (double)i / w->style.count, expression,
                                  &text, &size);
        if (!status)
            status = write_frame(w, i + 1, text, size);
        if (!status)
            status = lmb_go_on(w->context, "export", (double)(i + 1) / w->style.count);
    }
    return status;
}

/* Frames of a longer export before this one would be taken into the same video. */
static void warn_of_older(const work *w)
{
    char path[4096];
    frame_path(path, w->folder, w->style.count + 1);
    if (access(path, F_OK) != 0)
        return;
    lmb_warn(w->context, "'%s' and what follows it are older frames, which stay", path);
    lmb_hint(w->context, "remove them, or write into a new folder");
}

/* --- all -------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    remove(path);
    return 0;
}

/* Makes the page and has its frames drawn. */
static lmb_status draw(const work *w, const char *viewer, const char *temporary)
{
    lmb_chromium *chromium = NULL;
    char *page = lmb_text_format(w->arena, "%s/page.html", temporary);
    lmb_report report = {.viewer = viewer, .path = page, .frames = &w->style};
    lmb_status status = page ? lmb_report_write(w->context, lmb_result_path(w->result), &report)
                             : lmb_fail_memory(w->context);
    if (!status)
        status = lmb_chromium_open(&chromium, w->context, temporary, page);
    if (!status)
        status = write_all(w, chromium);
    lmb_chromium_close(chromium);
    return status;
}

lmb_status lmb_frames_write(lmb_context *context, lmb_result *result, const char *viewer,
                            const lmb_frame_style *style, double step, const char *folder)
{
    char temporary[LMB_FOLDER_ROOM];
    work w = {.context = context, .result = result, .style = *style, .folder = folder};
    w.arena = lmb_arena_new();
    lmb_status status = w.arena ? find_instants(&w, step) : lmb_fail_memory(context);
    if (!status)
        status = check_result(&w);
    if (!status && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status =
            lmb_fail(context, LMB_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    if (!status)
        status = lmb_temporary_folder(context, temporary);
    if (!status) {
        status = draw(&w, viewer, temporary);
        nftw(temporary, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    if (!status)
        warn_of_older(&w);
    lmb_arena_free(w.arena);
    return status;
}
