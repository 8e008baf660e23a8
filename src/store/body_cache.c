/* The cache of reduced bodies. */
#include "store/body_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* The folder of the cache, or a file in it; false if the name is too long. */
static bool cache_path(const char *model_file, const char *key, char *path, size_t room)
{
    const char *slash = strrchr(model_file, '/');
    int length = slash ? (int)(slash - model_file) + 1 : 0;
    int n = snprintf(path, room, "%.*s.limber-cache%s%s%s", length, model_file, key ? "/" : "",
                     key ? key : "", key ? ".h5" : "");
    return n >= 0 && (size_t)n < room;
}

/* A text in which a name in quotes is replaced by another; NULL: out of memory. */
static const char *rename_in(lmb_arena *arena, const char *text, const char *old, const char *name)
{
    const char *quoted = lmb_text_format(arena, "'%s'", old), *out = "", *at;
    while (out && quoted && (at = strstr(text, quoted))) {
        out = lmb_text_format(arena, "%s%.*s'%s'", out, (int)(at - text), text, name);
        text = at + strlen(quoted);
    }
    return out && quoted ? lmb_text_format(arena, "%s%s", out, text) : NULL;
}

/* The warnings of a reduction, once more. */
static void repeat_warnings(lmb_context *context, const char *lines)
{
    while (lines && *lines) {
        int length = (int)strcspn(lines, "\n"), words = (int)strcspn(lines, "\t\n");
        lmb_warn(context, "%.*s", words, lines);
        if (words < length)
            lmb_hint(context, "%.*s", length - words - 1, lines + words + 1);
        lines += length + (lines[length] == '\n');
    }
}

/* A body of the cache; one that is damaged or that there is not is NULL, without a message. */
static lmb_body_data *find_cached(lmb_context *context, const char *model_file, const char *key)
{
    char path[4096];
    lmb_body_data *body = NULL;
    size_t messages = lmb_message_count(context);
    if (cache_path(model_file, key, path, sizeof path) && lmb_body_read(&body, context, path))
        body = NULL;
    lmb_messages_forget(context, messages);
    return body;
}

/* Keeps a body; what cannot be kept is computed again. */
static void keep(lmb_context *context, const lmb_body_data *body, const char *model_file,
                 const char *key)
{
    char path[4096];
    unsigned char *bytes = NULL;
    size_t size, messages = lmb_message_count(context);
    if (access(model_file, F_OK) == 0 && cache_path(model_file, NULL, path, sizeof path) &&
        (mkdir(path, 0777) == 0 || errno == EEXIST) &&
        cache_path(model_file, key, path, sizeof path) &&
        !lmb_body_image(body, context, &bytes, &size))
        lmb_file_replace(path, bytes, size);
    free(bytes);
    lmb_messages_forget(context, messages);
}

/* The warnings since `from` as lines. */
static const char *warnings_since(lmb_arena *arena, const lmb_context *context, size_t from)
{
    const char *lines = "";
    for (size_t i = from; lines && i < lmb_message_count(context); i++) {
        const lmb_message *m = lmb_message_at(context, i);
        if (m->severity == LMB_WARNING)
            lines = lmb_text_format(arena, "%s%s%s%s\n", lines, m->text, m->hint[0] ? "\t" : "",
                                    m->hint);
    }
    return lines;
}

lmb_status lmb_body_cached(lmb_body_data **out, bool *cached, lmb_context *context,
                           const char *model_file, const char *key, const char *name,
                           lmb_reduce_function *reduce, void *user)
{
    *out = key ? find_cached(context, model_file, key) : NULL;
    *cached = *out != NULL;
    if (*cached) {
        lmb_body_data *found = *out;
        found->warnings = rename_in(found->arena, found->warnings, found->name, name);
        found->name = lmb_text_copy(found->arena, name, strlen(name));
        repeat_warnings(context, found->warnings);
        return LMB_OK;
    }
    lmb_arena *arena;
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    if (!d)
        return lmb_fail_memory(context);
    d->arena = arena;
    d->name = lmb_text_copy(arena, name, strlen(name));
    size_t from = lmb_message_count(context);
    lmb_status status = reduce(user, context, d);
    d->warnings = status ? NULL : warnings_since(arena, context, from);
    d->version = lmb_version();
    if (!status && !d->warnings)
        status = lmb_fail_memory(context);
    if (status) {
        lmb_body_free(d);
        return status;
    }
    if (key)
        keep(context, d, model_file, key);
    *out = d;
    return LMB_OK;
}
