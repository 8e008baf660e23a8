/* The cache of reduced bodies, and reduction with all that goes into a body file. */
#include "io/body_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "fe/stress.h"
#include "fe/surface.h"
#include "io/flexible_modal.h"

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

/* Room for the section forces of beams. */
static lmb_status add_lines(lmb_body_data *d, lmb_context *context)
{
    size_t lines = (size_t)d->line_count, modes = (size_t)d->reduced->mode_count;
    d->line_forces = lmb_arena_numbers(d->arena, modes * 12 * lines + 1);
    d->line_section = lmb_arena_numbers(d->arena, LMB_LINE_NUMBERS * lines + 1);
    d->line_axis = lmb_arena_numbers(d->arena, 3 * lines + 1);
    d->line_inertia = lmb_arena_numbers(d->arena, (LMB_CARRIED + modes) * 12 * lines + 1);
    return d->line_forces && d->line_section && d->line_axis && d->line_inertia
               ? LMB_OK
               : lmb_fail_memory(context);
}

static void put_ends(const lmb_section_forces ends[2], double *out)
{
    for (int k = 0; k < 2; k++) {
        const double forces[6] = {ends[k].N, ends[k].Vy, ends[k].Vz,
                                  ends[k].T, ends[k].My, ends[k].Mz};
        memcpy(out + 6 * k, forces, sizeof forces);
    }
}

/* Section forces of the beams in one mode, and those of its acceleration. */
static void line_forces(const lmb_stress *stress, const lmb_mesh *mesh, const double *u,
                        double *out, double *inertia)
{
    for (int i = 0; i < mesh->element_count; i++) {
        if (!lmb_element_type_of(mesh->elements[i].kind)->beam)
            continue;
        lmb_section_forces ends[2];
        lmb_stress_beam(stress, i, u, ends);
        put_ends(ends, out);
        lmb_stress_beam_inertia(stress, i, u, ends);
        put_ends(ends, inertia);
        out += 12;
        inertia += 12;
    }
}

/* Section forces of the accelerations of the body frame. */
static void carried_forces(lmb_body_data *d, const lmb_mesh *mesh)
{
    double *out = d->line_inertia;
    for (int motion = 0; motion < LMB_CARRIED; motion++)
        for (int i = 0; i < mesh->element_count; i++) {
            if (!lmb_element_type_of(mesh->elements[i].kind)->beam)
                continue;
            lmb_section_forces ends[2];
            lmb_element_data e;
            lmb_element_gather(mesh, i, &e);
            lmb_beam_carried_forces(&e, d->reduced->origin, motion, ends);
            put_ends(ends, out);
            out += 12;
        }
}

/* Materials of the places of stresses, sections of the lines. */
static bool fill_constants(lmb_body_data *d, const lmb_mesh *mesh, const lmb_stress *s)
{
    d->stress_material = lmb_arena_numbers(d->arena, 2 * (size_t)s->count + 1);
    if (!d->stress_material)
        return false;
    for (int i = 0; i < s->count; i++) {
        d->stress_material[2 * i] = mesh->materials[s->material[i]].E;
        d->stress_material[2 * i + 1] = mesh->materials[s->material[i]].nu;
    }
    double *out = d->line_section, *axis = d->line_axis;
    for (int i = 0; i < mesh->element_count; i++) {
        if (!lmb_element_type_of(mesh->elements[i].kind)->beam)
            continue;
        lmb_element_data e;
        lmb_element_gather(mesh, i, &e);
        const lmb_section *c = &e.section;
        const double values[LMB_LINE_NUMBERS] = {
            e.material.E, e.material.nu,     c->A,     c->Iy,      c->Iz,     c->J, c->y_max,
            c->z_max,     c->torsion_radius, c->shape, c->inner_y, c->inner_z};
        memcpy(out, values, sizeof values);
        out += LMB_LINE_NUMBERS;
        mat3 axes;
        double length;
        if (lmb_beam_axes(&e, &axes, &length))
            memcpy(axis, (double[3]){axes.c[1].x, axes.c[1].y, axes.c[1].z}, 3 * sizeof *axis);
        axis += 3;
    }
    return true;
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

/* Stresses of all modes. */
static lmb_status fill_stress(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m,
                              const lmb_stress *s)
{
    size_t modes = (size_t)d->reduced->mode_count, n = (size_t)m->n, places = (size_t)s->count;
    double *u = malloc((modes * n + 1) * sizeof *u);
    d->stress_node = lmb_arena_alloc(d->arena, places + 1, sizeof *d->stress_node);
    d->stress = lmb_arena_alloc(d->arena, modes * places * LMB_STRESSES + 1, sizeof *d->stress);
    bool done = u && d->stress_node && d->stress;
    for (size_t j = 0; done && j < modes; j++) {
        lmb_reduced_displacements(d->reduced, m, (int)j, u + j * n);
        size_t lines = 12 * (size_t)d->line_count;
        line_forces(s, m->mesh, u + j * n, d->line_forces + j * lines,
                    d->line_inertia + (LMB_CARRIED + j) * lines);
    }
    if (done)
        carried_forces(d, m->mesh);
    done = done && (!places || lmb_stress_nodal(s, (int)modes, u, d->stress)) &&
           fill_constants(d, m->mesh, s);
    if (done) {
        d->stress_count = s->count;
        memcpy(d->stress_node, s->node, places * sizeof *s->node);
    }
    free(u);
    return done ? LMB_OK : lmb_fail_memory(context);
}

static lmb_status add_stress(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m)
{
    lmb_stress *s;
    lmb_status status = lmb_stress_new(&s, context, m);
    if (status)
        return status;
    status = fill_stress(d, context, m, s);
    lmb_arena_free(s->arena);
    return status;
}

/* Matrices may come with a mesh that has no materials; then there are no stresses. */
static bool has_materials(const lmb_mesh *mesh)
{
    for (int i = 0; i < mesh->element_count; i++)
        if (mesh->elements[i].kind != LMB_POINT_MASS && mesh->elements[i].material < 0)
            return false;
    return true;
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
    status = lmb_reduce(&d->reduced, context, p->model, p->points, p->interface_count, &options);
    if (status || !mesh || (status = add_lines(d, context)) ||
        (status = add_sets(d, context, mesh)))
        return status;
    return has_materials(mesh) ? add_stress(d, context, p->model) : LMB_OK;
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
