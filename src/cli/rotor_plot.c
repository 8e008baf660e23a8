/* Pictures of rotors, drawn as other plots are. */
#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/draw.h"
#include "cli/rotor_print.h"
#include "io/rotor_write.h"

static const double per_rpm = 3.14159265358979323846 / 30, turn = 2 * 3.14159265358979323846;

enum { MOST_PANELS = 3 };

typedef struct picture {
    lmb_arena *arena;
    lmb_plot plot;
    lmb_plot_panel panels[MOST_PANELS];
    bool failed;
} picture;

static picture start(const char *title, const char *x_label, int panels, int curves)
{
    picture p = {.arena = lmb_arena_new()};
    p.plot = (lmb_plot){.title = title,
                        .x_label = x_label,
                        .panel_count = panels,
                        .width = 800,
                        .height = panels > 1 ? 620 : 520,
                        .legend = true};
    for (int i = 0; i < panels; i++) {
        p.panels[i].curves =
            p.arena ? lmb_arena_alloc(p.arena, (size_t)curves, sizeof(lmb_curve)) : NULL;
        p.failed = p.failed || !p.panels[i].curves;
    }
    return p;
}

/* Room for a curve of so many points; x and y are to be filled in. */
static bool add_curve(picture *p, int panel, const char *label, int count, double **x, double **y)
{
    *x = p->failed ? NULL : lmb_arena_numbers(p->arena, (size_t)count + 1);
    *y = p->failed ? NULL : lmb_arena_numbers(p->arena, (size_t)count + 1);
    p->failed = p->failed || !*x || !*y || !label;
    if (p->failed)
        return false;
    lmb_plot_panel *to = &p->panels[panel];
    to->curves[to->count++] = (lmb_curve){label, count, *x, *y, LMB_CURVE_LINE};
    return true;
}

static lmb_status finish(picture *p, lmb_context *context, const char *path)
{
    p->plot.panels = p->panels;
    lmb_status status =
        p->failed ? lmb_fail_memory(context) : lmb_plot_write(context, &p->plot, path);
    lmb_arena_free(p->arena);
    return status;
}

/* "2 forward": the sense that a mode has at the last speed. */
static const char *mode_label(picture *p, const lmb_campbell *c, int k)
{
    const lmb_whirl *m = &c->at[c->speeds - 1].modes[k];
    return p->arena ? lmb_text_format(p->arena, "%d %s", k + 1, lmb_whirl_word(m)) : NULL;
}

lmb_status lmb_rotor_plot_campbell(lmb_context *context, const lmb_rotor_results *r,
                                   const char *path)
{
    const lmb_campbell *c = &r->campbell;
    picture p = start("Campbell diagram", "speed (rpm)", 1, c->modes + 2);
    double *x, *y, highest = 0;
    p.panels[0].label = "frequency (Hz)";
    for (int k = 0; k < c->modes; k++) {
        if (!add_curve(&p, 0, mode_label(&p, c, k), c->speeds, &x, &y))
            break;
        for (int i = 0; i < c->speeds; i++) {
            x[i] = c->at[i].speed / per_rpm;
            y[i] = c->at[i].modes[k].frequency / turn;
            highest = isfinite(y[i]) ? fmax(highest, y[i]) : highest;
        }
    }
    /* the speed itself, as far as there are curves */
    if (add_curve(&p, 0, "1x", 2, &x, &y)) {
        double last = fmin(c->at[c->speeds - 1].speed, highest * turn);
        x[0] = c->at[0].speed / per_rpm;
        y[0] = c->at[0].speed / turn;
        x[1] = last / per_rpm;
        y[1] = last / turn;
    }
    int count = 0;
    for (int i = 0; i < r->criticals.count; i++)
        count += r->criticals.of[i].undamped <= r->rotor.to;
    if (count > 0 && r->whirl_ratio == 1 && add_curve(&p, 0, "critical", count, &x, &y)) {
        p.panels[0].curves[p.panels[0].count - 1].style = LMB_CURVE_POINTS;
        for (int i = 0; i < count; i++) {
            x[i] = r->criticals.of[i].undamped / per_rpm;
            y[i] = r->criticals.of[i].undamped / turn;
        }
    }
    return finish(&p, context, path);
}

lmb_status lmb_rotor_plot_response(lmb_context *context, const lmb_rotor_results *r,
                                   const char *path)
{
    int stations = r->system->station_count, steps = r->rotor.steps;
    double *x, *y;
    if (!r->loaded)
        return lmb_fail(context, LMB_BAD_INPUT, "the rotor has no unbalance");
    picture p = start("Unbalance response", "speed (rpm)", 2, stations + 1);
    p.panels[0].label = "half axis (mm)";
    p.panels[1].label = "phase along y (deg)";
    for (int k = 0; k < stations; k++)
        for (int panel = 0; panel < 2; panel++) {
            if (!add_curve(&p, panel, r->system->stations[k].name, steps, &x, &y))
                break;
            double before = 0;
            for (int i = 0; i < steps; i++) {
                lmb_complex a = r->y[i * stations + k], b = r->z[i * stations + k];
                x[i] = lmb_rotor_speed(&r->rotor, i) / per_rpm;
                if (panel == 0) {
                    y[i] = 1000 * lmb_orbit_of(a, b).major;
                } else {
                    double angle = carg(a) * 360 / turn;
                    y[i] = before = angle - 360 * round((angle - before) / 360);
                }
            }
        }
    return finish(&p, context, path);
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
lmb_status lmb_rotor_plot_shapes(lmb_context *context, const lmb_rotor_results *r, const char *path)
{
    const lmb_rotor_system *s = r->system;
    int count = r->service.count < 8 ? r->service.count : 8, points = lmb_rotor_line_count(s);
    double *x, *y;
    picture p = start("Shapes of vibration", "x (m)", 1, count + 1);
    p.panels[0].label = "deflection";
    for (int k = 0; k < count; k++) {
        const lmb_whirl *m = &r->service.modes[k];
        bool z = sideways(s, m);
        const char *label =
            p.arena ? lmb_text_format(p.arena, "%d: %.4g Hz %s, %s", k + 1, m->frequency / turn,
                                      lmb_whirl_word(m), z ? "z" : "y")
                    : NULL;
        if (!add_curve(&p, 0, label, points, &x, &y))
            break;
        for (int i = 0; i < points; i++) {
            x[i] = lmb_rotor_line_x(s, i);
            y[i] = creal(lmb_rotor_line_value(s, i, z ? m->z : m->y));
        }
    }
    return finish(&p, context, path);
}

lmb_status lmb_rotor_plot_run_up(lmb_context *context, const lmb_rotor_results *r, const char *path)
{
    const lmb_run_up *u = &r->run_up;
    int stations = r->system->station_count;
    double *x, *y;
    if (u->count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "the model has no run-up with unbalance");
        lmb_hint(context, "add 'run_up: {duration: 10}' and an unbalance");
        return LMB_BAD_INPUT;
    }
    picture p = start("Run-up", "time (s)", 2, stations + 1);
    p.panels[0].label = "distance from the axis (mm)";
    p.panels[1].label = "speed (rpm)";
    for (int k = 0; k < stations; k++) {
        if (!add_curve(&p, 0, r->system->stations[k].name, u->count, &x, &y))
            break;
        for (int i = 0; i < u->count; i++) {
            x[i] = u->t[i];
            y[i] = 1000 * hypot(u->y[i * stations + k], u->z[i * stations + k]);
        }
    }
    if (add_curve(&p, 1, "speed", u->count, &x, &y))
        for (int i = 0; i < u->count; i++) {
            x[i] = u->t[i];
            y[i] = u->speed[i] / per_rpm;
        }
    return finish(&p, context, path);
}
