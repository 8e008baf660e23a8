/* Results of rotors as a result file. */
#include "report/rotor_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/write.h"
#include "report/rotor_figures.h"
#include "report/rotor_sheet.h"
#include "scene/rotor_skin.h"

typedef struct work {
    lmb_context *context;
    lmb_arena *arena;
    lmb_writer *writer;
    const lmb_rotor_results *r;
    lmb_channel *channels;
    int count;
    bool failed;
} work;

static void add(work *w, const char *name, const char *part, const char *unit, const char *doc,
                int size, const char *components)
{
    const char *full = lmb_text_format(w->arena, "%s.%s", name, part);
    w->channels[w->count++] = (lmb_channel){full, unit, doc, size, components};
    w->failed = w->failed || !full;
}

static const char *mode_name(work *w, int i)
{
    const char *name = lmb_text_format(w->arena, "mode%d", i + 1);
    w->failed = w->failed || !name;
    return name ? name : "";
}

static lmb_status begin(work *w, const char *name, const char *type)
{
    if (w->failed)
        return lmb_fail_memory(w->context);
    return lmb_writer_begin(w->writer, w->context, name, type, w->count, w->channels);
}

/* The same for what is told over the speed of the shaft. */
static lmb_status begin_over_speed(work *w, const char *name)
{
    lmb_status status = begin(w, name, "rotor");
    if (!status)
        lmb_writer_over(w->writer, "speed", "rad/s", "Speed of the shaft.");
    return status;
}

static lmb_status write_campbell(work *w, double *row)
{
    const lmb_campbell *c = &w->r->campbell;
    w->count = 0;
    for (int i = 0; i < c->modes; i++) {
        const char *name = mode_name(w, i);
        add(w, name, "frequency", "Hz", "Frequency of whirl.", 1, "");
        add(w, name, "damping", "", "Damping ratio.", 1, "");
        add(w, name, "decrement", "", "Logarithmic decrement.", 1, "");
        add(w, name, "whirl", "", "1: forward, -1: backward.", 1, "");
    }
    lmb_status status = begin_over_speed(w, "campbell");
    for (int i = 0; i < c->speeds && !status; i++) {
        for (int k = 0; k < c->modes; k++) {
            const lmb_whirl *m = &c->at[i].modes[k];
            double *at = row + 4 * k;
            at[0] = m->frequency / (2 * LMB_PI);
            at[1] = m->ratio;
            at[2] = m->decrement;
            at[3] = m->sense;
        }
        status = lmb_writer_row(w->writer, w->context, c->at[i].speed, row);
    }
    return status ? status : lmb_writer_end(w->writer, w->context);
}

/* The channel of the factors of the shapes under unbalance, if anything moves. */
static void add_factors(work *w, const char *part, const char *doc)
{
    if (w->r->basis.count > 0)
        add(w, "rotor", part, "m", doc, 2 * w->r->basis.count, "");
}

/* The factors of all shapes in a row of the plane y and in the one of z, which is `apart` behind.
 */
static void put_factors(const lmb_rotor_basis *basis, int row, int apart, double *out)
{
    for (int j = 0; j < basis->count; j++) {
        out[2 * j] = basis->factor[j][row];
        out[2 * j + 1] = basis->factor[j][row + apart];
    }
}

static lmb_status write_unbalance(work *w, double *row)
{
    const lmb_rotor_results *r = w->r;
    const lmb_rotor_system *s = r->system;
    int bearings = r->rotor.bearing_count, stations = s->station_count;
    w->count = 0;
    for (int i = 0; i < stations; i++) {
        const char *name = s->stations[i].name;
        add(w, name, "amplitude", "m", "Amplitudes along y and z.", 2, "yz");
        add(w, name, "phase", "rad",
            "Phases along y and z against the mark that those of unbalances count from.", 2, "yz");
        add(w, name, "orbit", "m", "Half axes of the orbit; the second is negative if backward.", 2,
            "12");
    }
    for (int b = 0; b < bearings; b++)
        add(w, r->rotor.bearings[b].name, "force", "N",
            "Amplitude of the force of the shaft on it along y and z.", 2, "yz");
    add_factors(w, "modes_cosine",
                "Factors of what is drawn, y and z in turn: with cos of the phase.");
    add_factors(w, "modes_sine",
                "Factors of what is drawn, y and z in turn: with sin of the phase.");
    lmb_status status = begin_over_speed(w, "unbalance");
    for (int i = 0; i < r->rotor.steps && !status; i++) {
        double *at = row;
        for (int k = 0; k < stations; k++, at += 6) {
            lmb_complex y = r->y[i * stations + k], z = r->z[i * stations + k];
            lmb_orbit orbit = lmb_orbit_of(y, z);
            at[0] = cabs(y);
            at[1] = cabs(z);
            at[2] = carg(y);
            at[3] = carg(z);
            at[4] = orbit.major;
            at[5] = orbit.minor;
        }
        for (int b = 0; b < bearings; b++, at += 2)
            for (int k = 0; k < 2; k++)
                at[k] = cabs(r->forces[i * bearings + b][k]);
        for (int k = 0; k < 2; k++, at += 2 * r->basis.count)
            put_factors(&r->basis, LMB_STEADY_ROWS * i + k, LMB_STEADY_Z, at);
        status = lmb_writer_row(w->writer, w->context, lmb_rotor_speed(&r->rotor, i), row);
    }
    return status ? status : lmb_writer_end(w->writer, w->context);
}

/* Deflections at the service speed along the shaft: y as real and imaginary part, then z. */
static lmb_status write_shapes(work *w, double *row)
{
    const lmb_rotor_results *r = w->r;
    const lmb_rotor_system *s = r->system;
    w->count = 0;
    add(w, "sag", "deflection", "m", "Deflection under weight.", 2, "yz");
    for (int i = 0; i < r->service.count; i++) {
        const char *name = mode_name(w, i);
        add(w, name, "y", "", "Along y: parts with cos and -sin of the phase.", 2, "cs");
        add(w, name, "z", "", "Along z: parts with cos and -sin of the phase.", 2, "cs");
    }
    lmb_status status = begin(w, "shapes", "rotor");
    if (!status)
        lmb_writer_over(w->writer, "place", "m", "Place along the shaft, x.");
    const lmb_complex *sag = lmb_rotor_line_sag(r, w->arena);
    if (!sag)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < lmb_rotor_line_count(s) && !status; i++) {
        lmb_complex u = lmb_rotor_line_value(s, i, sag);
        row[0] = creal(u);
        row[1] = cimag(u);
        for (int k = 0; k < r->service.count; k++) {
            lmb_complex y = lmb_rotor_line_value(s, i, r->service.modes[k].y),
                        z = lmb_rotor_line_value(s, i, r->service.modes[k].z);
            double *at = row + 2 + 4 * k;
            at[0] = creal(y);
            at[1] = cimag(y);
            at[2] = creal(z);
            at[3] = cimag(z);
        }
        status = lmb_writer_row(w->writer, w->context, lmb_rotor_line_x(s, i), row);
    }
    return status ? status : lmb_writer_end(w->writer, w->context);
}

static lmb_status write_run_up(work *w, double *row)
{
    const lmb_run_up *u = &w->r->run_up;
    const lmb_rotor_system *s = w->r->system;
    w->count = 0;
    add(w, "rotor", "speed", "rad/s", "Speed.", 1, "");
    for (int i = 0; i < s->station_count; i++) {
        add(w, s->stations[i].name, "position", "m", "Deflection along y and z.", 2, "yz");
        add(w, s->stations[i].name, "amplitude", "m", "Distance from the axis.", 1, "");
    }
    add_factors(w, "modes", "Factors of what is drawn, y and z in turn.");
    lmb_status status = begin(w, "run-up", "rotor");
    for (int i = 0; i < u->count && !status; i++) {
        row[0] = u->speed[i];
        put_factors(&w->r->basis, u->first_row + 2 * i, 1, row + 1 + 3 * s->station_count);
        for (int k = 0; k < s->station_count; k++) {
            double *at = row + 1 + 3 * k;
            at[0] = u->y[i * s->station_count + k];
            at[1] = u->z[i * s->station_count + k];
            at[2] = hypot(at[0], at[1]);
        }
        status = lmb_writer_row(w->writer, w->context, u->t[i], row);
    }
    return status ? status : lmb_writer_end(w->writer, w->context);
}

/* The vibrations at the service speed, a row each, as the skin shows them. */
static lmb_status write_whirl(work *w, double *row)
{
    const lmb_rotor_results *r = w->r;
    const lmb_rotor_system *s = r->system;
    w->count = 0;
    add(w, "modes", "frequency", "Hz", "Frequency of whirl.", 1, "");
    add(w, "modes", "damping", "", "Damping ratio.", 1, "");
    add(w, "modes", "decrement", "", "Logarithmic decrement.", 1, "");
    add(w, "modes", "whirl", "", "1: forward, -1: backward.", 1, "");
    add(w, "modes", "mixed", "", "1: forward at some places and backward at others.", 1, "");
    for (int i = 0; i < s->station_count; i++)
        add(w, s->stations[i].name, "path", "",
            "Orbit: y with cos and sin of the phase, then z; the largest deflection is 1.", 4, "");
    lmb_status status = begin(w, "whirl", "whirl");
    if (!status)
        lmb_writer_over(w->writer, "mode", "", "Number of the vibration.");
    for (int k = 0; k < r->service.count && !status; k++) {
        const lmb_whirl *m = &r->service.modes[k];
        const double head[5] = {m->frequency / (2 * LMB_PI), m->ratio, m->decrement, m->sense,
                                m->mixed};
        memcpy(row, head, sizeof head);
        for (int i = 0; i < s->station_count; i++) {
            int u = s->unknown[s->stations[i].node];
            double *at = row + 5 + 4 * i;
            at[0] = creal(m->y[u]);
            at[1] = -cimag(m->y[u]);
            at[2] = creal(m->z[u]);
            at[3] = -cimag(m->z[u]);
        }
        status = lmb_writer_row(w->writer, w->context, k + 1, row);
    }
    return status ? status : lmb_writer_end(w->writer, w->context);
}

/* What is drawn: shaft, discs and bearings; bodies of the same model are not part of it. */
static lmb_status write_drawing(work *w, const lmb_model *model)
{
    lmb_skin skin;
    lmb_geometry geometry;
    bool made = lmb_rotor_geometry(&geometry, w->arena, model, w->r);
    char *text = made ? lmb_geometry_text(&geometry) : NULL;
    lmb_status status = text ? lmb_writer_text(w->writer, w->context, "geometry", text)
                             : lmb_fail_memory(w->context);
    free(text);
    for (int b = 0; b < lmb_rotor_bodies(w->r) && !status; b++) {
        status = lmb_rotor_skin(&skin, w->arena, w->context, w->r, b);
        if (!status)
            status = lmb_writer_skin(w->writer, w->context, &skin);
    }
    return status;
}

static lmb_status write_sheet(work *w)
{
    lmb_sheet sheet = lmb_sheet_start(w->arena, "Rotor");
    lmb_status status = lmb_rotor_sheet(w->context, &sheet, w->r);
    char *text = status ? NULL : lmb_sheet_json(&sheet);
    if (!status)
        status = text ? lmb_writer_text(w->writer, w->context, "sheet", text)
                      : lmb_fail_memory(w->context);
    free(text);
    return status;
}

lmb_status lmb_rotor_write(lmb_context *context, const lmb_model *model, const lmb_rotor_results *r,
                           const char *path)
{
    const lmb_rotor_system *s = r->system;
    size_t room = 16 + 8 * (size_t)r->rotor.modes + 8 * (size_t)s->station_count +
                  4 * (size_t)r->rotor.bearing_count + 4 * (size_t)r->basis.count;
    work w = {.context = context, .arena = lmb_arena_new(), .r = r};
    double *row = w.arena ? lmb_arena_numbers(w.arena, room) : NULL;
    w.channels = w.arena ? lmb_arena_alloc(w.arena, room, sizeof *w.channels) : NULL;
    lmb_status status =
        row && w.channels ? lmb_writer_new(&w.writer, context, path) : lmb_fail_memory(context);
    if (!status)
        status = lmb_writer_text(w.writer, context, "model", model->text);
    if (!status)
        status = lmb_writer_text(w.writer, context, "title", model->title);
    if (!status)
        status = write_drawing(&w, model);
    if (!status)
        status = write_sheet(&w);
    if (!status && r->rotor.bearing_count > 0)
        status = write_shapes(&w, row);
    if (!status)
        status = write_whirl(&w, row);
    if (!status && r->run_up.count > 0)
        status = write_run_up(&w, row);
    if (!status && r->loaded)
        status = write_unbalance(&w, row);
    if (!status)
        status = write_campbell(&w, row);
    if (w.writer) {
        lmb_status closed = lmb_writer_close(w.writer, context);
        status = status ? status : closed;
    }
    lmb_arena_free(w.arena);
    return status;
}
