/* Opening results, of files and in memory: which analyses and channels there are. The layout is
 * described in write.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "result/opened.h"
#include "result/quantities.h"

/* --- finding the analyses and their channels -------------------------------------------------- */

/* Adds the data set of a name to an analysis; -1: there is none, or out of memory. */
static int add_set(lmb_arena *arena, hid_t values, const char *name, lmb_opened *a)
{
    hsize_t dims[3];
    hid_t id = H5Dopen2(values, name, H5P_DEFAULT);
    bool fine = id >= 0 && lmb_h5_shape(id, dims);
    a->sets = lmb_arena_append(arena, a->sets, a->set_count, sizeof *a->sets);
    const char *unit = lmb_h5_get_text(arena, id, "unit");
    const char *doc = lmb_h5_get_text(arena, id, "doc");
    const char *components = lmb_h5_get_text(arena, id, "components");
    H5Dclose(id);
    if (!fine || !lmb_arena_fine(arena) ||
        !lmb_names_add(&a->set_names, arena, name, 0, a->set_count))
        return -1;
    a->sets[a->set_count] = (lmb_opened_set){name,
                                             H5I_INVALID_HID,
                                             unit ? unit : "",
                                             doc ? doc : "",
                                             components ? components : "",
                                             (int)dims[1],
                                             (int)dims[2]};
    return a->set_count++;
}

/* Adds a channel of the table; false: it does not fit its data set. */
static bool add_entry(lmb_arena *arena, hid_t values, const lmb_channel_line *line, lmb_opened *a)
{
    const lmb_named *named = lmb_names_find(&a->set_names, line->set, strlen(line->set));
    int index = named ? named->index : add_set(arena, values, line->set, a);
    if (index < 0)
        return false;
    const lmb_opened_set *set = &a->sets[index];
    if (line->nodes < 1 || set->columns < 1 || line->slot < 0 ||
        line->slot > set->slots - line->nodes)
        return false;
    lmb_channel c = {line->name, set->unit, set->doc, line->nodes * set->columns, set->components};
    a->entries[a->count] = (lmb_opened_channel){c, index, line->slot};
    return lmb_names_add(&a->names, arena, line->name, 0, a->count++);
}

static bool read_channels(lmb_arena *arena, hid_t group, lmb_opened *a)
{
    lmb_channel_line *lines;
    int count;
    if (!lmb_channel_index_read(group, arena, &count, &lines))
        return false;
    a->entries = lmb_arena_alloc(arena, (size_t)count, sizeof *a->entries);
    hid_t values = H5Gopen2(group, "values", H5P_DEFAULT);
    bool done = a->entries && values >= 0;
    for (int i = 0; done && i < count; i++)
        done = add_entry(arena, values, &lines[i], a);
    H5Gclose(values);
    return done;
}

static int by_analysis_order(const void *a, const void *b)
{
    const lmb_opened *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* What the rows of an analysis are over. */
static lmb_channel read_over(lmb_arena *arena, hid_t group)
{
    hid_t set = H5Dopen2(group, "time", H5P_DEFAULT);
    const char *name = lmb_h5_get_text(arena, set, "name");
    const char *unit = lmb_h5_get_text(arena, set, "unit");
    const char *doc = lmb_h5_get_text(arena, set, "doc");
    H5Dclose(set);
    return (lmb_channel){name ? name : "time", unit ? unit : "s", doc ? doc : "", 1, ""};
}

/* Looks at one member of the root: an analysis has an order, anything else is not one. */
static herr_t look_at_root(hid_t root, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    lmb_result *r = user;
    lmb_opened found = {0};
    hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    herr_t result = 0;
    if (H5Iget_type(object) == H5I_GROUP && lmb_h5_get_integer(object, "order", &found.order)) {
        found.name = lmb_text_copy(r->arena, name, strlen(name));
        found.over = read_over(r->arena, object);
        result = read_channels(r->arena, object, &found) ? 0 : -1;
        lmb_opened *more = lmb_arena_append(r->arena, r->analyses, r->count, sizeof *r->analyses);
        if (lmb_arena_fine(r->arena)) {
            r->analyses = more;
            r->analyses[r->count++] = found;
        }
    }
    H5Oclose(object);
    return lmb_arena_fine(r->arena) ? result : -1;
}

/* --- opening ---------------------------------------------------------------------------------- */

lmb_status lmb_result_fail(const lmb_result *r, lmb_context *context)
{
    char reason[256];
    lmb_h5_reason(reason, sizeof reason);
    return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged and cannot be read: %s", r->path,
                    reason);
}

static lmb_status fail_not_result(const lmb_result *r, lmb_context *context)
{
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a Limber result file", r->path);
    if (lmb_ends_with(r->path, ".yaml") || lmb_ends_with(r->path, ".yml"))
        lmb_hint(context, "`limber run %s` computes the result of a model", r->path);
    return LMB_BAD_INPUT;
}

/* Opens the file with HDF5 and finds what is in it. */
static lmb_status open_file(lmb_result *r, lmb_context *context)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (r->memory)
        r->driver = lmb_h5_use_disk(access, r->memory);
    else
        H5Pset_file_locking(access, false, true); /* a run under way can be looked at */
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, access);
    lmb_status status = r->file < 0 ? lmb_result_fail(r, context) : LMB_OK;
    H5Pclose(access);
    if (status)
        return status;
    const char *program = lmb_h5_get_text(r->arena, r->file, "program");
    int format = 0;
    if (!program || strcmp(program, "limber") != 0 ||
        !lmb_h5_get_integer(r->file, "format", &format))
        return fail_not_result(r, context);
    const char *kind = lmb_h5_get_text(r->arena, r->file, "kind");
    if (kind && strcmp(kind, "body") == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' has a reduced body, not results", r->path);
        return lmb_hint(context, "`limber modes` and `limber matrices` read it");
    }
    if (format > LMB_RESULT_FORMAT)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "'%s' was written by a newer Limber (file format %d)", r->path, format);
    if (format < LMB_RESULT_FORMAT) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' was written by an older Limber (file format %d)",
                 r->path, format);
        return lmb_hint(context, "run its model again");
    }
    if (H5Literate(r->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_root, r) < 0)
        return lmb_arena_fine(r->arena) ? lmb_result_fail(r, context) : lmb_fail_memory(context);
    if (r->count)
        qsort(r->analyses, (size_t)r->count, sizeof *r->analyses, by_analysis_order);
    return LMB_OK;
}

/* A result that is not open yet; NULL: out of memory. */
static lmb_result *new_result(const char *path)
{
    lmb_arena *arena;
    lmb_result *r = lmb_arena_object(&arena, sizeof *r);
    const char *copy = r ? lmb_text_copy(arena, path, strlen(path)) : NULL;
    if (!copy) {
        lmb_arena_free(arena);
        return NULL;
    }
    *r = (lmb_result){
        .arena = arena, .path = copy, .driver = H5I_INVALID_HID, .file = H5I_INVALID_HID};
    return r;
}

/* Opens it, or closes it for good. */
static lmb_status open_result(lmb_result **out, lmb_context *context, lmb_result *r)
{
    lmb_status status;
    if (r->memory || lmb_h5_signature(r->path)) {
        status = r->memory ? LMB_OK : lmb_h5_probe(context, r->path);
        H5E_BEGIN_TRY
        {
            if (!status)
                status = open_file(r, context);
        }
        H5E_END_TRY;
    } else if (errno) {
        status = lmb_fail_read(context, r->path, errno);
    } else {
        status = fail_not_result(r, context);
    }
    if (status)
        lmb_result_close(r);
    else
        *out = r;
    return status;
}

lmb_status lmb_result_open(lmb_result **out, lmb_context *context, const char *path)
{
    LMB_REQUIRE_OUT(context, out, path);
    lmb_input_note(context, path);
    lmb_result *r = new_result(path);
    return r ? open_result(out, context, r) : lmb_fail_memory(context);
}

lmb_status lmb_result_adopt(lmb_result **out, lmb_context *context, unsigned char *bytes,
                            size_t size)
{
    *out = NULL;
    lmb_result *r = new_result(LMB_IN_MEMORY);
    lmb_h5_disk *memory = r ? lmb_arena_alloc(r->arena, 1, sizeof *memory) : NULL;
    if (!memory) {
        free(bytes);
        lmb_result_close(r);
        return lmb_fail_memory(context);
    }
    *memory =
        (lmb_h5_disk){.fd = -1, .in_memory = true, .bytes = bytes, .size = size, .capacity = size};
    r->memory = memory;
    return open_result(out, context, r);
}

lmb_status lmb_result_open_image(lmb_result **out, lmb_context *context, const void *bytes,
                                 size_t size)
{
    LMB_REQUIRE_OUT(context, out, bytes);
    unsigned char *copy = lmb_malloc(size + 1);
    if (!copy)
        return lmb_fail_memory(context);
    if (size)
        memcpy(copy, bytes, size);
    return lmb_result_adopt(out, context, copy, size);
}

void lmb_result_close(lmb_result *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->analyses[i].set_count; k++)
            if (r->analyses[i].sets[k].id >= 0)
                H5Dclose(r->analyses[i].sets[k].id);
    if (r->file >= 0)
        H5Fclose(r->file);
    if (r->driver >= 0)
        H5FDunregister(r->driver);
    if (r->memory)
        lmb_h5_release(r->memory);
    lmb_arena_free(r->arena);
}

/* --- out of memory into a file ---------------------------------------------------------------- */

const void *lmb_result_image(const lmb_result *r, size_t *size)
{
    if (!r || !size)
        return NULL;
    *size = r->memory ? r->memory->size : 0;
    return r->memory ? r->memory->bytes : NULL;
}

/* The bytes of the file of a result, to be freed; NULL: out of memory, or it is damaged. */
static unsigned char *read_image(const lmb_result *r, size_t *size)
{
    unsigned char *bytes = NULL;
    H5E_BEGIN_TRY
    {
        ssize_t length = H5Fget_file_image(r->file, NULL, 0);
        *size = length > 0 ? (size_t)length : 0;
        bytes = *size ? lmb_malloc(*size) : NULL;
        if (bytes && H5Fget_file_image(r->file, bytes, *size) != length) {
            free(bytes);
            bytes = NULL;
        }
    }
    H5E_END_TRY;
    return bytes;
}

lmb_status lmb_result_save(lmb_result *result, lmb_context *context, const char *path)
{
    LMB_REQUIRE(context, result, path);
    lmb_status status = lmb_check_replaceable(context, path);
    if (status)
        return status;
    size_t size;
    if (result->memory)
        return lmb_file_write(context, path, result->memory->bytes, result->memory->size);
    unsigned char *bytes = read_image(result, &size);
    status = bytes ? lmb_file_write(context, path, bytes, size) : lmb_fail_memory(context);
    free(bytes);
    return status;
}
