/* limber --probe FILE: reading a file on trial, for the process that started this one
 * (store/h5_probe.c). */
#include "cli/probe.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "store/body_file.h"
#include "store/h5.h"
#include "limber/result.h"

/* AddressSanitizer has the whole of a process's addresses to itself. */
#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_ADDRESSES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_ADDRESSES 0
#endif
#endif
#ifndef LIMIT_ADDRESSES
#define LIMIT_ADDRESSES 1
#endif

static void limit(int what, rlim_t most)
{
    setrlimit(what, &(struct rlimit){most, most});
}

/* 512 MiB and four times the size of the file; 5 s of the processor, and 1 s for each 10 MiB. No
 * spare memory lies behind the heap: HDF5 may read beyond an attribute of wrong size, and must
 * crash here instead of in the process that reads the file later. */
static void set_limits(const char *path)
{
    mallopt(M_TOP_PAD, 0);
    malloc_trim(0);
    struct stat about;
    rlim_t size = stat(path, &about) == 0 ? (rlim_t)about.st_size : 0;
    if (LIMIT_ADDRESSES)
        limit(RLIMIT_AS, ((rlim_t)512 << 20) + 4 * size);
    limit(RLIMIT_CPU, 5 + size / (10 << 20));
    limit(RLIMIT_CORE, 0);
}

/* Reads the last channel of each analysis, by the way that verbs take. False: HDF5 refuses to open
 * the file, on which it may crash in another process. */
static bool read_result(lmb_context *context, const char *path)
{
    lmb_result *result;
    if (lmb_result_open(&result, context, path)) {
        size_t count = lmb_message_count(context);
        return count == 0 || !strstr(lmb_message_at(context, count - 1)->text, "damaged");
    }
    for (int a = 0; a < lmb_result_analysis_count(result); a++) {
        int last = lmb_result_channel_count(result, a) - 1;
        char name[512];
        lmb_series series;
        if (last < 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(result, a),
                 lmb_result_channel(result, a, last)->name);
        if (!lmb_result_read(result, context, name, &series))
            lmb_series_free(&series);
    }
    lmb_result_close(result);
    return true;
}

lmb_status lmb_probe_file(lmb_context *context, const char *path)
{
    char reason[256];
    set_limits(path);
    if (!lmb_h5_walk(path, reason, sizeof reason)) {
        printf("%s\n", reason[0] ? reason : "HDF5 refused");
        return LMB_OK;
    }
    /* what is no file of Limber's is refused by the other process, in words */
    lmb_body_data *body = NULL;
    bool good = true;
    if (lmb_file_kind_of(context, path) != LMB_FILE_BODY)
        good = read_result(context, path);
    else if (!lmb_body_read(&body, context, path))
        lmb_body_free(body);
    puts(good ? "good" : "its contents do not hang together");
    lmb_messages_clear(context);
    return LMB_OK;
}
