/* Writing and reading envelopes and the participation of modes. */
#include "result/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "channels/element_stress.h"

/* --- writing ---------------------------------------------------------------------------------- */

/* An array of a body, rows x columns. */
static bool put_table(hid_t analysis, const char *body, const char *name, const char *unit,
                      const char *doc, int rows, int columns, const double *values)
{
    char path[512];
    const size_t dims[2] = {(size_t)rows, (size_t)columns};
    lmb_snprintf(path, sizeof path, "bodies/%s/%s", body, name);
    bool done = lmb_h5_write(analysis, path, LMB_H5_DOUBLE, columns > 1 ? 2 : 1, dims, values);
    hid_t set = H5Dopen2(analysis, path, H5P_DEFAULT);
    done = done && lmb_h5_put_text(set, "unit", unit) && lmb_h5_put_text(set, "doc", doc);
    H5Dclose(set);
    return done;
}

static bool put_array(hid_t analysis, const char *body, const char *name, const char *unit,
                      const char *doc, int count, const double *values)
{
    return put_table(analysis, body, name, unit, doc, count, 1, values);
}

static bool put_envelope(hid_t analysis, const char *body, const lmb_body_record *b, double *room)
{
    for (int i = 0; i < b->node_count; i++)
        room[i] = b->stress->data->reduced->number[b->node[i]];
    return put_array(analysis, body, "envelope/node", "", "Number of the node.", b->node_count,
                     room) &&
           put_array(analysis, body, "envelope/stress", "Pa",
                     "The largest stress of von Mises at the node.", b->node_count, b->largest) &&
           put_array(analysis, body, "envelope/time", "s", "When it was.", b->node_count,
                     b->largest_time);
}

/* Write the largest stress of all nodes and instants. */
static bool put_peak(hid_t analysis, const char *body, const lmb_body_record *b)
{
    const lmb_stress_state *s = b->stress;
    double node = s->data->reduced->number[s->node[b->peak_place]], range[2];
    bool done =
        put_array(analysis, body, "peak/stress", "Pa", "The largest stress of von Mises.", 1,
                  &b->peak) &&
        put_array(analysis, body, "peak/time", "s", "When it was.", 1, &b->peak_time) &&
        put_array(analysis, body, "peak/node", "", "Number of the node.", 1, &node) &&
        put_array(analysis, body, "peak/correction", "",
                  "The share that the kept modes do not represent.", 1, &b->peak_correction);
    if (!done || !lmb_element_stress_range(s->data, b->peak_e, b->peak_place, range))
        return done;
    return put_array(analysis, body, "peak/lowest", "Pa",
                     "The lowest stress that a single element has there.", 1, &range[0]) &&
           put_array(analysis, body, "peak/highest", "Pa",
                     "The highest stress that a single element has there.", 1, &range[1]);
}

static bool put_participation(hid_t analysis, const char *body, const lmb_body_record *b,
                              const double *frequency, double *room)
{
    double sum = 0;
    for (int k = 0; k < b->modes; k++)
        sum += b->energy_sum[k];
    for (int k = 0; k < b->modes; k++) {
        room[k] = b->energy_sum[k] / b->instants;
        room[b->modes + k] = sum != 0 ? b->energy_sum[k] / sum : 0;
    }
    int n = b->modes;
    return put_array(analysis, body, "participation/frequency", "Hz", "Frequency of the mode.", n,
                     frequency) &&
           put_array(analysis, body, "participation/amplitude", "",
                     "The largest size of its coordinate.", n, b->amplitude) &&
           put_array(analysis, body, "participation/time", "s", "When that was.", n,
                     b->amplitude_time) &&
           put_array(analysis, body, "participation/energy", "J", "Its largest elastic energy.", n,
                     b->energy) &&
           put_array(analysis, body, "participation/mean", "J", "Its mean elastic energy.", n,
                     room) &&
           put_array(analysis, body, "participation/share", "", "Its part of that of all modes.", n,
                     room + n);
}

/* The limits of the instants that it is made of, NaN where there is none. */
static bool put_span(hid_t analysis, const char *body, const char *name, lmb_span span)
{
    const double limits[2] = {isinf(span.from) ? NAN : span.from, isinf(span.to) ? NAN : span.to};
    return put_array(analysis, body, name, "s",
                     "The first and the last time that envelope and participation are made of.", 2,
                     limits);
}

static bool put_record(void *user, hid_t analysis)
{
    const lmb_run_record *r = user;
    bool done = true;
    for (int i = 0; i < r->count && done; i++) {
        const lmb_body_record *b = &r->bodies[i];
        const lmb_body *body = &r->model->bodies[b->body];
        size_t room = (size_t)b->node_count + 2 * (size_t)b->modes;
        double *numbers = lmb_malloc((room + 1) * sizeof *numbers);
        done = numbers && (b->node_count == 0 || put_envelope(analysis, body->name, b, numbers)) &&
               (!(b->peak > 0) || put_peak(analysis, body->name, b)) &&
               put_participation(analysis, body->name, b,
                                 lmb_body_data_of(body)->reduced->frequency, numbers) &&
               (lmb_span_is_all(r->span) ||
                put_span(analysis, body->name, "participation/span", r->model->span));
        free(numbers);
    }
    return done;
}

lmb_status lmb_write_record(lmb_writer *writer, lmb_context *context, const lmb_run_record *record)
{
    bool some = record && record->count > 0 && record->bodies[0].instants > 0;
    return some ? lmb_writer_add(writer, context, NULL, put_record, (void *)record) : LMB_OK;
}

static bool put_line(hid_t analysis, const lmb_line_envelope *e)
{
    int n = e->beam->node_count;
    double *numbers = lmb_malloc((size_t)n * sizeof *numbers);
    for (int i = 0; numbers && i < n; i++)
        numbers[i] = i + 1;
    bool done =
        numbers &&
        put_array(analysis, e->body, "envelope/node", "", "Number of the node.", n, numbers) &&
        put_array(analysis, e->body, "envelope/stress", "Pa",
                  "The largest stress of von Mises at the node.", n, e->largest) &&
        put_array(analysis, e->body, "envelope/time", "s", "When it was.", n, e->largest_time) &&
        put_table(analysis, e->body, "envelope/fibres/y", "m",
                  "Where fibres of the section at the node are, along its y axis.", n, e->fibres,
                  e->y) &&
        put_table(analysis, e->body, "envelope/fibres/z", "m", "Along its z axis.", n, e->fibres,
                  e->z) &&
        put_table(analysis, e->body, "envelope/fibres/stress", "Pa",
                  "The largest stress of von Mises of the fibre.", n, e->fibres, e->mises) &&
        put_table(analysis, e->body, "envelope/fibres/time", "s", "When it was.", n, e->fibres,
                  e->time) &&
        put_table(analysis, e->body, "envelope/fibres/greatest", "Pa",
                  "The greatest normal stress of the fibre.", n, e->fibres, e->greatest) &&
        put_table(analysis, e->body, "envelope/fibres/least", "Pa",
                  "The least normal stress of the fibre.", n, e->fibres, e->least);
    free(numbers);
    return done;
}

static bool put_lines(void *user, hid_t analysis)
{
    const lmb_line_record *r = user;
    bool done = true;
    for (int i = 0; i < r->envelope_count && done; i++) {
        const lmb_line_envelope *e = &r->envelopes[i];
        done =
            put_line(analysis, e) && (lmb_span_is_all(r->span) ||
                                      put_span(analysis, e->body, "envelope/span", r->model->span));
    }
    return done;
}

lmb_status lmb_write_line_record(lmb_writer *writer, lmb_context *context,
                                 const lmb_line_record *record)
{
    bool some = record && record->envelope_count > 0 && record->envelopes[0].instants > 0;
    return some ? lmb_writer_add(writer, context, NULL, put_lines, (void *)record) : LMB_OK;
}

/* --- reading ---------------------------------------------------------------------------------- */

double *lmb_record_array(const lmb_result *result, int analysis, const char *body, const char *name,
                         int *count)
{
    char path[1024];
    size_t size;
    double *values = NULL;
    lmb_snprintf(path, sizeof path, "/%s/bodies/%s/%s", lmb_result_analysis_name(result, analysis),
                 body, name);
    H5E_BEGIN_TRY
    {
        values = lmb_h5_numbers(lmb_result_file(result), path, &size);
    }
    H5E_END_TRY;
    *count = (int)size;
    return values;
}

bool lmb_record_peak(const lmb_result *result, int analysis, const char *body, lmb_peak_stress *out)
{
    static const char *const names[] = {"peak/stress",     "peak/time",   "peak/node",
                                        "peak/correction", "peak/lowest", "peak/highest"};
    double *const to[] = {&out->stress,     &out->time,   &out->node,
                          &out->correction, &out->lowest, &out->highest};
    for (int i = 0; i < 6; i++) {
        int count = 0;
        double *values = lmb_record_array(result, analysis, body, names[i], &count);
        *to[i] = values && count == 1 ? values[0] : NAN;
        free(values);
    }
    return !isnan(out->stress);
}

/* --- the text --------------------------------------------------------------------------------- */

/* The number of the node at a point of the body frame, or 0. */
static int node_at(const lmb_reduced *r, vec3 x)
{
    double size = v3_norm(x);
    for (int i = 0; i < r->node_count; i++)
        size = fmax(size, v3_norm(r->x[i]));
    for (int i = 0; i < r->node_count; i++)
        if (v3_norm(v3_sub(r->x[i], x)) <= 1e-9 * size)
            return r->number[i];
    return 0;
}

static void put_flexible(FILE *out, const lmb_model *m, const lmb_body *b)
{
    const lmb_body_data *data = lmb_body_data_of(b);
    const lmb_reduced *r = data->reduced;
    lmb_fprintf(out, "body %s %.17g %.17g %.17g\n", b->name, r->origin.x, r->origin.y, r->origin.z);
    for (int p = 0; p < r->point_count; p++) {
        vec3 x = v3_add(r->origin, r->point[p]);
        lmb_fprintf(out, "point %s %s %.17g %.17g %.17g %d\n", b->name, r->point_name[p], x.x, x.y,
                    x.z, node_at(r, r->point[p]));
    }
    for (int p = r->point_count; p < b->point_count; p++)
        lmb_fprintf(out, "patch %s\n", m->points[b->point + p].name);
    if (data->checksum)
        lmb_fprintf(out, "files %s %s\n", b->name, data->checksum);
}

const char *lmb_flexible_text(lmb_arena *arena, const lmb_model *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = lmb_text_open(&text, &size);
    if (!out)
        return NULL;
    for (int i = 1; i < m->body_count; i++)
        if (lmb_body_data_of(&m->bodies[i]))
            put_flexible(out, m, &m->bodies[i]);
    const char *copy = lmb_text_close(out) ? lmb_text_copy(arena, text, size) : NULL;
    free(text);
    return copy;
}
