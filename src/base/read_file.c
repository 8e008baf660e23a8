/* Reads whole files; their size is not asked for, so that they may be pipes. */
#include "base/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const size_t largest_model = (size_t)64 << 20;

/* Reads a stream; NULL when out of memory. */
static char *read_stream(FILE *file, size_t *length, size_t most)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    while (text) {
        size_t want = room - 1 < most ? room - 1 : most;
        *length += fread(text + *length, 1, want - *length, file);
        if (*length < want || want == most)
            break;
        room *= 2;
        char *grown = realloc(text, room);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[*length] = 0;
    return text;
}

lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path,
                         size_t most)
{
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    char *text = read_stream(file, length, most);
    lmb_status status = text ? LMB_OK : lmb_fail_memory(context);
    if (!status && ferror(file))
        status = lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    if (status) {
        free(text);
        return status;
    }
    *out = text;
    return LMB_OK;
}

lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path)
{
    char *text;
    size_t length;
    *out = NULL;
    lmb_status status = lmb_read_file(&text, &length, context, path, largest_model + 1);
    if (status)
        return status;
    if (length > largest_model)
        status =
            lmb_fail(context, LMB_BAD_INPUT, "'%s' is larger than a model file can be (%zu MiB)",
                     path, largest_model >> 20);
    else if (memchr(text, 0, length))
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    else if (!(*out = lmb_text_copy(arena, text, length)))
        status = lmb_fail_memory(context);
    free(text);
    return status;
}
