/* Reduced bodies as programs and the verbs take them: what model/ reduces and store/ keeps, with
 * plain numbers. */
#include "limber/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/flexible_part.h"
#include "read/reader.h"
#include "store/body_file.h"

/* --- numbers ---------------------------------------------------------------------------------- */

static void put_vector(double out[3], vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* Vectors as numbers, x y z of each. */
static const double *plain(const vec3 *list)
{
    return list ? &list->x : NULL;
}

static void show_numbers(lmb_reduced_body *o)
{
    const lmb_reduced *b = o->data->reduced;
    o->name = o->data->name;
    o->dimension = b->dimension;
    o->mass = b->mass;
    put_vector(o->centre, b->centre);
    put_vector(o->origin, b->origin);
    for (int i = 0; i < 3; i++)
        put_vector(o->inertia + 3 * (size_t)i, b->inertia.c[i]);
    o->node_count = b->node_count;
    o->nodes = plain(b->x);
    o->node_numbers = b->number;
    o->point_count = b->point_count;
    o->point_names = b->point_name;
    o->points = plain(b->point);
    o->point_shapes = b->point_shape;
    o->fixed_count = b->fixed_count;
    o->fixed_frequency = b->fixed_frequency;
    o->effective_mass = b->effective ? b->effective->of : NULL;
    o->all_count = b->all_count;
    o->all_frequency = b->all_frequency;
    o->mode_count = b->mode_count;
    o->frequency = b->frequency;
    o->K = b->K;
    o->M = b->M;
    o->C = b->C;
    o->shapes = b->shape;
    o->rotations = b->turn;
    o->gram_count = lmb_gram_size(b->mode_count);
    o->gram = b->gram;
    o->flexibility = b->flexibility;
}

/* A body without data as yet. */
static lmb_status begin(lmb_reduced_body **out, lmb_context *context)
{
    lmb_arena *arena;
    lmb_reduced_body *o = lmb_arena_object(&arena, sizeof *o);
    if (!o)
        return lmb_fail_memory(context);
    *o = (lmb_reduced_body){.arena = arena};
    *out = o;
    return LMB_OK;
}

/* Hands a body out, or frees it. */
static lmb_status end(lmb_reduced_body **out, lmb_reduced_body *o, lmb_status status)
{
    if (status)
        lmb_reduced_body_free(o);
    else {
        show_numbers(o);
        *out = o;
    }
    return status;
}

/* --- what programs call ----------------------------------------------------------------------- */

static lmb_status reduce(lmb_reduced_body *o, lmb_context *context, const lmb_spec *spec,
                         const lmb_reduced_body_options *options)
{
    lmb_flexible_parts *parts;
    lmb_flexible_part *part;
    lmb_status status = lmb_flexible_parts_read(&parts, context, spec);
    if (status)
        return status;
    bool use_cache = !spec->no_cache && !options->no_cache;
    status = lmb_flexible_part_find(parts, context, options->body, &part);
    if (!status)
        status = lmb_part_reduce(part, context, spec->file, use_cache, &o->data, &o->cached);
    lmb_flexible_parts_free(parts);
    return status;
}

lmb_status lmb_reduced_body_find(lmb_reduced_body **out, lmb_context *context, const lmb_spec *spec,
                                 const lmb_reduced_body_options *options)
{
    static const lmb_reduced_body_options usual = {0};
    lmb_reduced_body *o;
    if (out)
        *out = NULL;
    if (!context)
        return LMB_USAGE;
    if (!out || !spec)
        return lmb_fail(context, LMB_USAGE, "a reduction needs a spec");
    lmb_status status = begin(&o, context);
    return status ? status : end(out, o, reduce(o, context, spec, options ? options : &usual));
}

lmb_status lmb_reduced_body_open(lmb_reduced_body **out, lmb_context *context, const char *path)
{
    lmb_reduced_body *o;
    if (out)
        *out = NULL;
    if (!context)
        return LMB_USAGE;
    if (!out || !path)
        return lmb_fail(context, LMB_USAGE, "a reduced body needs the path of its file");
    lmb_status status = begin(&o, context);
    return status ? status : end(out, o, lmb_body_read(&o->data, context, path));
}

lmb_status lmb_reduced_body_save(lmb_context *context, const lmb_reduced_body *body,
                                 const char *path)
{
    unsigned char *bytes = NULL;
    size_t size;
    if (!context)
        return LMB_USAGE;
    if (!body || !path)
        return lmb_fail(context, LMB_USAGE, "a body file needs a body and a path");
    if (lmb_file_kind_of(context, path) == LMB_FILE_RESULT) {
        lmb_fail(context, LMB_USAGE, "'%s' has results, which a body would replace", path);
        return lmb_hint(context, "choose another name for it");
    }
    lmb_status status = lmb_body_image(body->data, context, &bytes, &size);
    if (!status)
        status = lmb_file_write(context, path, bytes, size);
    free(bytes);
    return status;
}

void lmb_reduced_body_free(lmb_reduced_body *body)
{
    if (!body)
        return;
    lmb_body_free(body->data);
    lmb_arena_free(body->arena);
}

/* --- modes of the free body ------------------------------------------------------------------- */

/* Mode i of those that were found. */
static lmb_mode mode_of(const lmb_free_modes *f, int i)
{
    double w = 2 * LMB_PI * f->frequency[i], damping = f->damping[i];
    return (lmb_mode){.frequency = f->frequency[i],
                      .damping = damping,
                      .rigid = i < f->rigid,
                      .shape = f->shape + (size_t)i * (size_t)f->count,
                      .real = -damping * w,
                      .imaginary = w * sqrt(fmax(0, 1 - damping * damping)),
                      .time_constant = NAN};
}

lmb_status lmb_reduced_body_modes(const lmb_reduced_body *body, lmb_context *context,
                                  lmb_mode_list *out)
{
    lmb_free_modes f;
    if (out)
        *out = (lmb_mode_list){0};
    if (!context)
        return LMB_USAGE;
    if (!body || !out)
        return lmb_fail(context, LMB_USAGE, "there is no reduced body");
    lmb_arena *arena = out->arena = lmb_arena_new();
    lmb_status status = lmb_check_memory(context, arena);
    if (!status)
        status = lmb_free_modes_find(&f, context, arena, body->data->reduced);
    size_t count = status ? 0 : (size_t)f.count;
    out->names = lmb_arena_alloc(arena, count + 1, sizeof *out->names);
    out->modes = lmb_arena_alloc(arena, count + 1, sizeof *out->modes);
    for (size_t i = 0; i < count && out->names && out->modes; i++) {
        out->names[i] = lmb_motion_name(arena, f.rigid, (int)i);
        out->modes[i] = mode_of(&f, (int)i);
    }
    out->count = out->coordinates = (int)count;
    if (!status)
        status = lmb_check_memory(context, arena);
    if (status)
        lmb_mode_list_free(out);
    return status;
}
