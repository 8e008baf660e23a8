/* Tables of rotors over speed, and all of it as JSON; the rest is printed from the sheet. */
#include "cli/rotor_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/sheet_print.h"
#include "report/rotor_sheet.h"
#include "math/vec.h"

static const double per_rpm = LMB_PI / 30, turn = 2 * LMB_PI;

/* A number, or '-' where there is none. */
static const char *shown(double value, const char *format, char *room)
{
    if (isfinite(value))
        snprintf(room, 32, format, value);
    else
        snprintf(room, 32, "-");
    return room;
}

static void print_speeds(const lmb_campbell *c)
{
    printf("\nFrequencies (Hz) over speed (f forward, b backward, m mixed, p plane)\n  %10s",
           "rpm");
    for (int k = 0; k < c->modes; k++)
        printf(" %9s%-3d", "mode ", k + 1);
    printf("\n");
    for (int i = 0; i < c->speeds; i++) {
        printf("  %10.6g", c->at[i].speed / per_rpm);
        for (int k = 0; k < c->modes; k++) {
            const lmb_whirl *m = &c->at[i].modes[k];
            char room[32];
            printf(" %10s %c", shown(m->frequency / turn, "%.6g", room),
                   lmb_whirl_word(m->sense, m->mixed)[0]);
        }
        printf("\n");
    }
}

void lmb_rotor_print(const char *title, const lmb_rotor_results *r, const lmb_sheet *sheet,
                     bool speeds)
{
    if (title[0])
        printf("%s\n", title);
    lmb_sheet_print_tables(sheet);
    if (speeds)
        print_speeds(&r->campbell);
    lmb_sheet_print_words(sheet);
}

/* --- JSON ----------------------------------------------------------------------------------------
 */

static void json_modes(lmb_json *j, const lmb_rotor_system *s, const lmb_whirl_list *list,
                       bool shapes)
{
    lmb_json_put(j, "speed %g, stable %hhd", list->speed, !(list->growth > 0));
    lmb_json_open(j, "modes", '[');
    for (int i = 0; i < list->count; i++) {
        const lmb_whirl *m = &list->modes[i];
        if (shapes)
            lmb_json_open(j, NULL, '{');
        else
            lmb_json_open_flat(j, NULL, '{');
        lmb_json_put(j, "number %d, frequency %g, natural %g, damping %g, decrement %g, whirl %s",
                     i + 1, m->frequency / turn, m->natural / turn, m->ratio, m->decrement,
                     lmb_whirl_word(m->sense, m->mixed));
        if (shapes) {
            lmb_json_open(j, "orbits", '[');
            for (int k = 0; k < s->node_count; k++) {
                lmb_orbit o = lmb_orbit_of(m->y[s->unknown[k]], m->z[s->unknown[k]]);
                lmb_json_object(j, NULL, "x %g, major %g, minor %g, angle %g, phase %g", s->x[k],
                                o.major, o.minor, o.angle, o.phase);
            }
            lmb_json_close(j);
        }
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

static void json_criticals(lmb_json *j, const lmb_rotor_results *r)
{
    lmb_json_number(j, "whirl_ratio", r->whirl_ratio);
    lmb_json_open(j, "critical_speeds", '[');
    for (int i = 0; i < r->criticals.count; i++) {
        const lmb_critical *c = &r->criticals.of[i];
        lmb_json_object(
            j, NULL,
            "speed %g, rpm %g, frequency %g, damped_speed %g, damping %g, decrement %g, whirl %s",
            c->undamped, c->undamped / per_rpm, c->undamped / turn, c->damped, c->ratio,
            c->decrement, lmb_whirl_word(c->sense, c->mixed));
    }
    lmb_json_close(j);
}

/* The first stretch of speeds at which something grows. */
static void json_instability(lmb_json *j, const lmb_instability *of)
{
    if (!of->found)
        return;
    lmb_json_open_flat(j, "instability", '{');
    lmb_json_number(j, "from", of->from);
    if (isfinite(of->to))
        lmb_json_number(j, "to", of->to);
    lmb_json_number(j, "frequency", of->frequency / turn);
    lmb_json_close(j);
}

static void json_estimates(lmb_json *j, const lmb_rotor_results *r)
{
    const lmb_rotor_estimates *e = &r->estimates;
    lmb_json_open(j, "estimates", '{');
    lmb_json_open_flat(j, "discs", '{');
    for (int i = 0; i < r->rotor.disc_count; i++)
        lmb_json_number(j, r->rotor.discs[i].name, e->disc[i]);
    lmb_json_close(j);
    lmb_json_number(j, "shaft", e->shaft);
    if (e->others > 0)
        lmb_json_number(j, "others", e->others);
    lmb_json_put(j, "dunkerley %g, rayleigh %g, finite_elements %g", e->dunkerley, e->rayleigh,
                 e->exact);
    lmb_json_close(j);
}

static void json_statics(lmb_json *j, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    lmb_json_open(j, "sag", '[');
    for (int i = 0; i < s->node_count; i++)
        lmb_json_object(j, NULL, "x %g, y %g, z %g", s->x[i], creal(r->sag[s->unknown[i]]),
                        cimag(r->sag[s->unknown[i]]));
    lmb_json_close(j);
    lmb_json_open(j, "bearing_loads", '{');
    for (int b = 0; b < r->rotor.bearing_count; b++)
        lmb_json_numbers(j, r->rotor.bearings[b].name, 2, r->loads[b]);
    lmb_json_close(j);
}

static void json_response(lmb_json *j, const lmb_rotor_results *r)
{
    int stations = r->system->station_count;
    lmb_json_open(j, "largest", '{');
    for (int k = 0; k < stations; k++) {
        lmb_json_object(j, r->system->stations[k].name, "half_axis %g, speed %g", r->peak[k],
                        r->peak_at[k]);
    }
    lmb_json_close(j);
    lmb_json_open(j, "unbalance", '{');
    for (int k = 0; k < stations; k++) {
        lmb_json_open(j, r->system->stations[k].name, '[');
        for (int i = 0; i < r->rotor.steps; i++) {
            lmb_complex y = r->y[i * stations + k], z = r->z[i * stations + k];
            lmb_orbit o = lmb_orbit_of(y, z);
            lmb_json_object(j, NULL,
                            "speed %g, amplitude_y %g, phase_y %g, amplitude_z %g, phase_z %g, "
                            "major %g, minor %g, angle %g",
                            lmb_rotor_speed(&r->rotor, i), cabs(y), carg(y), cabs(z), carg(z),
                            o.major, o.minor, o.angle);
        }
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

static void json_run_up(lmb_json *j, const lmb_rotor_results *r)
{
    lmb_json_open(j, "run_up", '{');
    for (int k = 0; k < r->system->station_count; k++) {
        lmb_json_object(j, r->system->stations[k].name, "amplitude %g, speed %g", r->run_up.most[k],
                        r->run_up.at[k]);
    }
    lmb_json_close(j);
}

void lmb_rotor_print_json(const char *title, const lmb_rotor_results *r, const lmb_sheet *sheet)
{
    lmb_json json = lmb_json_start(stdout), *j = &json;
    lmb_json_open(j, NULL, '{');
    lmb_json_put(j, "title %s, elements %d, mass %g, shaft_mass %g", title,
                 r->system->element_count, r->mass, r->shaft_mass);
    json_criticals(j, r);
    json_instability(j, &r->instability);
    lmb_json_open(j, "service", '{');
    json_modes(j, r->system, &r->service, true);
    lmb_json_close(j);
    if (r->estimated) {
        json_estimates(j, r);
        json_statics(j, r);
    }
    lmb_json_open(j, "campbell", '[');
    for (int i = 0; i < r->campbell.speeds; i++) {
        lmb_json_open(j, NULL, '{');
        json_modes(j, r->system, &r->campbell.at[i], false);
        lmb_json_close(j);
    }
    lmb_json_close(j);
    if (r->loaded)
        json_response(j, r);
    if (r->run_up.count > 0)
        json_run_up(j, r);
    lmb_json_open(j, "words", '[');
    for (int i = 0; i < sheet->sentence_count; i++)
        lmb_json_text(j, NULL, sheet->sentences[i]);
    lmb_json_close(j);
    lmb_json_close(j);
}
