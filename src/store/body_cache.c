/* The cache of reduced bodies.
 *
 * An entry is a body file with a seal behind it, a line of fixed length: the key, and size and hash
 * of the file. It is checked before HDF5 sees the file, so that one that is damaged, or was put
 * under the name of another, is not used but made anew. A link or a pipe in the place of an entry,
 * or a link in that of the folder, nobody but a stranger makes: then the cache is left alone. */
#include "store/body_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "store/h5.h"

/* The folder of the cache, or a file in it; false if the name is too long. */
static bool cache_path(const char *model_file, const char *key, char *path, size_t room)
{
    const char *slash = strrchr(model_file, '/');
    int length = slash ? (int)(slash - model_file) + 1 : 0;
    int n = lmb_snprintf(path, room, "%.*s.limber-cache%s%s%s", length, model_file, key ? "/" : "",
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

/* --- seals ------------------------------------------------------------------------------------ */

enum { SEAL = 15 + 64 + 2 * 17 + 1, SEAL_ROOM = 160 };

/* The line for a file of so many bytes. */
static bool make_seal(char seal[SEAL_ROOM], const char *key, size_t size, uint64_t hash)
{
    int length = lmb_snprintf(seal, SEAL_ROOM, "limber cache 1 %s %016llx %016llx\n", key,
                              (unsigned long long)size, (unsigned long long)hash);
    return length == SEAL;
}

/* Whether an open entry ends with the seal that it should have. */
static bool is_sealed(FILE *file, const char *key)
{
    unsigned char piece[1 << 15];
    char seal[SEAL_ROOM], found[SEAL];
    struct stat about;
    uint64_t hash = 0;
    if (fstat(fileno(file), &about) != 0 || about.st_size < SEAL)
        return false;
    size_t size = (size_t)about.st_size - SEAL;
    for (size_t left = size, n; left > 0; left -= n) {
        n = fread(piece, 1, left < sizeof piece ? left : sizeof piece, file);
        if (n == 0)
            return false;
        hash = lmb_h5_hash(hash, piece, n);
    }
    return make_seal(seal, key, size, hash) && fread(found, 1, SEAL, file) == SEAL &&
           memcmp(seal, found, SEAL) == 0;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Whether the folder of the cache is a link. */
static bool leads_away(const char *model_file, char *path, size_t room)
{
    struct stat about;
    return cache_path(model_file, NULL, path, room) && lstat(path, &about) == 0 &&
           S_ISLNK(about.st_mode);
}

/* Says that the cache is not used; false, for what cannot be. */
static bool refuse(lmb_context *context, const char *path, const char *what)
{
    lmb_warn(context, "'%s' is %s, so that bodies are reduced without the cache", path, what);
    lmb_hint(context, "remove it; --no-cache leaves the cache alone");
    return false;
}

/* Looks for the body of a key; one that is damaged or that there is not is NULL, without a message.
 * False: the cache is not to be used. */
static bool find_cached(lmb_body_data **out, lmb_context *context, const char *model_file,
                        const char *key, bool shapes)
{
    char path[4096];
    *out = NULL;
    if (leads_away(model_file, path, sizeof path))
        return refuse(context, path, "a link to another folder");
    if (!cache_path(model_file, key, path, sizeof path))
        return false;
    FILE *file = lmb_input_open(path, LMB_SOURCE_ENTRY);
    if (!file && (errno == ELOOP || errno == ENODEV || errno == EISDIR))
        return refuse(context, path, errno == ELOOP ? "a link" : "no file");
    bool sealed = file && is_sealed(file, key);
    if (file)
        fclose(file);
    size_t messages = lmb_message_count(context);
    if (sealed && lmb_body_read_parts(out, context, path, shapes))
        *out = NULL;
    lmb_messages_forget(context, messages);
    return true;
}

/* Writes an entry, with its seal behind the bytes, for which there is room. */
static void write_entry(const char *path, const char *key, unsigned char *bytes, size_t size)
{
    char seal[SEAL_ROOM];
    if (!make_seal(seal, key, size, lmb_h5_hash(0, bytes, size)))
        return;
    memcpy(bytes + size, seal, SEAL);
    lmb_file_replace(path, bytes, size + SEAL);
}

/* Keeps a body; what cannot be kept is computed again. */
static void keep(lmb_context *context, const lmb_body_data *body, const char *model_file,
                 const char *key)
{
    char path[4096];
    unsigned char *bytes = NULL, *grown;
    size_t size, messages = lmb_message_count(context);
    if (access(model_file, F_OK) == 0 && cache_path(model_file, NULL, path, sizeof path) &&
        (mkdir(path, 0777) == 0 || errno == EEXIST) &&
        cache_path(model_file, key, path, sizeof path) &&
        !lmb_body_image(body, context, &bytes, &size) && (grown = lmb_realloc(bytes, size + SEAL)))
        write_entry(path, key, bytes = grown, size);
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
                           const char *model_file, const char *key, const char *name, bool shapes,
                           lmb_reduce_function *reduce, void *user)
{
    *out = NULL;
    if (key && !find_cached(out, context, model_file, key, shapes))
        key = NULL;
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
