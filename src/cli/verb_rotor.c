/* limber rotor: critical speeds, whirl, unbalance response and run-up of a rotor. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/load.h"
#include "cli/print.h"
#include "math/vec.h"
#include "report/plot.h"
#include "report/report.h"
#include "report/rotor_sheet.h"

/* --- what is printed -------------------------------------------------------------------------- */

static const double per_rpm = LMB_PI / 30, turn = 2 * LMB_PI;

static void tell_speeds(lmb_sheet *sheet, const lmb_rotor_vibrations *c)
{
    lmb_sheet_table_add(
        sheet, "Frequencies (Hz) over speed (f forward, b backward, m mixed, p plane)", "rpm");
    for (int k = 0; k < c->modes; k++)
        lmb_sheet_columns(sheet, lmb_text_format(sheet->arena, "mode %d", k + 1));
    for (int i = 0; i < c->speeds; i++) {
        lmb_sheet_row(sheet, "%.6g", c->speed[i] / per_rpm);
        for (int at = i * c->modes; at < (i + 1) * c->modes; at++)
            lmb_sheet_cells(sheet, "%#.6g %.1s", c->frequency[at], c->whirl[at]);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* The vibrations at speed i; of those under a key the orbits, too. */
static void json_modes(lmb_json *j, const char *key, const lmb_rotor_found *r,
                       const lmb_rotor_vibrations *v, int i)
{
    lmb_json_open(j, key, '{');
    lmb_json_put(j, "speed %g, stable %hhd", v->speed[i], v->stable[i]);
    lmb_json_open(j, "modes", '[');
    for (int m = 0; m < v->modes; m++) {
        int at = i * v->modes + m;
        (key ? lmb_json_open : lmb_json_open_flat)(j, NULL, '{');
        lmb_json_put(j, "number %d, frequency %g, natural %g, damping %g, decrement %g, whirl %s",
                     m + 1, v->frequency[at], v->natural[at], v->damping[at], v->decrement[at],
                     v->whirl[at]);
        if (key) {
            lmb_json_open(j, "orbits", '[');
            for (int k = 0; k < r->node_count; k++) {
                const lmb_orbit *o = &r->orbits[m * r->node_count + k];
                lmb_json_object(j, NULL, "x %g, major %g, minor %g, angle %g, phase %g", r->x[k],
                                o->major, o->minor, o->angle, o->phase);
            }
            lmb_json_close(j);
        }
        lmb_json_close(j);
    }
    lmb_json_close(j);
    lmb_json_close(j);
}

static void json_criticals(lmb_json *j, const lmb_rotor_found *r)
{
    lmb_json_number(j, "whirl_ratio", r->whirl_ratio);
    lmb_json_open(j, "critical_speeds", '[');
    for (int i = 0; i < r->critical_count; i++) {
        const lmb_critical *c = &r->criticals[i];
        lmb_json_object(
            j, NULL,
            "speed %g, rpm %g, frequency %g, damped_speed %g, damping %g, decrement %g, whirl %s",
            c->undamped, c->undamped / per_rpm, c->undamped / turn, c->damped, c->ratio,
            c->decrement, r->critical_whirl[i]);
    }
    lmb_json_close(j);
}

static void json_estimates(lmb_json *j, const lmb_rotor_found *r)
{
    const lmb_rotor_estimates *e = &r->estimates;
    lmb_json_open(j, "estimates", '{');
    lmb_json_open_flat(j, "discs", '{');
    for (int i = 0; i < r->disc_count; i++)
        lmb_json_number(j, r->discs[i], e->disc[i]);
    lmb_json_close(j);
    lmb_json_number(j, "shaft", e->shaft);
    if (e->others > 0)
        lmb_json_number(j, "others", e->others);
    lmb_json_put(j, "dunkerley %g, rayleigh %g, finite_elements %g", e->dunkerley, e->rayleigh,
                 e->exact);
    lmb_json_close(j);
}

static void json_statics(lmb_json *j, const lmb_rotor_found *r)
{
    lmb_json_open(j, "sag", '[');
    for (int i = 0; i < r->node_count; i++)
        lmb_json_object(j, NULL, "x %g, y %g, z %g", r->x[i], r->sag[2 * i], r->sag[2 * i + 1]);
    lmb_json_close(j);
    lmb_json_open(j, "bearing_loads", '{');
    for (int b = 0; b < r->bearing_count; b++)
        lmb_json_numbers(j, r->bearings[b], 2, r->loads + 2 * (size_t)b);
    lmb_json_close(j);
}

static void json_response(lmb_json *j, const lmb_rotor_found *r)
{
    int stations = r->station_count;
    lmb_json_open(j, "largest", '{');
    for (int k = 0; k < stations; k++)
        lmb_json_object(j, r->stations[k], "half_axis %g, speed %g", r->peak[k], r->peak_speed[k]);
    lmb_json_close(j);
    lmb_json_open(j, "unbalance", '{');
    for (int k = 0; k < stations; k++) {
        lmb_json_open(j, r->stations[k], '[');
        for (int i = 0; i < r->speed_count; i++) {
            int at = i * stations + k;
            const double *y = r->y + 2 * (size_t)at, *z = r->z + 2 * (size_t)at;
            const lmb_orbit *o = &r->response[at];
            lmb_json_object(j, NULL,
                            "speed %g, amplitude_y %g, phase_y %g, amplitude_z %g, phase_z %g, "
                            "major %g, minor %g, angle %g",
                            r->speed[i], hypot(y[0], y[1]), atan2(y[1], y[0]), hypot(z[0], z[1]),
                            atan2(z[1], z[0]), o->major, o->minor, o->angle);
        }
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

static void print_json(const lmb_rotor_found *r)
{
    const lmb_instability *growing = &r->instability;
    lmb_json json = lmb_json_start_object(stdout), *j = &json;
    lmb_json_put(j, "title %s, elements %d, mass %g, shaft_mass %g", r->title, r->elements, r->mass,
                 r->shaft_mass);
    json_criticals(j, r);
    if (growing->found) { /* the first stretch of speeds at which something grows */
        lmb_json_open_flat(j, "instability", '{');
        lmb_json_number(j, "from", growing->from);
        if (isfinite(growing->to))
            lmb_json_number(j, "to", growing->to);
        lmb_json_number(j, "frequency", growing->frequency);
        lmb_json_close(j);
    }
    json_modes(j, "service", r, &r->service, 0);
    if (r->estimated) {
        json_estimates(j, r);
        json_statics(j, r);
    }
    lmb_json_open(j, "campbell", '[');
    for (int i = 0; i < r->campbell.speeds; i++)
        json_modes(j, NULL, r, &r->campbell, i);
    lmb_json_close(j);
    if (r->loaded)
        json_response(j, r);
    if (r->run_up.count > 0) {
        lmb_json_open(j, "run_up", '{');
        for (int k = 0; k < r->station_count; k++)
            lmb_json_object(j, r->stations[k], "amplitude %g, speed %g", r->run_up.most[k],
                            r->run_up.at[k]);
        lmb_json_close(j);
    }
    lmb_json_texts(j, "words", (size_t)r->word_count, r->words);
    lmb_json_close(j);
}

/* Check the motion. Vibrations that are lost and amplitudes without bounds need not be finite. */
static lmb_status check_motion(const lmb_arguments *a, const lmb_rotor_found *r)
{
    size_t stations = (size_t)r->station_count, nodes = r->estimated ? (size_t)r->node_count : 0;
    size_t response = r->loaded ? 2 * (size_t)r->speed_count * stations : 0;
    size_t instants = (size_t)r->run_up.count * stations;
    const struct {
        const char *name;
        size_t count;
        const double *values;
    } all[] = {{"sag", 2 * nodes, r->sag},
               {"unbalance response along y", response, r->y},
               {"unbalance response along z", response, r->z},
               {"run-up along y", instants, r->run_up.y},
               {"run-up along z", instants, r->run_up.z}};
    lmb_status status = LMB_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++)
        status =
            lmb_check_finite(a->context, a->words[0], all[i].name, all[i].count, all[i].values);
    return status;
}

static lmb_status print(const lmb_arguments *a, const lmb_rotor_found *r)
{
    if (a->json) {
        print_json(r);
        return LMB_OK;
    }
    lmb_sheet sheet = lmb_sheet_start(a->arena, "Rotor");
    lmb_rotor_tell(&sheet, r->results);
    if (lmb_option_value(a, "--speeds"))
        tell_speeds(&sheet, &r->campbell);
    if (!lmb_arena_fine(sheet.arena))
        return lmb_fail_memory(a->context);
    if (r->title[0])
        lmb_print_line("", r->title);
    lmb_sheet_print(a, &sheet);
    lmb_sheet_print_words(&sheet);
    return LMB_OK;
}

/* --- what is written -------------------------------------------------------------------------- */

/* Draws what was asked for. */
static lmb_status draw(const lmb_arguments *a, const lmb_rotor_found *r)
{
    lmb_status status = LMB_OK;
    for (const lmb_rotor_picture *p = lmb_rotor_pictures; p->name && !status; p++) {
        char option[32];
        snprintf(option, sizeof option, "--%s", p->name);
        const char *path = lmb_option_value(a, option);
        lmb_plot plot = {.arena = a->arena};
        if (path && !(status = p->make(a->context, r->results, &plot)))
            status = lmb_plot_write(a->context, &plot, path);
    }
    return status;
}

/* Writes the result, and from it the report. */
static lmb_status write_both(const lmb_arguments *a, const lmb_rotor_found *r, const char *path)
{
    lmb_report_request report = {.path = lmb_option_value(a, "--report")};
    lmb_status status = lmb_rotor_save(a->context, r, path);
    if (!status && report.path)
        status = lmb_report_write(a->context, path, &report);
    if (!status && report.path)
        fprintf(stderr, "The report is in %s; open it with a browser.\n", report.path);
    if (!status && lmb_option_value(a, "--open"))
        status = lmb_show(a, path);
    return status;
}

/* Keeps the result where it was asked for, or for as long as a report needs it. */
static lmb_status keep(const lmb_arguments *a, const lmb_rotor_found *r)
{
    char folder[LMB_FOLDER_ROOM];
    const char *given = lmb_option_value(a, "-o");
    if (given)
        return write_both(a, r, given);
    if (!lmb_option_value(a, "--report") && !lmb_option_value(a, "--open"))
        return LMB_OK;
    const char *name = lmb_name_after(a, a->words[0], ".h5");
    lmb_status status = *a->status ? *a->status : lmb_temporary_folder(a->context, "rotor", folder);
    if (status)
        return status;
    const char *path = lmb_text_format(a->arena, "%s/%s", folder, name);
    status = path ? write_both(a, r, path) : lmb_fail_memory(a->context);
    if (path)
        remove(path);
    rmdir(folder);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m;
    lmb_rotor_found *r;
    lmb_rotor_options looked = {.whirl_ratio = 1};
    lmb_typed_number(a, "--ratio", LMB_ABOVE_ZERO, &looked.whirl_ratio);
    lmb_refuse(a, !(looked.whirl_ratio < 1e6), "--ratio must be below 1e6, not %g",
               looked.whirl_ratio);
    lmb_status status = *a->status;
    if (status || (status = lmb_load_model(a, &m)))
        return status;
    lmb_progress_start(a->context, true);
    status = lmb_rotor_find(&r, a->context, m, &looked);
    lmb_progress_done(a->context);
    if (!status && !(status = check_motion(a, r)) && !(status = draw(a, r)) &&
        !(status = keep(a, r)))
        status = print(a, r);
    lmb_rotor_free(r);
    return status;
}

static const lmb_option options[] = {
    {"-o, --output RESULT", "Write a result file with the analyses campbell, unbalance, shapes and "
                            "run-up, for limber list, get and plot."},
    {"--report FILE.html",
     "Write a page with tables, figures and the moving rotor, as limber report does."},
    {"--open", "Show that page in the browser, as limber view does."},
    {"--campbell FILE", "Draw the Campbell diagram as SVG or PNG."},
    {"--response FILE", "Draw the unbalance response over speed."},
    {"--orbits FILE", "Draw the orbits under unbalance at the service speed."},
    {"--shapes FILE", "Draw the shapes of vibration at the service speed."},
    {"--stability FILE", "Draw the logarithmic decrements over speed."},
    {"--sag FILE", "Draw the deflection under weight."},
    {"--run-up FILE", "Draw the run-up over time."},
    {"--speeds", "Print the frequencies over speed too."},
    {"--ratio R", "Critical speeds at which the whirl is R times the speed (default: 1)."},
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {LMB_WAIT_OPTION},
    {"--json", "Print all tables as JSON."},
    {0},
};

const lmb_verb lmb_verb_rotor = {
    .name = "rotor",
    .usage = "MODEL [-o RESULT] [--report FILE] [--open] [--campbell FILE] [--response FILE] "
             "[--orbits FILE] [--shapes FILE] [--stability FILE] [--sag FILE] [--run-up FILE] "
             "[--speeds] [--ratio R] [--set NAME=VALUE]... [--trust] [--json]",
    .summary = "Prints critical speeds, whirl and response of a rotor.",
    .doc = "Reads the section `rotor` of a model: a stepped, possibly hollow shaft along x, discs, "
           "bearings and seals, couplings. Finds critical speeds directly, whirl with its "
           "direction, damping and stability at the service speed and over speed (the Campbell "
           "diagram), the response to unbalance, deflection and bearing loads under weight, a "
           "run-up in time, and the estimates of Dunkerley and Rayleigh. States whether the rotor "
           "runs above a critical speed. Results and reports have all of this, with animations of "
           "the whirl modes, of the unbalance response at each speed, and of the run-up.",
    .examples = "limber rotor jeffcott.yaml\n"
                "limber rotor overhung.yaml --open\n"
                "limber rotor nelson-rotor.yaml --campbell campbell.svg\n"
                "limber rotor offset-rotor.yaml --set elements=2 --json\n"
                "limber rotor overhung.yaml -o overhung.h5 && limber get overhung.h5 "
                "unbalance/impeller.orbit --max\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
