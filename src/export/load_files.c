/* Functions that all formats of load cases use, the table of formats, and CSV. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "export/load_cases.h"

/* --- units ------------------------------------------------------------------------------------ */

static vec3 in_units(const lmb_load_file *f, vec3 v, int length, int mass, int time)
{
    return v3_scale(1 / lmb_units_scale(f->body->units, 1, length, mass, time), v);
}

vec3 lmb_load_force(const lmb_load_file *f, vec3 force)
{
    return in_units(f, force, 1, 1, -2);
}

vec3 lmb_load_moment(const lmb_load_file *f, vec3 moment)
{
    return in_units(f, moment, 2, 1, -2);
}

vec3 lmb_load_length(const lmb_load_file *f, vec3 x)
{
    return in_units(f, x, 1, 0, 0);
}

/* --- vectors of an instant -------------------------------------------------------------------- */

void lmb_load_each_point(const lmb_load_file *f, lmb_load_put *put)
{
    const double *row = lmb_load_row(f->cases, f->instant);
    for (int p = 0; p < f->body->coupling_count; p++, row += LMB_LOAD_NUMBERS) {
        int node = f->body->couplings[p].reference;
        if (f->displacements) {
            put(f, node, false, lmb_load_length(f, v3_of(row + LMB_LOAD_MOVE)));
            put(f, node, true, v3_of(row + LMB_LOAD_TURN));
        } else {
            put(f, node, false, lmb_load_force(f, v3_of(row + LMB_LOAD_FORCE)));
            put(f, node, true, lmb_load_moment(f, v3_of(row + LMB_LOAD_TORQUE)));
        }
    }
}

void lmb_load_each_node(const lmb_load_file *f, lmb_load_put *put)
{
    const lmb_mesh *mesh = f->body->mesh;
    for (int i = 0; i < mesh->node_count; i++) {
        vec3 force = f->load->force[i], moment = f->load->moment[i];
        if (v3_norm(force) > 0)
            put(f, mesh->number[i], false, lmb_load_force(f, force));
        if (v3_norm(moment) > 0)
            put(f, mesh->number[i], true, lmb_load_moment(f, moment));
    }
}

/* --- comma-separated values ------------------------------------------------------------------- */

static void begin_csv(const lmb_load_file *f)
{
    static const char *const groups[] = {"force", "torque", "displacement", "rotation"};
    static const char *const frame[] = {"acceleration", "angular_velocity", "angular_acceleration"};
    fputs("time", f->out);
    for (int p = 0; p < f->cases->point_count; p++)
        for (int k = 0; k < LMB_LOAD_NUMBERS; k++)
            lmb_fprintf(f->out, ",%s.%s.%c", f->cases->points[p].name, groups[k / 3], 'x' + k % 3);
    for (int k = 0; k < LMB_LOAD_FRAME; k++)
        lmb_fprintf(f->out, ",%s.%c", frame[k / 3], 'x' + k % 3);
    for (int k = 0; k < 3 * f->cases->patch_count; k++)
        lmb_fprintf(f->out, ",%s.force.%c", f->cases->patches[k / 3], 'x' + k % 3);
    putc('\n', f->out);
}

static void step_csv(const lmb_load_file *f)
{
    lmb_fprintf(f->out, "%.17g", f->cases->time[f->instant]);
    for (int k = 0; k < lmb_load_width(f->cases); k++)
        lmb_fprintf(f->out, ",%.17g", lmb_load_row(f->cases, f->instant)[k]);
    putc('\n', f->out);
}

static const lmb_load_writer lmb_load_csv = {
    .ending = ".csv", .begin = begin_csv, .step = step_csv};

/* --- writing ---------------------------------------------------------------------------------- */

const lmb_load_writer *lmb_load_writer_of(const char *path)
{
    static const lmb_load_writer *const all[] = {&lmb_load_inp, &lmb_load_mac, &lmb_load_bdf,
                                                 &lmb_load_vtu, &lmb_load_csv};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (lmb_ends_with(path, all[i]->ending))
            return all[i];
    return NULL;
}

/* Fail if a point with `tie: average` has no element face although the format couples it through
 * faces. */
static lmb_status check_faces(lmb_context *context, const lmb_load_body *b)
{
    for (int i = 0; i < b->coupling_count; i++) {
        const lmb_interface *p = b->couplings[i].of;
        if (p->tie != LMB_TIE_AVERAGE || b->couplings[i].face_count > 0)
            continue;
        return lmb_fail_hint(context,
                             "tie it to all nodes of a face of the part, or export to .mac or .bdf",
                             "interface '%s' has 'tie: average' and no element face with all of "
                             "its nodes among the %d tied ones: *DISTRIBUTING needs faces",
                             p->name, p->count);
    }
    return LMB_OK;
}

/* Return the nodal forces of the forces on patches, or NULL if memory runs out. */
static lmb_wrench *spread_forces(lmb_arena *room, const lmb_load_cases *c, const lmb_load_body *b,
                                 const double *force)
{
    size_t nodes = (size_t)b->mesh->node_count;
    lmb_wrench *out = lmb_arena_alloc(room, nodes + 1, sizeof *out);
    for (size_t p = 0; out && p < (size_t)c->patch_count; p++, force += 3)
        for (size_t i = 0; i < nodes; i++) {
            const lmb_node_share *s = &b->shares[p * nodes + i];
            out[i].force = v3_axpy(out[i].force, s->part, v3_of(force));
            out[i].moment = v3_add(out[i].moment, v3_cross(s->lean, v3_of(force)));
        }
    return out;
}

/* Compute the nodal forces of an instant. */
static lmb_status find_forces(lmb_nodal_loads *out, lmb_context *context, lmb_arena *room,
                              const lmb_load_cases *c, const lmb_load_body *b, int instant)
{
    const double *row = lmb_load_row(c, instant);
    const double *frame = row + (size_t)c->point_count * LMB_LOAD_NUMBERS;
    lmb_body_motion motion = {.acceleration = v3_of(frame + LMB_LOAD_ACCELERATION),
                              .spin = v3_of(frame + LMB_LOAD_SPIN),
                              .spin_rate = v3_of(frame + LMB_LOAD_SPIN_RATE)};
    if (c->modes) {
        motion.mode_rates = c->modes + (size_t)instant * 2 * (size_t)c->mode_count;
        motion.mode_accelerations = motion.mode_rates + c->mode_count;
    }
    lmb_placed_load *placed = lmb_arena_alloc(room, (size_t)c->point_count + 1, sizeof *placed);
    lmb_wrench *spread = spread_forces(room, c, b, frame + LMB_LOAD_FRAME);
    if (!placed || !spread)
        return lmb_fail_memory(context);
    for (int p = 0; p < c->point_count; p++, row += LMB_LOAD_NUMBERS)
        placed[p] = (lmb_placed_load){c->points[p].x,
                                      {v3_of(row + LMB_LOAD_FORCE), v3_of(row + LMB_LOAD_TORQUE)}};
    return lmb_nodal_loads_find(out, context, room, &b->masses, b->data->reduced, &motion,
                                &(lmb_body_loads){c->point_count, placed, spread});
}

static void warn_of_resultant(lmb_context *context, const lmb_load_cases *c,
                              const lmb_load_summary *s)
{
    const double most = 0.02;
    if (s->share <= most)
        return;
    lmb_warn(context,
             "the loads of body '%s' leave a resultant of %.3g N and %.3g N m on its undeformed "
             "mesh, %.2g %% of the loads; a rigid acceleration removes it",
             c->body, v3_norm(s->removed.force), v3_norm(s->removed.moment), 100 * s->share);
    lmb_hint(context, "the deformation is large: a linear analysis of the undeformed mesh is not "
                      "exact");
}

lmb_status lmb_load_cases_write(lmb_load_summary *out, lmb_context *context,
                                const lmb_load_cases *c, const lmb_load_body *b, bool displacements,
                                const char *path)
{
    const lmb_load_writer *writer = lmb_load_writer_of(path);
    lmb_output output;
    lmb_status status = b && writer->faces ? check_faces(context, b) : LMB_OK;
    *out = (lmb_load_summary){0};
    if (status)
        return status;
    if (!lmb_file_create(&output, context, path))
        return LMB_IO;
    lmb_arena *room = lmb_arena_new();
    lmb_nodal_loads load;
    lmb_load_file f = {output.file, room, c, b, displacements, 0, &load};
    writer->begin(&f);
    for (; f.instant < c->count && !(status = lmb_check_memory(context, room)); f.instant++) {
        lmb_arena_clear(room);
        if (b && (status = find_forces(&load, context, room, c, b, f.instant)))
            break;
        if (b && load.share >= out->share)
            *out = (lmb_load_summary){load.removed, load.share};
        writer->step(&f);
        if ((status = lmb_continue(context, "export", (f.instant + 1.0) / c->count)))
            break;
    }
    if (!status)
        status = lmb_check_memory(context, room);
    if (writer->end && !status)
        writer->end(&f);
    lmb_arena_free(room);
    status = lmb_file_close(&output, context, status);
    if (!status)
        warn_of_resultant(context, c, out);
    return status;
}
