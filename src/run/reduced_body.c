/* Reduced bodies as programs and the verbs take them: what model/ reduces and store/ keeps, with
 * plain numbers. */
#include "limber/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/flexible_part.h"
#include "read/reader.h"
#include "reduction/untied.h"
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

static lmb_status show_ties(lmb_reduced_body *o, lmb_context *context)
{
    static const char *const words[] = {"node", "rigid", "average"};
    const lmb_body_data *d = o->data;
    const lmb_reduced *b = d->reduced;
    const lmb_selectable all = lmb_body_selectable(d);
    lmb_reduced_point *ties = lmb_arena_alloc(o->arena, (size_t)b->point_count + 1, sizeof *ties);
    lmb_status status = ties ? LMB_OK : lmb_fail_memory(context);
    for (int i = 0; i < b->point_count && d->tied_count && !status; i++) {
        lmb_node_group g;
        lmb_reduced_point *p = &ties[i];
        p->tie = words[d->tie[i]];
        p->node_index = d->tied + d->tied_start[i];
        p->node_count = d->tied_start[i + 1] - d->tied_start[i];
        status = lmb_node_group_measure(&g, context, &all, p->node_index, p->node_count);
        put_vector(p->position, v3_add(b->point[i], b->origin));
        put_vector(p->low, g.low);
        put_vector(p->high, g.high);
        p->radius = g.radius;
        p->fit_error = g.error;
    }
    o->point_ties = d->tied_count ? ties : NULL;
    return status;
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
    o->free_count = o->data->free_count;
    o->free_tied = o->data->free_tied;
    o->free_untied = o->data->free_untied;
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
static lmb_status end(lmb_reduced_body **out, lmb_reduced_body *o, lmb_context *context,
                      lmb_status status)
{
    if (!status)
        status = show_ties(o, context);
    if (status)
        lmb_reduced_body_free(o);
    else {
        show_numbers(o);
        *out = o;
    }
    return status;
}

/* --- what programs call ----------------------------------------------------------------------- */

/* Add the comparison without ties to a body from the cache. */
static lmb_status add_untied(lmb_flexible_part *part, lmb_context *context, lmb_body_data *data)
{
    size_t from = lmb_message_count(context);
    lmb_status status = lmb_part_build(part, context);
    if (!status) {
        lmb_messages_drop(context, from, lmb_message_count(context) - from); /* known warnings */
        status = lmb_find_untied(data, context, part->model);
    }
    return status;
}

/* Warn if ties stiffen the body, or if the basis is too small. */
static void warn_of_ties(lmb_context *context, const lmb_body_data *d)
{
    const double most = 0.1;
    double worst = 0;
    int mode = 0;
    bool rigid = false;
    for (int i = 0; i < d->free_count; i++) {
        double off = d->free_tied[i] / d->free_untied[i] - 1;
        mode = off > worst ? i : mode;
        worst = fmax(worst, off);
    }
    if (worst <= most)
        return;
    for (int i = 0; i < d->reduced->point_count; i++)
        rigid = rigid || d->tie[i] == LMB_TIE_RIGID;
    lmb_warn(
        context,
        "mode %d of the free body '%s' is at %.5g Hz with the ties of its interface points and "
        "its kept modes, but at %.5g Hz without",
        mode + 1, d->name, d->free_tied[mode], d->free_untied[mode]);
    lmb_hint(context, rigid ? "'tie: average' leaves surfaces free to deform; or increase 'modes'"
                            : "increase 'modes' of its reduction, or keep more of them");
}

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
    if (!status) {
        part->reduction.untied = options->untied;
        status = lmb_part_reduce(part, context, spec->file, use_cache, &o->data, &o->cached);
    }
    /* a run may have cached the body without this comparison */
    if (!status && options->untied && o->cached && o->data->free_count == 0 &&
        lmb_can_untie(o->data))
        status = add_untied(part, context, o->data);
    if (!status && options->untied)
        warn_of_ties(context, o->data);
    lmb_flexible_parts_free(parts);
    return status;
}

lmb_status lmb_reduced_body_find(lmb_reduced_body **out, lmb_context *context, const lmb_spec *spec,
                                 const lmb_reduced_body_options *options)
{
    static const lmb_reduced_body_options usual = {0};
    lmb_reduced_body *o;
    LMB_REQUIRE_OUT(context, out, spec);
    lmb_status status = begin(&o, context);
    return status ? status
                  : end(out, o, context, reduce(o, context, spec, options ? options : &usual));
}

lmb_status lmb_reduced_body_open(lmb_reduced_body **out, lmb_context *context, const char *path)
{
    lmb_reduced_body *o;
    LMB_REQUIRE_OUT(context, out, path);
    lmb_status status = begin(&o, context);
    return status ? status : end(out, o, context, lmb_body_read(&o->data, context, path));
}

lmb_status lmb_reduced_body_save(lmb_context *context, const lmb_reduced_body *body,
                                 const char *path)
{
    unsigned char *bytes = NULL;
    size_t size;
    LMB_REQUIRE(context, body, path);
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
    LMB_REQUIRE(context, body, out);
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
