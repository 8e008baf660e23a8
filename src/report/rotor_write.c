/* Results of rotors as a result file. */
#include "report/rotor_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/write.h"
#include "scene/skin_beams.h"

typedef struct work {
    lmb_context *context;
    lmb_arena *arena;
    lmb_writer *writer;
    const lmb_rotor_results *r;
    bool declares; /* what is put are channels, not yet their numbers */
    lmb_channel *channels;
    double *row, *factors;
    int count, used; /* channels, numbers */
} work;

/* A channel when an analysis begins, and then its numbers in each row. */
static void put(work *w, const char *name, const char *part, const char *unit, const char *doc,
                int size, const char *components, const double *values)
{
    if (w->declares)
        w->channels[w->count++] = (lmb_channel){lmb_text_format(w->arena, "%s.%s", name, part),
                                                unit, doc, size, components};
    else
        memcpy(w->row + w->used, values, (size_t)size * sizeof *values);
    w->used += size;
}

static void put_number(work *w, const char *name, const char *part, const char *unit,
                       const char *doc, double value)
{
    put(w, name, part, unit, doc, 1, "", &value);
}

/* Puts row i of an analysis and returns what it is at. */
typedef double row_function(work *w, int i);

static lmb_status write_rows(work *w, const char *name, const char *type, const char *const over[3],
                             int rows, row_function *row)
{
    w->count = 0;
    w->declares = true;
    row(w, 0);
    w->declares = false;
    lmb_status status = lmb_check_memory(w->context, w->arena);
    if (!status)
        status = lmb_writer_begin(w->writer, w->context, name, type, w->count, w->channels);
    if (!status && over)
        lmb_writer_over(w->writer, over[0], over[1], over[2]);
    for (int i = 0; i < rows && !status; i++) {
        w->used = 0;
        double at = row(w, i);
        status = lmb_writer_row(w->writer, w->context, at, w->row);
    }
    return status ? status : lmb_writer_end(w->writer, w->context);
}

static const char *const over_speed[3] = {"speed", "rad/s", "Speed of the shaft."};
static const char *const over_place[3] = {"place", "m", "Place along the shaft, x."};
static const char *const over_mode[3] = {"mode", "", "Number of the vibration."};

static const char *mode_name(work *w, int i)
{
    return w->declares ? lmb_text_format(w->arena, "mode%d", i + 1) : "";
}

static void put_whirl(work *w, const char *name, const lmb_whirl *m)
{
    put_number(w, name, "frequency", "Hz", "Frequency of whirl; NaN where the vibration is lost.",
               m->frequency / (2 * LMB_PI));
    put_number(w, name, "damping", "", "Damping ratio; NaN where the vibration is lost.", m->ratio);
    put_number(
        w, name, "decrement", "",
        "Logarithmic decrement; NaN where the vibration is lost, infinite without vibration.",
        m->decrement);
    put_number(w, name, "whirl", "", "1: forward, -1: backward.", m->sense);
}

static double campbell_row(work *w, int i)
{
    const lmb_campbell *c = &w->r->campbell;
    for (int k = 0; k < c->modes; k++)
        put_whirl(w, mode_name(w, k), &c->at[i].modes[k]);
    return c->at[i].speed;
}

/* The factors of all shapes in a row of the plane y and in the one of z, which is `apart` behind,
 * if anything moves. */
static void put_factors(work *w, const char *part, const char *doc, int row, int apart)
{
    const lmb_rotor_basis *basis = &w->r->basis;
    double *factors = w->factors;
    for (int j = 0; j < basis->count; j++) {
        factors[2 * j] = basis->factor[j][row];
        factors[2 * j + 1] = basis->factor[j][row + apart];
    }
    if (basis->count > 0)
        put(w, "rotor", part, "m", doc, 2 * basis->count, "", factors);
}

static double unbalance_row(work *w, int i)
{
    const lmb_rotor_results *r = w->r;
    int bearings = r->rotor.bearing_count, stations = r->system->station_count;
    for (int k = 0; k < stations; k++) {
        const char *name = r->system->stations[k].name;
        lmb_complex y = r->y[i * stations + k], z = r->z[i * stations + k];
        lmb_orbit orbit = lmb_orbit_of(y, z);
        put(w, name, "amplitude", "m", "Amplitudes along y and z.", 2, "yz",
            (double[]){cabs(y), cabs(z)});
        put(w, name, "phase", "rad",
            "Phases along y and z against the mark that those of unbalances count from.", 2, "yz",
            (double[]){carg(y), carg(z)});
        put(w, name, "orbit", "m", "Half axes of the orbit; the second is negative if backward.", 2,
            "12", (double[]){orbit.major, orbit.minor});
    }
    for (int b = 0; b < bearings; b++) {
        const lmb_complex *force = r->forces[i * bearings + b];
        put(w, r->rotor.bearings[b].name, "force", "N",
            "Amplitude of the force of the shaft on it along y and z.", 2, "yz",
            (double[]){cabs(force[0]), cabs(force[1])});
    }
    put_factors(w, "modes_cosine",
                "Factors of what is drawn, y and z in turn: with cos of the phase.",
                LMB_STEADY_ROWS * i, LMB_STEADY_Z);
    put_factors(w, "modes_sine",
                "Factors of what is drawn, y and z in turn: with sin of the phase.",
                LMB_STEADY_ROWS * i + 1, LMB_STEADY_Z);
    return lmb_rotor_speed(&r->rotor, i);
}

/* Deflections at the service speed along the shaft: y as real and imaginary part, then z. */
static double shapes_row(work *w, int i)
{
    const lmb_rotor_results *r = w->r;
    const lmb_rotor_system *s = r->system;
    double x;
    lmb_complex u = lmb_rotor_line(s, i, r->sag, &x);
    put(w, "sag", "deflection", "m", "Deflection under weight.", 2, "yz",
        (double[]){creal(u), cimag(u)});
    for (int k = 0; k < r->service.count; k++) {
        const char *name = mode_name(w, k);
        lmb_complex y = lmb_rotor_line(s, i, r->service.modes[k].y, &x),
                    z = lmb_rotor_line(s, i, r->service.modes[k].z, &x);
        put(w, name, "y", "", "Along y: parts with cos and -sin of the phase.", 2, "cs",
            (double[]){creal(y), cimag(y)});
        put(w, name, "z", "", "Along z: parts with cos and -sin of the phase.", 2, "cs",
            (double[]){creal(z), cimag(z)});
    }
    return x;
}

static double run_up_row(work *w, int i)
{
    const lmb_run_up *u = &w->r->run_up;
    int stations = w->r->system->station_count;
    put_number(w, "rotor", "speed", "rad/s", "Speed.", u->speed[i]);
    for (int k = 0; k < stations; k++) {
        const char *name = w->r->system->stations[k].name;
        double y = u->y[i * stations + k], z = u->z[i * stations + k];
        put(w, name, "position", "m", "Deflection along y and z.", 2, "yz", (double[]){y, z});
        put_number(w, name, "amplitude", "m", "Distance from the axis.", hypot(y, z));
    }
    put_factors(w, "modes", "Factors of what is drawn, y and z in turn.", u->first_row + 2 * i, 1);
    return u->t[i];
}

/* The vibrations at the service speed, a row each, as the skin shows them. */
static double whirl_row(work *w, int i)
{
    const lmb_rotor_system *s = w->r->system;
    const lmb_whirl none = {0}, *m = i < w->r->service.count ? &w->r->service.modes[i] : &none;
    put_whirl(w, "modes", m);
    put_number(w, "modes", "mixed", "", "1: forward at some places and backward at others.",
               m->mixed);
    for (int k = 0; k < s->station_count; k++) {
        int u = s->unknown[s->stations[k].node];
        lmb_complex y = m->y ? m->y[u] : 0, z = m->y ? m->z[u] : 0;
        put(w, s->stations[k].name, "path", "",
            "Orbit: y with cos and sin of the phase, then z; the largest deflection is 1.", 4, "",
            (double[]){creal(y), -cimag(y), creal(z), -cimag(z)});
    }
    return i + 1;
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
                           const char *path, lmb_result **memory)
{
    const lmb_rotor_system *s = r->system;
    size_t room = 16 + 8 * (size_t)r->rotor.modes + 8 * (size_t)s->station_count +
                  4 * (size_t)r->rotor.bearing_count + 4 * (size_t)r->basis.count;
    work w = {.context = context, .arena = lmb_arena_new(), .r = r};
    w.row = lmb_arena_numbers(w.arena, room);
    w.factors = lmb_arena_numbers(w.arena, room);
    w.channels = lmb_arena_alloc(w.arena, room, sizeof *w.channels);
    lmb_status status = lmb_check_memory(context, w.arena);
    if (!status && !(status = lmb_writer_new(&w.writer, context, path)) &&
        !(status = lmb_writer_text(w.writer, context, "model", model->text)) &&
        !(status = lmb_writer_text(w.writer, context, "title", model->title)) &&
        !(status = write_drawing(&w, model)) && !(status = write_sheet(&w)) &&
        r->rotor.bearing_count > 0)
        status = write_rows(&w, "shapes", "rotor", over_place, lmb_rotor_line_count(s), shapes_row);
    if (!status)
        status = write_rows(&w, "whirl", "whirl", over_mode, r->service.count, whirl_row);
    if (!status && r->run_up.count > 0)
        status = write_rows(&w, "run-up", "rotor", NULL, r->run_up.count, run_up_row);
    if (!status && r->loaded)
        status = write_rows(&w, "unbalance", "rotor", over_speed, r->rotor.steps, unbalance_row);
    if (!status)
        status = write_rows(&w, "campbell", "rotor", over_speed, r->campbell.speeds, campbell_row);
    if (w.writer) {
        lmb_status closed = path ? lmb_writer_close(w.writer, context)
                                 : lmb_writer_result(w.writer, context, memory);
        status = status ? status : closed;
    }
    if (status && memory) {
        lmb_result_close(*memory);
        *memory = NULL;
    }
    lmb_arena_free(w.arena);
    return status;
}
