/* The settings of a flexible part as text; reducing it: its key in the cache, which is made of
 * these, and the body of its finite element model or of its modal numbers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/text.h"
#include "model/flexible_part.h"
#include "reduction/body_data.h"
#include "store/body_cache.h"

/* --- the settings as text --------------------------------------------------------------------- */

void lmb_part_note(lmb_reader *r, lmb_flexible_part *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = lmb_text_vformat(r->arena, format, args);
    va_end(args);
    size_t length = text ? strlen(text) : 0;
    if (p->settings_used + length >= p->settings_room) {
        p->settings_room = 2 * (p->settings_used + length) + 256;
        p->settings = lmb_arena_grow(r->arena, p->settings, p->settings_used, p->settings_room, 1);
    }
    if (!lmb_arena_fine(r->arena))
        return;
    memcpy(p->settings + p->settings_used, text, length + 1);
    p->settings_used += length;
}

/* Notes the values of a table; nodes are noted by the code that reads them. */
static void note_fields(lmb_reader *r, lmb_flexible_part *p, const char *what,
                        const lmb_field *fields, const lmb_value *values)
{
    for (int k = 0; fields[k].name; k++) {
        const lmb_value *v = &values[k];
        bool numbers = fields[k].type == LMB_FIELD_VECTOR || fields[k].type == LMB_FIELD_NUMBERS;
        bool number = fields[k].type == LMB_FIELD_NUMBER || fields[k].type == LMB_FIELD_FLAG;
        if (number && (v->given || v->number != 0))
            lmb_part_note(r, p, "%s.%s: %.17g\n", what, fields[k].name, v->number);
        else if (numbers && v->given)
            for (int i = 0; i < v->size; i++)
                lmb_part_note(r, p, "%s.%s.%d: %.17g\n", what, fields[k].name, i + 1,
                              v->numbers[i]);
        else if (fields[k].type != LMB_FIELD_TREE && v->given)
            lmb_part_note(r, p, "%s.%s: %s\n", what, fields[k].name, v->text);
    }
}

lmb_status lmb_part_read(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                         const lmb_field *fields, const char *what, void *out)
{
    lmb_value values[LMB_MOST_FIELDS];
    lmb_status status = lmb_read_values(r, node, fields, what, NULL, values);
    lmb_fill_fields(fields, values, out);
    if (!status)
        note_fields(r, p, what, fields, values);
    return status;
}

/* --- reducing --------------------------------------------------------------------------------- */

static lmb_status add_file(lmb_sha256 *sha, lmb_context *context, const char *path)
{
    enum { PIECE = 1 << 16 };
    unsigned char *piece = malloc(PIECE);
    if (!piece)
        return lmb_fail_memory(context);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;
    while (fd >= 0 && (n = read(fd, piece, PIECE)) > 0)
        lmb_sha256_add(sha, piece, (size_t)n);
    int error = errno;
    if (fd >= 0)
        close(fd);
    free(piece);
    return n < 0 ? lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(error))
                 : LMB_OK;
}

/* The name of what a part would be reduced to: a hash of the program's version, all settings and
 * the contents of its files. */
static lmb_status key_of(const lmb_flexible_part *p, lmb_context *context,
                         char key[LMB_SHA256_TEXT])
{
    lmb_sha256 sha = lmb_sha256_start();
    lmb_status status = LMB_OK;
    lmb_sha256_add(&sha, lmb_version(), strlen(lmb_version()) + 1);
    lmb_sha256_add(&sha, p->name, strlen(p->name) + 1);
    lmb_sha256_add(&sha, p->settings, p->settings_used + 1);
    for (int i = 0; i < LMB_PART_FILES && !status; i++) {
        char number = (char)i;
        lmb_sha256_add(&sha, &number, 1);
        if (p->files[i])
            status = add_file(&sha, context, p->files[i]);
    }
    lmb_sha256_end(&sha, key);
    return status;
}

static lmb_status reduce(void *user, lmb_context *context, lmb_body_data *d)
{
    lmb_flexible_part *p = user;
    d->name = lmb_text_copy(d->arena, p->name, strlen(p->name));
    d->settings = lmb_text_copy(d->arena, p->settings, p->settings_used);
    if (!d->name || !d->settings)
        return lmb_fail_memory(context);
    if (p->source == LMB_PART_MODAL)
        return lmb_modal_reduce(p, context, d);
    lmb_status status = lmb_go_on(context, "finite elements", 0);
    if (status || (status = lmb_part_build(p, context)) ||
        (status = lmb_go_on(context, "reduction", 0)))
        return status;
    return lmb_reduce_body(d, context, p->model, p->points, p->interface_count, &p->reduction);
}

lmb_status lmb_part_reduce(lmb_flexible_part *p, lmb_context *context, const char *model_file,
                           bool use_cache, lmb_body_data **out, bool *cached)
{
    char key[LMB_SHA256_TEXT];
    use_cache = use_cache && p->source != LMB_PART_MODAL; /* it costs nothing */
    *out = NULL;
    *cached = false;
    lmb_status status = use_cache ? key_of(p, context, key) : LMB_OK;
    if (!status)
        status =
            lmb_body_cached(out, cached, context, model_file, use_cache ? key : NULL, reduce, p);
    lmb_part_free(p);
    return status;
}
