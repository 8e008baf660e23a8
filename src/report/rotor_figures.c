/* Figures of rotors: curves over speed, along the shaft and over time, and orbits. */
#include "report/rotor_figures.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/vec.h"

static const double per_rpm = LMB_PI / 30, turn = 2 * LMB_PI;

enum { MOST_PANELS = 2, MOST_SHAPES = 8, POINTS = 10, ORBIT = 96, PIECES = 1000 };

/* --- along the shaft -------------------------------------------------------------------------- */

int lmb_rotor_line_count(const lmb_rotor_system *s)
{
    return s->element_count * POINTS + 1;
}

/* The last point is the end of the last element. */
static int element_of(const lmb_rotor_system *s, int i, double *part)
{
    int e = i / POINTS;
    *part = (double)(i % POINTS) / POINTS;
    if (e < s->element_count)
        return e;
    *part = 1;
    return s->element_count - 1;
}

double lmb_rotor_line_x(const lmb_rotor_system *s, int i)
{
    double part;
    const lmb_rotor_element *e = &s->elements[element_of(s, i, &part)];
    return s->x[e->first] + part * e->length;
}

lmb_complex lmb_rotor_line_value(const lmb_rotor_system *s, int i, const lmb_complex *u)
{
    double part;
    int e = element_of(s, i, &part);
    return lmb_rotor_deflection(s, e, part, u);
}

/* --- a figure under way ----------------------------------------------------------------------- */

typedef struct figure {
    lmb_arena *arena;
    lmb_plot *plot;
    lmb_plot_panel *panels;
} figure;

static figure start(lmb_arena *arena, lmb_plot *out, const char *title, const char *x_label,
                    int panels, int curves)
{
    figure f = {arena, out, lmb_arena_alloc(arena, MOST_PANELS, sizeof *f.panels)};
    *out = (lmb_plot){.title = title,
                      .x_label = x_label,
                      .panel_count = panels,
                      .panels = f.panels,
                      .width = 800,
                      .height = panels > 1 ? 620 : 520,
                      .legend = true};
    for (int i = 0; i < panels && f.panels; i++)
        f.panels[i].curves = lmb_arena_alloc(arena, (size_t)curves, sizeof(lmb_curve));
    return f;
}

static void label(figure *f, int panel, const char *text)
{
    if (f->panels)
        f->panels[panel].label = text;
}

/* Room for a curve of so many points; x and y are to be filled in. NULL where memory ran out. */
static lmb_curve *add_curve(figure *f, int panel, const char *name, int count, double **x,
                            double **y)
{
    *x = lmb_arena_numbers(f->arena, (size_t)count + 1);
    *y = lmb_arena_numbers(f->arena, (size_t)count + 1);
    if (!lmb_arena_fine(f->arena))
        return NULL;
    lmb_plot_panel *to = &f->panels[panel];
    lmb_curve *c = &to->curves[to->count++];
    *c = (lmb_curve){name, count, *x, *y, LMB_CURVE_LINE};
    return c;
}

/* Millimetres, or micrometres where the largest length is small. */
typedef struct scale {
    double factor;
    const char *unit;
} scale;

static scale scale_of(double largest)
{
    return largest < 1e-4 ? (scale){1e6, "\xc2\xb5m"} : (scale){1e3, "mm"};
}

/* "y in mm" */
static const char *in_unit(figure *f, const char *what, scale s)
{
    return lmb_text_format(f->arena, "%s in %s", what, s.unit);
}

/* --- over speed ------------------------------------------------------------------------------- */

/* "2 forward": the sense that a mode has at the last speed. */
static const char *mode_label(const figure *f, const lmb_campbell *c, int k)
{
    const lmb_whirl *m = &c->at[c->speeds - 1].modes[k];
    return lmb_text_format(f->arena, "%d %s", k + 1, lmb_whirl_word(m));
}

/* Critical speeds as crosses where the line of the speed itself meets those of the vibrations,
 * which are damped. */
static void mark_criticals(figure *f, const lmb_rotor_results *r)
{
    int count = 0, used = 0;
    double *x, *y;
    for (int i = 0; i < r->criticals.count; i++)
        count += r->criticals.of[i].damped <= r->rotor.to;
    lmb_curve *c =
        count > 0 && r->whirl_ratio == 1 ? add_curve(f, 0, "critical", count, &x, &y) : NULL;
    if (!c)
        return;
    c->style = LMB_CURVE_POINTS;
    for (int i = 0; i < r->criticals.count; i++)
        if (r->criticals.of[i].damped <= r->rotor.to) {
            x[used] = r->criticals.of[i].damped / per_rpm;
            y[used++] = r->criticals.of[i].damped / turn;
        }
}

/* The service speed as an upright line. */
static void mark_service(figure *f, const lmb_rotor_results *r, int panels)
{
    double *x, *y;
    bool inside = r->rotor.speed >= r->rotor.from && r->rotor.speed <= r->rotor.to;
    for (int i = 0; i < panels && r->rotor.speed > 0 && inside; i++) {
        lmb_curve *c = add_curve(f, i, "service speed", 1, &x, &y);
        if (!c)
            return;
        c->style = LMB_CURVE_MARKS;
        x[0] = r->rotor.speed / per_rpm;
    }
}

static lmb_status make_campbell(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                                lmb_plot *out)
{
    const lmb_campbell *c = &r->campbell;
    figure f = start(arena, out, "Campbell diagram", "speed in rpm", 1, c->modes + 3);
    double *x, *y, highest = 0;
    label(&f, 0, "frequency in Hz");
    for (int k = 0; k < c->modes && add_curve(&f, 0, mode_label(&f, c, k), c->speeds, &x, &y); k++)
        for (int i = 0; i < c->speeds; i++) {
            x[i] = c->at[i].speed / per_rpm;
            y[i] = c->at[i].modes[k].frequency / turn;
            highest = isfinite(y[i]) ? fmax(highest, y[i]) : highest;
        }
    /* the speed itself, as far as there are curves */
    if (add_curve(&f, 0, "1x", 2, &x, &y)) {
        double last = fmin(c->at[c->speeds - 1].speed, highest * turn);
        x[0] = c->at[0].speed / per_rpm;
        y[0] = c->at[0].speed / turn;
        x[1] = last / per_rpm;
        y[1] = last / turn;
    }
    mark_criticals(&f, r);
    mark_service(&f, r, 1);
    return lmb_check_memory(context, arena);
}

static lmb_status make_stability(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                                 lmb_plot *out)
{
    const lmb_campbell *c = &r->campbell;
    double *x, *y, largest = 0;
    for (int i = 0; i < c->speeds; i++)
        for (int k = 0; k < c->modes; k++)
            largest = fmax(largest, fabs(c->at[i].modes[k].decrement));
    if (!(largest > 1e-8))
        return lmb_fail(context, LMB_BAD_INPUT, "the rotor has no damping");
    figure f = start(arena, out, "Stability", "speed in rpm", 1, c->modes + 1);
    label(&f, 0, "logarithmic decrement");
    for (int k = 0; k < c->modes && add_curve(&f, 0, mode_label(&f, c, k), c->speeds, &x, &y); k++)
        for (int i = 0; i < c->speeds; i++) {
            x[i] = c->at[i].speed / per_rpm;
            y[i] = isfinite(c->at[i].modes[k].frequency) ? c->at[i].modes[k].decrement : NAN;
        }
    mark_service(&f, r, 1);
    return lmb_check_memory(context, arena);
}

static lmb_status fail_without_unbalance(lmb_context *context)
{
    lmb_fail(context, LMB_BAD_INPUT, "the rotor has no unbalance");
    lmb_hint(context, "give a disc an unbalance in kg m, or an eccentricity in m");
    return LMB_BAD_INPUT;
}

static lmb_status make_response(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                                lmb_plot *out)
{
    int stations = r->system->station_count, steps = r->rotor.steps;
    double *x, *y;
    if (!r->loaded)
        return fail_without_unbalance(context);
    figure f = start(arena, out, "Unbalance response", "speed in rpm", 2, stations + 1);
    double largest = 0;
    for (int i = 0; i < steps * stations; i++)
        largest = fmax(largest, lmb_orbit_of(r->y[i], r->z[i]).major);
    scale s = scale_of(largest);
    label(&f, 0, in_unit(&f, "half axis", s));
    label(&f, 1, "phase along y in deg");
    for (int k = 0; k < 2 * stations; k++) {
        bool phase = k >= stations;
        int at = k % stations;
        if (!add_curve(&f, phase, r->system->stations[at].name, steps, &x, &y))
            break;
        double before = 0;
        for (int i = 0; i < steps; i++) {
            lmb_complex a = r->y[i * stations + at], b = r->z[i * stations + at];
            double angle = carg(a) * 360 / turn;
            x[i] = lmb_rotor_speed(&r->rotor, i) / per_rpm;
            y[i] = phase ? angle - 360 * round((angle - before) / 360)
                         : s.factor * lmb_orbit_of(a, b).major;
            before = y[i];
            if (phase && cabs(a) == 0) /* at rest there is none */
                y[i] = NAN;
        }
    }
    mark_service(&f, r, 2);
    return lmb_check_memory(context, arena);
}

/* --- along the shaft, and orbits -------------------------------------------------------------- */

/* Whether a mode moves more along z. */
static bool sideways(const lmb_rotor_system *s, const lmb_whirl *m)
{
    double y = 0, z = 0;
    for (int i = 0; i < s->node_count; i++) {
        y = fmax(y, cabs(m->y[s->unknown[i]]));
        z = fmax(z, cabs(m->z[s->unknown[i]]));
    }
    return z > y * (1 + 1e-6);
}

/* The deflection along the axis with the larger motion, when it is largest. */
static lmb_status make_shapes(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                              lmb_plot *out)
{
    const lmb_rotor_system *s = r->system;
    int count = r->service.count < MOST_SHAPES ? r->service.count : MOST_SHAPES;
    int points = lmb_rotor_line_count(s);
    double *x, *y;
    figure f = start(arena, out, "Shapes of vibration", "x in m", 1, count + 1);
    label(&f, 0, "deflection");
    for (int k = 0; k < count; k++) {
        const lmb_whirl *m = &r->service.modes[k];
        bool z = sideways(s, m);
        const char *name = lmb_text_format(arena, "%d: %.4g Hz %s, %s", k + 1, m->frequency / turn,
                                           lmb_whirl_word(m), z ? "z" : "y");
        if (!add_curve(&f, 0, name, points, &x, &y))
            break;
        for (int i = 0; i < points; i++) {
            x[i] = lmb_rotor_line_x(s, i);
            y[i] = creal(lmb_rotor_line_value(s, i, z ? m->z : m->y));
        }
    }
    return lmb_check_memory(context, arena);
}

lmb_complex *lmb_rotor_line_sag(const lmb_rotor_results *r, lmb_arena *arena)
{
    lmb_complex *u = lmb_arena_alloc(arena, (size_t)r->system->scalars + 1, sizeof *u);
    for (int a = 0; u && a < r->system->scalars; a++)
        u[a] = CMPLX(r->sag_y[a], r->sag_z[a]);
    return u;
}

static lmb_status make_sag(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                           lmb_plot *out)
{
    const lmb_rotor_system *s = r->system;
    int points = lmb_rotor_line_count(s);
    double *x, *y, *across, *z, largest = 0;
    if (!r->sags)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "the rotor has no weight across its axis, or no bearings to carry it");
    lmb_complex *u = lmb_rotor_line_sag(r, arena);
    figure f = start(arena, out, "Deflection under weight", "x in m", 1, 2);
    for (int i = 0; u && i < points; i++)
        largest = fmax(largest, cabs(lmb_rotor_line_value(s, i, u)));
    scale size = scale_of(largest);
    label(&f, 0, in_unit(&f, "deflection", size));
    if (add_curve(&f, 0, "along y", points, &x, &y) &&
        add_curve(&f, 0, "along z", points, &across, &z))
        for (int i = 0; i < points; i++) {
            lmb_complex at = lmb_rotor_line_value(s, i, u);
            x[i] = across[i] = lmb_rotor_line_x(s, i);
            y[i] = size.factor * creal(at);
            z[i] = size.factor * cimag(at);
        }
    return lmb_check_memory(context, arena);
}

/* One turn of each station in the steady motion under unbalance, y over z as seen along x, with a
 * cross where it is when the unbalance of phase 0 points along y. */
static lmb_status make_orbits(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                              lmb_plot *out)
{
    const lmb_rotor_system *s = r->system;
    double *x, *y, *mark_x, *mark_y;
    if (!r->loaded)
        return fail_without_unbalance(context);
    if (!r->service_y) {
        lmb_fail(context, LMB_BAD_INPUT, "the rotor has no service speed to show orbits at");
        lmb_hint(context, "give it one: 'speed: 3000*rpm'");
        return LMB_BAD_INPUT;
    }
    const char *title =
        lmb_text_format(arena, "Orbits under unbalance at %.6g rpm", r->rotor.speed / per_rpm);
    double largest = 0;
    for (int k = 0; k < s->station_count; k++) {
        int u = s->unknown[s->stations[k].node];
        largest = fmax(largest, lmb_orbit_of(r->service_y[u], r->service_z[u]).major);
    }
    scale size = scale_of(largest);
    figure f = start(arena, out, title, "", 1, s->station_count + 1);
    out->x_label = in_unit(&f, "z", size);
    out->equal = true;
    out->room = true;
    out->height = 720;
    label(&f, 0, in_unit(&f, "y", size));
    for (int k = 0; k < s->station_count; k++) {
        int u = s->unknown[s->stations[k].node];
        if (!add_curve(&f, 0, s->stations[k].name, ORBIT + 1, &x, &y))
            break;
        for (int i = 0; i <= ORBIT; i++) {
            lmb_complex at = cexp(CMPLX(0, turn * i / ORBIT));
            x[i] = size.factor * creal(r->service_z[u] * at);
            y[i] = size.factor * creal(r->service_y[u] * at);
        }
    }
    lmb_curve *key = add_curve(&f, 0, "key phase", s->station_count, &mark_x, &mark_y);
    for (int k = 0; key && k < s->station_count; k++) {
        int u = s->unknown[s->stations[k].node];
        key->style = LMB_CURVE_POINTS;
        mark_x[k] = size.factor * creal(r->service_z[u]);
        mark_y[k] = size.factor * creal(r->service_y[u]);
    }
    return lmb_check_memory(context, arena);
}

/* --- over time -------------------------------------------------------------------------------- */

/* Leaves the least and the largest value of each of so many pieces, in their order. */
static int thin(int count, double *x, double *y)
{
    int kept = 0, size = (count + PIECES - 1) / PIECES;
    if (size < 3)
        return count;
    for (int from = 0; from < count; from += size) {
        int low = from, high = from;
        for (int i = from; i < from + size && i < count; i++) {
            low = y[i] < y[low] ? i : low;
            high = y[i] > y[high] ? i : high;
        }
        int first = low < high ? low : high, second = low < high ? high : low;
        x[kept] = x[first];
        y[kept++] = y[first];
        if (second > first) {
            x[kept] = x[second];
            y[kept++] = y[second];
        }
    }
    return kept;
}

static lmb_status make_run_up(lmb_context *context, lmb_arena *arena, const lmb_rotor_results *r,
                              lmb_plot *out)
{
    const lmb_run_up *u = &r->run_up;
    int stations = r->system->station_count;
    double *x, *y;
    if (u->count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "the model has no run-up with unbalance");
        lmb_hint(context, "add 'run_up: {duration: 10}' and an unbalance");
        return LMB_BAD_INPUT;
    }
    figure f = start(arena, out, "Run-up", "t in s", 2, stations + 1);
    label(&f, 0, "distance from the axis in mm");
    label(&f, 1, "speed in rpm");
    for (int k = 0; k <= stations; k++) {
        bool speed = k == stations;
        const char *name = speed ? "speed" : r->system->stations[k].name;
        lmb_curve *c = add_curve(&f, speed, name, u->count, &x, &y);
        if (!c)
            break;
        for (int i = 0; i < u->count; i++) {
            const double *at = u->y + i * stations + k, *side = u->z + i * stations + k;
            x[i] = u->t[i];
            y[i] = speed ? u->speed[i] / per_rpm : 1000 * hypot(*at, *side);
        }
        c->count = thin(u->count, x, y);
    }
    return lmb_check_memory(context, arena);
}

const lmb_rotor_picture lmb_rotor_pictures[] = {
    {"campbell", make_campbell},   {"response", make_response},
    {"orbits", make_orbits},       {"shapes", make_shapes},
    {"stability", make_stability}, {"sag", make_sag},
    {"run-up", make_run_up},       {NULL, NULL},
};
