/* Figures of rotors: curves over speed, along the shaft and over time, and orbits. */
#include "report/rotor_sheet.h"

#include <math.h>

#include "base/text.h"
#include "math/vec.h"

static const double per_rpm = LMB_PI / 30, turn = 2 * LMB_PI;

enum { MOST_SHAPES = 8, POINTS = 10, ORBIT = 96, COLUMNS = 1000 };

/* --- along the shaft -------------------------------------------------------------------------- */

int lmb_rotor_line_count(const lmb_rotor_system *s)
{
    return s->element_count * POINTS + 1;
}

lmb_complex lmb_rotor_line(const lmb_rotor_system *s, int i, const lmb_complex *u, double *x)
{
    /* the last point is the end of the last element */
    int last = i / POINTS == s->element_count, element = i / POINTS - last;
    double part = last ? 1 : (double)(i % POINTS) / POINTS;
    *x = s->x[s->elements[element].first] + part * s->elements[element].length;
    return lmb_rotor_deflection(s, element, part, u, NULL);
}

static void start(lmb_plot *f, const char *title, const char *x_label, int height)
{
    *f = lmb_plot_start(f->arena, title, x_label, height);
    f->legend = true;
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
static const char *in_unit(lmb_arena *arena, const char *what, scale s)
{
    return lmb_text_format(arena, "%s in %s", what, s.unit);
}

/* --- over speed ------------------------------------------------------------------------------- */

/* Critical speeds as crosses where the line of the speed itself meets those of the vibrations,
 * which are damped. */
static void mark_criticals(lmb_plot *f, const lmb_rotor_results *r)
{
    int count = 0, used = 0;
    for (int i = 0; i < r->criticals.count && r->whirl_ratio == 1; i++)
        count += r->criticals.of[i].damped <= r->rotor.to;
    if (count == 0)
        return;
    lmb_curve *c = lmb_plot_add_curve(f, "critical", count, LMB_CURVE_POINTS);
    for (int i = 0; used < c->count; i++)
        if (r->criticals.of[i].damped <= r->rotor.to) {
            c->x[used] = r->criticals.of[i].damped / per_rpm;
            c->y[used++] = r->criticals.of[i].damped / turn;
        }
}

/* The service speed as an upright line. */
static void mark_service(lmb_plot *f, const lmb_rotor_results *r)
{
    bool inside = r->rotor.speed >= r->rotor.from && r->rotor.speed <= r->rotor.to;
    if (r->rotor.speed > 0 && inside) {
        lmb_curve *c = lmb_plot_add_curve(f, "service speed", 1, LMB_CURVE_MARKS);
        for (int i = 0; i < c->count; i++)
            c->x[i] = r->rotor.speed / per_rpm;
    }
}

/* A number of each vibration over speed; labels, "2 forward", have the sense that it has at the
 * last speed. Returns the largest. */
static double add_modes(lmb_plot *f, const lmb_campbell *c, bool decrement)
{
    double highest = 0;
    for (int k = 0; k < c->modes; k++) {
        const lmb_whirl *last = &c->at[c->speeds - 1].modes[k];
        const char *label =
            lmb_text_format(f->arena, "%d %s", k + 1, lmb_whirl_word(last->sense, last->mixed));
        lmb_curve *curve = lmb_plot_add_curve(f, label, c->speeds, LMB_CURVE_LINE);
        for (int i = 0; i < curve->count; i++) {
            const lmb_whirl *m = &c->at[i].modes[k];
            double value = decrement ? m->decrement : m->frequency / turn;
            curve->x[i] = c->at[i].speed / per_rpm;
            curve->y[i] = isfinite(m->frequency) ? value : NAN;
            highest = fmax(highest, curve->y[i]);
        }
    }
    return highest;
}

static lmb_status make_campbell(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    const lmb_campbell *c = &r->campbell;
    start(out, "Campbell diagram", "speed in rpm", 520);
    lmb_plot_add_panel(out, "frequency in Hz");
    double highest = add_modes(out, c, false);
    /* the speed itself, as far as there are curves */
    const double ends[2] = {c->at[0].speed, fmin(c->at[c->speeds - 1].speed, highest * turn)};
    lmb_curve *own = lmb_plot_add_curve(out, "1x", 2, LMB_CURVE_LINE);
    for (int i = 0; i < own->count; i++) {
        own->x[i] = ends[i] / per_rpm;
        own->y[i] = ends[i] / turn;
    }
    mark_criticals(out, r);
    mark_service(out, r);
    return lmb_check_memory(context, out->arena);
}

static lmb_status make_stability(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    const lmb_campbell *c = &r->campbell;
    double largest = 0;
    for (int i = 0; i < c->speeds; i++)
        for (int k = 0; k < c->modes; k++)
            largest = fmax(largest, fabs(c->at[i].modes[k].decrement));
    if (!(largest > 1e-8))
        return lmb_fail(context, LMB_BAD_INPUT, "the rotor has no damping");
    start(out, "Stability", "speed in rpm", 520);
    lmb_plot_add_panel(out, "logarithmic decrement");
    add_modes(out, c, true);
    mark_service(out, r);
    return lmb_check_memory(context, out->arena);
}

static lmb_status fail_without_unbalance(lmb_context *context)
{
    lmb_fail(context, LMB_BAD_INPUT, "the rotor has no unbalance");
    return lmb_hint(context, "give a disc an unbalance in kg m, or an eccentricity in m");
}

static lmb_status make_response(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    int stations = r->system->station_count, steps = r->rotor.steps;
    if (!r->loaded)
        return fail_without_unbalance(context);
    start(out, "Unbalance response", "speed in rpm", 620);
    double largest = 0;
    for (int i = 0; i < steps * stations; i++)
        largest = fmax(largest, lmb_orbit_of(r->y[i], r->z[i]).major);
    scale s = scale_of(largest);
    for (int phase = 0; phase < 2; phase++) {
        lmb_plot_add_panel(out,
                           phase ? "phase along y in deg" : in_unit(out->arena, "half axis", s));
        for (int k = 0; k < stations; k++) {
            lmb_curve *c =
                lmb_plot_add_curve(out, r->system->stations[k].name, steps, LMB_CURVE_LINE);
            double before = 0;
            for (int i = 0; i < c->count; i++) {
                lmb_complex a = r->y[i * stations + k], b = r->z[i * stations + k];
                double angle = carg(a) * 360 / turn;
                c->x[i] = lmb_rotor_speed(&r->rotor, i) / per_rpm;
                c->y[i] = phase ? angle - 360 * round((angle - before) / 360)
                                : s.factor * lmb_orbit_of(a, b).major;
                before = c->y[i];
                if (phase && cabs(a) == 0) /* at rest there is none */
                    c->y[i] = NAN;
            }
        }
        mark_service(out, r);
    }
    return lmb_check_memory(context, out->arena);
}

/* --- along the shaft, and orbits -------------------------------------------------------------- */

/* The real part of a deflection along the shaft. */
static void add_shape(lmb_plot *f, const lmb_rotor_system *s, const char *name,
                      const lmb_complex *u, lmb_complex factor)
{
    lmb_curve *c = lmb_plot_add_curve(f, name, lmb_rotor_line_count(s), LMB_CURVE_LINE);
    for (int i = 0; i < c->count; i++)
        c->y[i] = creal(factor * lmb_rotor_line(s, i, u, &c->x[i]));
}

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
static lmb_status make_shapes(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    start(out, "Shapes of vibration", "x in m", 520);
    lmb_plot_add_panel(out, "deflection");
    for (int k = 0; k < r->service.count && k < MOST_SHAPES; k++) {
        const lmb_whirl *m = &r->service.modes[k];
        bool z = sideways(r->system, m);
        const char *name =
            lmb_text_format(out->arena, "%d: %.4g Hz %s, %s", k + 1, m->frequency / turn,
                            lmb_whirl_word(m->sense, m->mixed), z ? "z" : "y");
        add_shape(out, r->system, name, z ? m->z : m->y, 1);
    }
    return lmb_check_memory(context, out->arena);
}

static lmb_status make_sag(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    const lmb_rotor_system *s = r->system;
    double largest = 0, x;
    if (!r->sags)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "the rotor has no weight across its axis, or no bearings to carry it");
    for (int i = 0; i < lmb_rotor_line_count(s); i++)
        largest = fmax(largest, cabs(lmb_rotor_line(s, i, r->sag, &x)));
    scale size = scale_of(largest);
    start(out, "Deflection under weight", "x in m", 520);
    lmb_plot_add_panel(out, in_unit(out->arena, "deflection", size));
    add_shape(out, s, "along y", r->sag, size.factor);
    add_shape(out, s, "along z", r->sag, CMPLX(0, -size.factor));
    return lmb_check_memory(context, out->arena);
}

/* One turn of each station in the steady motion under unbalance, y over z as seen along x, with a
 * cross where it is when the unbalance of phase 0 points along y. */
static lmb_status make_orbits(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    const lmb_rotor_system *s = r->system;
    if (!r->loaded)
        return fail_without_unbalance(context);
    if (!r->service_y) {
        lmb_fail(context, LMB_BAD_INPUT, "the rotor has no service speed to show orbits at");
        return lmb_hint(context, "give it one: 'speed: 3000*rpm'");
    }
    const char *title =
        lmb_text_format(out->arena, "Orbits under unbalance at %.6g rpm", r->rotor.speed / per_rpm);
    double largest = 0;
    for (int k = 0; k < s->station_count; k++) {
        int u = s->unknown[s->stations[k].node];
        largest = fmax(largest, lmb_orbit_of(r->service_y[u], r->service_z[u]).major);
    }
    scale size = scale_of(largest);
    start(out, title, in_unit(out->arena, "z", size), 720);
    out->equal = out->room = true;
    lmb_plot_add_panel(out, in_unit(out->arena, "y", size));
    for (int k = 0; k <= s->station_count; k++) {
        bool key = k == s->station_count;
        lmb_curve *c =
            key ? lmb_plot_add_curve(out, "key phase", k, LMB_CURVE_POINTS)
                : lmb_plot_add_curve(out, s->stations[k].name, ORBIT + 1, LMB_CURVE_LINE);
        for (int i = 0; i < c->count; i++) {
            int u = s->unknown[s->stations[key ? i : k].node];
            lmb_complex at = key ? 1 : cexp(CMPLX(0, turn * i / ORBIT));
            c->x[i] = size.factor * creal(r->service_z[u] * at);
            c->y[i] = size.factor * creal(r->service_y[u] * at);
        }
    }
    return lmb_check_memory(context, out->arena);
}

/* --- over time -------------------------------------------------------------------------------- */

static lmb_status make_run_up(lmb_context *context, const lmb_rotor_results *r, lmb_plot *out)
{
    const lmb_run_up *u = &r->run_up;
    int stations = r->system->station_count;
    if (u->count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "the model has no run-up with unbalance");
        return lmb_hint(context, "add 'run_up: {duration: 10}' and an unbalance");
    }
    start(out, "Run-up", "t in s", 620);
    double *y = lmb_arena_numbers(out->arena, (size_t)u->count);
    lmb_plot_add_panel(out, "distance from the axis in mm");
    for (int k = 0; k <= stations; k++) {
        bool speed = k == stations;
        if (speed)
            lmb_plot_add_panel(out, "speed in rpm");
        for (int i = 0; y && i < u->count; i++)
            y[i] = speed ? u->speed[i] / per_rpm
                         : 1000 * hypot(u->y[i * stations + k], u->z[i * stations + k]);
        lmb_plot_add_line(out, speed ? "speed" : r->system->stations[k].name, COLUMNS,
                          (size_t)u->count, u->t, y, 0, 0);
    }
    return lmb_check_memory(context, out->arena);
}

const lmb_rotor_picture lmb_rotor_pictures[] = {
    {"campbell", make_campbell},   {"response", make_response},
    {"orbits", make_orbits},       {"shapes", make_shapes},
    {"stability", make_stability}, {"sag", make_sag},
    {"run-up", make_run_up},       {NULL, NULL},
};
