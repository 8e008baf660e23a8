/* The cache of reduced bodies, and reduction with all that goes into a body file. */
#include "model/body_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "fe/element.h"
#include "fe/surface.h"
#include "store/body_stress.h"
#include "model/flexible_modal.h"

/* --- keys ------------------------------------------------------------------------------------- */

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

lmb_status lmb_body_key(const lmb_flexible_part *p, lmb_context *context, char key[LMB_SHA256_TEXT])
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

/* --- where ------------------------------------------------------------------------------------ */

/* The folder of the cache, or a file in it; false if the name is too long. */
static bool cache_path(const char *model_file, const char *key, char *path, size_t room)
{
    const char *slash = strrchr(model_file, '/');
    int length = slash ? (int)(slash - model_file) + 1 : 0;
    int n = snprintf(path, room, "%.*s.limber-cache%s%s%s", length, model_file, key ? "/" : "",
                     key ? key : "", key ? ".h5" : "");
    return n >= 0 && (size_t)n < room;
}

/* The warnings of a reduction, once more. */
static void repeat_warnings(lmb_context *context, const char *lines)
{
    while (*lines) {
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

/* --- what a body file has besides the reduced body -------------------------------------------- */

/* Triangles of solids and lines of beams. */
static lmb_status add_surface(lmb_body_data *d, lmb_context *context, const lmb_mesh *mesh)
{
    lmb_surface surface;
    lmb_status status = lmb_surface_of(&surface, d->arena, context, mesh);
    if (status)
        return status;
    d->triangle_count = surface.triangle_count;
    d->triangles = (int *)surface.triangles;
    d->lines = lmb_arena_alloc(d->arena, 2 * (size_t)mesh->element_count, sizeof *d->lines);
    if (!d->lines)
        return lmb_fail_memory(context);
    for (int i = 0; i < mesh->element_count; i++) {
        const lmb_element *e = &mesh->elements[i];
        if (!lmb_element_type_of(e->kind)->beam)
            continue;
        memcpy(d->lines + 2 * (size_t)d->line_count++, mesh->connections + e->first,
               2 * sizeof *d->lines);
    }
    return LMB_OK;
}

/* The nodes of triangles and lines, in rising order. */
static lmb_status drawn_nodes(lmb_body_data *d, lmb_context *context, const lmb_mesh *mesh,
                              lmb_reduction *options)
{
    int *list = lmb_arena_integers(d->arena, (size_t)mesh->node_count + 1);
    if (!list)
        return lmb_fail_memory(context);
    for (int i = 0; i < 3 * d->triangle_count; i++)
        list[d->triangles[i]] = 1;
    for (int i = 0; i < 2 * d->line_count; i++)
        list[d->lines[i]] = 1;
    for (int i = 0; i < mesh->node_count; i++)
        if (list[i])
            list[options->drawn_count++] = i;
    options->drawn = list;
    return LMB_OK;
}

/* The named sets of the mesh. */
static lmb_status add_sets(lmb_body_data *d, lmb_context *context, const lmb_mesh *mesh)
{
    size_t sets = (size_t)mesh->set_count, nodes = 0;
    for (size_t i = 0; i < sets; i++)
        nodes += (size_t)mesh->sets[i].count;
    d->set_name = lmb_arena_alloc(d->arena, sets + 1, sizeof *d->set_name);
    d->set_start = lmb_arena_integers(d->arena, sets + 1);
    d->set_node = lmb_arena_integers(d->arena, nodes + 1);
    if (!d->set_name || !d->set_start || !d->set_node)
        return lmb_fail_memory(context);
    for (size_t i = 0; i < sets; i++) {
        const lmb_node_set *set = &mesh->sets[i];
        d->set_name[i] = lmb_text_copy(d->arena, set->name, strlen(set->name));
        if (!d->set_name[i])
            return lmb_fail_memory(context);
        if (set->count)
            memcpy(d->set_node + d->set_start[i], set->nodes,
                   (size_t)set->count * sizeof *set->nodes);
        d->set_start[i + 1] = d->set_start[i] + set->count;
    }
    d->set_count = mesh->set_count;
    return LMB_OK;
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

/* --- the whole -------------------------------------------------------------------------------- */

/* The reduction of a finite element model, and what is drawn of it. */
static lmb_status reduce_model(lmb_flexible_part *p, lmb_context *context, lmb_body_data *d)
{
    lmb_reduction options = p->reduction;
    lmb_status status = lmb_go_on(context, "finite elements", 0);
    if (status || (status = lmb_part_build(p, context)) ||
        (status = lmb_go_on(context, "reduction", 0)))
        return status;
    const lmb_mesh *mesh = p->model->mesh;
    if (mesh && ((status = add_surface(d, context, mesh)) ||
                 (status = drawn_nodes(d, context, mesh, &options))))
        return status;
    lmb_basis_looker looker = {d, p->model, options.drawn, options.drawn_count};
    if (mesh && lmb_has_materials(mesh)) {
        options.look = lmb_look_at_basis;
        options.looker = &looker;
    }
    status = lmb_reduce(&d->reduced, context, p->model, p->points, p->interface_count, &options);
    if (status || !mesh || (status = add_sets(d, context, mesh)))
        return status;
    return lmb_add_stress(d, context, p->model);
}

static lmb_status reduce(lmb_flexible_part *p, lmb_context *context, lmb_body_data *d)
{
    size_t from = lmb_message_count(context);
    lmb_status status =
        p->source == LMB_PART_MODAL ? lmb_modal_reduce(p, context, d) : reduce_model(p, context, d);
    if (status)
        return status;
    d->name = lmb_text_copy(d->arena, p->name, strlen(p->name));
    d->settings = lmb_text_copy(d->arena, p->settings, p->settings_used);
    d->warnings = warnings_since(d->arena, context, from);
    d->version = lmb_version();
    return d->name && d->settings && d->warnings ? LMB_OK : lmb_fail_memory(context);
}

lmb_status lmb_part_reduce(lmb_flexible_part *p, lmb_context *context, const char *model_file,
                           bool use_cache, lmb_body_data **out, bool *cached)
{
    char key[LMB_SHA256_TEXT];
    use_cache = use_cache && p->source != LMB_PART_MODAL; /* it costs nothing */
    lmb_status status = lmb_body_key(p, context, key);
    *out = status || !use_cache ? NULL : find_cached(context, model_file, key);
    *cached = *out != NULL;
    if (*cached)
        repeat_warnings(context, (*out)->warnings);
    if (status || *cached)
        return status;
    lmb_arena *arena;
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    if (!d)
        return lmb_fail_memory(context);
    d->arena = arena;
    status = reduce(p, context, d);
    lmb_part_free(p);
    if (status) {
        lmb_body_free(d);
        return status;
    }
    if (use_cache)
        keep(context, d, model_file, key);
    *out = d;
    return LMB_OK;
}
