/* Tables of rotors. */
#include "cli/rotor_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/print.h"

static const double per_rpm = 3.14159265358979323846 / 30, turn = 2 * 3.14159265358979323846;

/* A number, or '-' where there is none. */
static const char *shown(double value, const char *format, char *room)
{
    if (isfinite(value))
        snprintf(room, 32, format, value);
    else
        snprintf(room, 32, "-");
    return room;
}

static const char *word(double sense, bool mixed)
{
    lmb_whirl m = {.sense = sense, .mixed = mixed};
    return lmb_whirl_word(&m);
}

/* --- words ---------------------------------------------------------------------------------------
 */

static void add(char *text, size_t size, const char *sentence)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? "\n" : "", sentence);
}

/* The forward critical speed that the rotor meets first: unbalance drives forward whirl. Where the
 * bearings differ in the planes, it drives all. */
static bool counts(const lmb_rotor_results *r, const lmb_critical *c)
{
    return c->sense > -0.999999 || !r->system->isotropic;
}

static void say_where(const lmb_rotor_results *r, char *text, size_t size)
{
    char line[400];
    double speed = r->rotor.speed, below = 0, nearest = INFINITY;
    int passed = 0, first = -1;
    for (int i = 0; i < r->criticals.count; i++) {
        double at = r->criticals.of[i].undamped;
        if (!counts(r, &r->criticals.of[i]))
            continue;
        first = first < 0 ? i : first;
        if (at < speed) {
            passed++;
            below = at;
        }
        if (fabs(at - speed) < fabs(nearest - speed))
            nearest = at;
    }
    if (first < 0)
        return;
    if (passed) {
        snprintf(line, sizeof line,
                 "At %.6g rpm the rotor runs over-critically: it must pass %s critical speed%s on "
                 "the way up, the last at %.6g rpm (%.4g Hz).",
                 speed / per_rpm, passed == 1 ? "one" : "several", passed == 1 ? "" : "s",
                 below / per_rpm, below / turn);
    } else {
        snprintf(
            line, sizeof line,
            "At %.6g rpm the rotor runs under-critically: the first critical speed is %.6g rpm "
            "(%.4g Hz).",
            speed / per_rpm, r->criticals.of[first].undamped / per_rpm,
            r->criticals.of[first].undamped / turn);
    }
    add(text, size, line);
    if (fabs(nearest - speed) < 0.2 * speed) {
        snprintf(line, sizeof line,
                 "The service speed is only %.1f %% from the critical speed of %.6g rpm: large "
                 "vibrations are to be expected.",
                 100 * fabs(nearest / speed - 1), nearest / per_rpm);
        add(text, size, line);
    }
}

void lmb_rotor_words(const lmb_rotor_results *r, char *text, size_t size)
{
    char line[400];
    text[0] = 0;
    if (r->rotor.speed > 0)
        say_where(r, text, size);
    int largest = 0;
    for (int k = 1; k < r->system->station_count && r->run_up.count > 0; k++)
        largest = r->run_up.most[k] > r->run_up.most[largest] ? k : largest;
    if (r->run_up.count > 0 && r->system->station_count > 0) {
        snprintf(line, sizeof line,
                 "Running up from %.6g to %.6g rpm in %g s, the largest amplitude is %.4g mm, at "
                 "'%s' and %.6g rpm.",
                 r->rotor.run_from / per_rpm, r->rotor.run_to / per_rpm, r->rotor.run_duration,
                 1000 * r->run_up.most[largest], r->system->stations[largest].name,
                 r->run_up.at[largest] / per_rpm);
        add(text, size, line);
    }
    double growth = -INFINITY, at = 0;
    for (int i = 0; i < r->campbell.speeds; i++)
        if (r->campbell.at[i].growth > 0 && growth < 0) {
            growth = r->campbell.at[i].growth;
            at = r->campbell.at[i].speed;
        }
    if (growth > 0) {
        snprintf(line, sizeof line, "The rotor is unstable from %.6g rpm on: vibrations grow.",
                 at / per_rpm);
        add(text, size, line);
    }
}

/* --- text ----------------------------------------------------------------------------------------
 */

static void print_modes(const lmb_whirl_list *list)
{
    printf("\nVibrations at %.6g rpm\n", list->speed / per_rpm);
    printf("  %-5s %12s %12s %12s %12s  %s\n", "mode", "Hz", "rad/s", "damping", "log. decr.",
           "whirl");
    for (int i = 0; i < list->count; i++) {
        const lmb_whirl *m = &list->modes[i];
        printf("  %-5d %12.6g %12.6g %12.4g %12.4g  %s\n", i + 1, m->frequency / turn, m->frequency,
               m->ratio, m->decrement, lmb_whirl_word(m));
    }
}

static void print_criticals(const lmb_rotor_results *r)
{
    char two[32], three[32];
    printf("\nCritical speeds");
    if (r->whirl_ratio != 1)
        printf(" (whirl = %g x speed)", r->whirl_ratio);
    printf("\n  %-5s %12s %12s %12s %12s  %s\n", "", "rpm", "Hz", "damped rpm", "damping", "whirl");
    for (int i = 0; i < r->criticals.count; i++) {
        const lmb_critical *c = &r->criticals.of[i];
        printf("  %-5d %12.6g %12.6g %12s %12s  %s\n", i + 1, c->undamped / per_rpm,
               c->undamped / turn, shown(c->damped / per_rpm, "%.6g", two),
               shown(c->ratio, "%.4g", three), word(c->sense, c->mixed));
    }
}

static void print_frequency(const char *name, double value)
{
    char one[32], two[32];
    printf("  %-20.20s %14s %12s\n", name, shown(value, "%.6g", one),
           shown(value / turn, "%.6g", two));
}

static void print_estimates(const lmb_rotor_results *r)
{
    const lmb_rotor_estimates *e = &r->estimates;
    printf("\nLowest frequency at rest        rad/s           Hz\n");
    for (int i = 0; i < r->rotor.disc_count; i++) {
        char name[40];
        snprintf(name, sizeof name, "%.13s alone", r->rotor.discs[i].name);
        print_frequency(name, e->disc[i]);
    }
    print_frequency("shaft alone", e->shaft);
    print_frequency("Dunkerley", e->dunkerley);
    print_frequency("Rayleigh", e->rayleigh);
    print_frequency("finite elements", e->exact);
}

/* The static deflection that is largest, and loads. */
static void print_statics(const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    double most = 0, at = 0;
    for (int i = 0; i < s->node_count; i++) {
        double size = hypot(r->sag_y[s->unknown[i]], r->sag_z[s->unknown[i]]);
        at = size > most ? s->x[i] : at;
        most = fmax(most, size);
    }
    printf("\nUnder weight it sags by %.6g mm at x = %g m. Loads of bearings:\n", 1000 * most, at);
    printf("  %-20s %14s %14s\n", "", "y (N)", "z (N)");
    for (int b = 0; b < r->rotor.bearing_count; b++)
        printf("  %-20.20s %14.6g %14.6g\n", r->rotor.bearings[b].name, r->loads[b][0],
               r->loads[b][1]);
}

static void print_response(const lmb_rotor_results *r)
{
    char size[32];
    printf("\nUnbalance response            largest (mm)      at rpm\n");
    for (int k = 0; k < r->system->station_count; k++)
        printf("  %-20.20s %18s %12.6g\n", r->system->stations[k].name,
               isfinite(r->peak[k]) ? shown(1000 * r->peak[k], "%.6g", size) : "without bounds",
               r->peak_at[k] / per_rpm);
}

static void print_speeds(const lmb_campbell *c)
{
    printf("\nFrequencies (Hz) over speed\n  %10s", "rpm");
    for (int k = 0; k < c->modes; k++)
        printf(" %9s%-3d", "mode ", k + 1);
    printf("\n");
    for (int i = 0; i < c->speeds; i++) {
        printf("  %10.6g", c->at[i].speed / per_rpm);
        for (int k = 0; k < c->modes; k++) {
            const lmb_whirl *m = &c->at[i].modes[k];
            char room[32];
            printf(" %10s %c", shown(m->frequency / turn, "%.6g", room), lmb_whirl_word(m)[0]);
        }
        printf("\n");
    }
}

void lmb_rotor_print(const char *title, const lmb_rotor_results *r, bool speeds)
{
    char text[1000];
    if (title[0])
        printf("%s\n", title);
    printf("%d elements, %d degrees of freedom, mass %.6g kg (shaft %.6g kg)\n",
           r->system->element_count, 2 * r->system->scalars, r->mass, r->shaft_mass);
    print_criticals(r);
    print_modes(&r->service);
    if (r->estimated)
        print_estimates(r);
    if (hypot(r->rotor.gravity[0], r->rotor.gravity[1]) > 0 && r->rotor.bearing_count > 0)
        print_statics(r);
    if (r->loaded)
        print_response(r);
    if (speeds)
        print_speeds(&r->campbell);
    lmb_rotor_words(r, text, sizeof text);
    if (text[0])
        printf("\n%s\n", text);
}

/* --- JSON ----------------------------------------------------------------------------------------
 */

static void json_modes(lmb_json *j, const lmb_rotor_system *s, const lmb_whirl_list *list,
                       bool shapes)
{
    lmb_json_number(j, "speed", list->speed);
    lmb_json_bool(j, "stable", !(list->growth > 0));
    lmb_json_open(j, "modes", '[');
    for (int i = 0; i < list->count; i++) {
        const lmb_whirl *m = &list->modes[i];
        if (shapes)
            lmb_json_open(j, NULL, '{');
        else
            lmb_json_open_flat(j, NULL, '{');
        lmb_json_integer(j, "number", i + 1);
        lmb_json_number(j, "frequency", m->frequency / turn);
        lmb_json_number(j, "natural", m->natural / turn);
        lmb_json_number(j, "damping", m->ratio);
        lmb_json_number(j, "decrement", m->decrement);
        lmb_json_text(j, "whirl", lmb_whirl_word(m));
        if (shapes) {
            lmb_json_open(j, "orbits", '[');
            for (int k = 0; k < s->node_count; k++) {
                lmb_orbit o = lmb_orbit_of(m->y[s->unknown[k]], m->z[s->unknown[k]]);
                lmb_json_open_flat(j, NULL, '{');
                lmb_json_number(j, "x", s->x[k]);
                lmb_json_number(j, "major", o.major);
                lmb_json_number(j, "minor", o.minor);
                lmb_json_number(j, "angle", o.angle);
                lmb_json_number(j, "phase", o.phase);
                lmb_json_close(j);
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
        lmb_json_open_flat(j, NULL, '{');
        lmb_json_number(j, "speed", c->undamped);
        lmb_json_number(j, "rpm", c->undamped / per_rpm);
        lmb_json_number(j, "frequency", c->undamped / turn);
        lmb_json_number(j, "damped_speed", c->damped);
        lmb_json_number(j, "damping", c->ratio);
        lmb_json_number(j, "decrement", c->decrement);
        lmb_json_text(j, "whirl", word(c->sense, c->mixed));
        lmb_json_close(j);
    }
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
    lmb_json_number(j, "dunkerley", e->dunkerley);
    lmb_json_number(j, "rayleigh", e->rayleigh);
    lmb_json_number(j, "finite_elements", e->exact);
    lmb_json_close(j);
}

static void json_statics(lmb_json *j, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    lmb_json_open(j, "sag", '[');
    for (int i = 0; i < s->node_count; i++) {
        lmb_json_open_flat(j, NULL, '{');
        lmb_json_number(j, "x", s->x[i]);
        lmb_json_number(j, "y", r->sag_y[s->unknown[i]]);
        lmb_json_number(j, "z", r->sag_z[s->unknown[i]]);
        lmb_json_close(j);
    }
    lmb_json_close(j);
    lmb_json_open(j, "bearing_loads", '{');
    for (int b = 0; b < r->rotor.bearing_count; b++) {
        lmb_json_open_flat(j, r->rotor.bearings[b].name, '[');
        lmb_json_number(j, NULL, r->loads[b][0]);
        lmb_json_number(j, NULL, r->loads[b][1]);
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

static void json_response(lmb_json *j, const lmb_rotor_results *r)
{
    int stations = r->system->station_count;
    lmb_json_open(j, "largest", '{');
    for (int k = 0; k < stations; k++) {
        lmb_json_open_flat(j, r->system->stations[k].name, '{');
        lmb_json_number(j, "half_axis", r->peak[k]);
        lmb_json_number(j, "speed", r->peak_at[k]);
        lmb_json_close(j);
    }
    lmb_json_close(j);
    lmb_json_open(j, "unbalance", '{');
    for (int k = 0; k < stations; k++) {
        lmb_json_open(j, r->system->stations[k].name, '[');
        for (int i = 0; i < r->rotor.steps; i++) {
            lmb_complex y = r->y[i * stations + k], z = r->z[i * stations + k];
            lmb_orbit o = lmb_orbit_of(y, z);
            lmb_json_open_flat(j, NULL, '{');
            lmb_json_number(j, "speed", lmb_rotor_speed(&r->rotor, i));
            lmb_json_number(j, "amplitude_y", cabs(y));
            lmb_json_number(j, "phase_y", carg(y));
            lmb_json_number(j, "amplitude_z", cabs(z));
            lmb_json_number(j, "phase_z", carg(z));
            lmb_json_number(j, "major", o.major);
            lmb_json_number(j, "minor", o.minor);
            lmb_json_number(j, "angle", o.angle);
            lmb_json_close(j);
        }
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

static void json_run_up(lmb_json *j, const lmb_rotor_results *r)
{
    lmb_json_open(j, "run_up", '{');
    for (int k = 0; k < r->system->station_count; k++) {
        lmb_json_open_flat(j, r->system->stations[k].name, '{');
        lmb_json_number(j, "amplitude", r->run_up.most[k]);
        lmb_json_number(j, "speed", r->run_up.at[k]);
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

void lmb_rotor_print_json(const char *title, const lmb_rotor_results *r)
{
    char text[1000];
    lmb_json json = lmb_json_start(stdout), *j = &json;
    lmb_json_open(j, NULL, '{');
    lmb_json_text(j, "title", title);
    lmb_json_integer(j, "elements", r->system->element_count);
    lmb_json_number(j, "mass", r->mass);
    lmb_json_number(j, "shaft_mass", r->shaft_mass);
    json_criticals(j, r);
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
    lmb_rotor_words(r, text, sizeof text);
    lmb_json_text(j, "words", text);
    lmb_json_close(j);
}
