/* limber rotor: critical speeds, whirl, unbalance response and run-up of a rotor. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/rotor_print.h"
#include "cli/show.h"
#include "cli/templates.h"
#include "base/file_replace.h"
#include "report/plot.h"
#include "report/report.h"
#include "report/rotor_sheet.h"

/* Draws what was asked for. */
static lmb_status draw(const lmb_arguments *a, const lmb_rotor_results *r)
{
    lmb_status status = LMB_OK;
    for (const lmb_rotor_picture *p = lmb_rotor_pictures; p->name && !status; p++) {
        char option[32];
        snprintf(option, sizeof option, "--%s", p->name);
        const char *path = lmb_option_value(a, option);
        lmb_arena *arena = path ? lmb_arena_new() : NULL;
        lmb_plot plot;
        if (path)
            status = arena ? p->make(a->context, arena, r, &plot) : lmb_fail_memory(a->context);
        if (path && !status)
            status = lmb_plot_write(a->context, &plot, path);
        lmb_arena_free(arena);
    }
    return status;
}

static lmb_status whirl_ratio(const lmb_arguments *a, double *ratio)
{
    const char *typed = lmb_option_value(a, "--ratio");
    *ratio = 1;
    lmb_status status = typed ? lmb_typed_number(a->context, "--ratio", typed, ratio) : LMB_OK;
    if (!status && !(*ratio > 0 && *ratio < 1e6))
        status = lmb_fail(a->context, LMB_USAGE, "--ratio must be positive, not %g", *ratio);
    return status;
}

/* Writes the result, and from it the report. */
static lmb_status write_both(const lmb_arguments *a, const lmb_model *m, const lmb_rotor_results *r,
                             const char *path)
{
    lmb_report report = {.viewer = lmb_viewer[0].text, .path = lmb_option_value(a, "--report")};
    lmb_status status = lmb_rotor_write(a->context, m, r, path);
    if (!status && report.path)
        status = lmb_report_write(a->context, path, &report);
    if (!status && report.path)
        fprintf(stderr, "The report is in %s; open it with a browser.\n", report.path);
    if (!status && lmb_option_value(a, "--open"))
        status = lmb_show(a->context, path);
    return status;
}

/* Keeps the result where it was asked for, or for as long as a report needs it. */
static lmb_status keep(const lmb_arguments *a, const lmb_model *m, const lmb_rotor_results *r)
{
    char folder[LMB_FOLDER_ROOM], path[4096], name[256];
    const char *given = lmb_option_value(a, "-o");
    if (given)
        return write_both(a, m, r, given);
    if (!lmb_option_value(a, "--report") && !lmb_option_value(a, "--open"))
        return LMB_OK;
    lmb_status status = lmb_temporary_folder(a->context, folder);
    if (status)
        return status;
    lmb_name_after(a->words[0], ".h5", name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    status = write_both(a, m, r, path);
    remove(path);
    rmdir(folder);
    return status;
}

static lmb_status print(const lmb_arguments *a, const lmb_model *m, const lmb_rotor_results *r)
{
    lmb_arena *arena = lmb_arena_new();
    lmb_sheet sheet = lmb_sheet_start(arena, "Rotor");
    lmb_rotor_tell(&sheet, r);
    lmb_status status = sheet.failed ? lmb_fail_memory(a->context) : LMB_OK;
    if (!status && a->json)
        lmb_rotor_print_json(m->title, r, &sheet);
    else if (!status)
        lmb_rotor_print(m->title, r, &sheet, lmb_option_value(a, "--speeds") != NULL);
    lmb_arena_free(arena);
    return status;
}

static lmb_status solve(const lmb_arguments *a, const lmb_model *m, double ratio)
{
    lmb_rotor_results *r = NULL;
    lmb_progress_display display = lmb_progress_start(true);
    lmb_context_on_progress(a->context, lmb_progress_show, &display);
    lmb_status status = lmb_rotor_solve(&r, a->context, m->rotor, ratio);
    lmb_progress_done(&display);
    lmb_context_on_progress(a->context, NULL, NULL);
    if (!status)
        status = draw(a, r);
    if (!status)
        status = keep(a, m, r);
    if (!status)
        status = print(a, m, r);
    lmb_rotor_results_free(r);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m = NULL;
    double ratio;
    lmb_status status = whirl_ratio(a, &ratio);
    if (status || (status = lmb_load_model(a, &m)))
        return status;
    if (!m->rotor) {
        status = lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has no section 'rotor'", a->words[0]);
        lmb_hint(a->context, "see `limber new jeffcott` for a model with one");
    } else {
        status = solve(a, m, ratio);
    }
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    {"--output", "-o", "RESULT", false,
     "Write a result file with the analyses campbell, unbalance, shapes and run-up, for limber "
     "list, get and plot."},
    {"--report", NULL, "FILE.html", false,
     "Write a page with tables, figures and the moving rotor, as limber report does."},
    {"--open", NULL, NULL, false, "Show that page in the browser, as limber view does."},
    {"--campbell", NULL, "FILE", false, "Draw the Campbell diagram as SVG or PNG."},
    {"--response", NULL, "FILE", false, "Draw the unbalance response over speed."},
    {"--orbits", NULL, "FILE", false, "Draw the orbits under unbalance at the service speed."},
    {"--shapes", NULL, "FILE", false, "Draw the shapes of vibration at the service speed."},
    {"--stability", NULL, "FILE", false, "Draw the logarithmic decrements over speed."},
    {"--sag", NULL, "FILE", false, "Draw the deflection under weight."},
    {"--run-up", NULL, "FILE", false, "Draw the run-up over time."},
    {"--speeds", NULL, NULL, false, "Print the frequencies over speed too."},
    {"--ratio", NULL, "R", false,
     "Critical speeds at which the whirl is R times the speed (default: 1)."},
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print all tables as JSON."},
    {0},
};

const lmb_verb lmb_verb_rotor = {
    .name = "rotor",
    .usage = "MODEL [-o RESULT] [--report FILE] [--open] [--campbell FILE] [--response FILE] "
             "[--orbits FILE] [--shapes FILE] [--stability FILE] [--sag FILE] [--run-up FILE] "
             "[--speeds] [--ratio R] [--set NAME=VALUE]... [--json]",
    .summary = "Prints critical speeds, whirl and response of a rotor.",
    .doc =
        "Reads the section `rotor` of a model: a shaft of stepped, possibly hollow pieces along x, "
        "discs, bearings and seals, couplings. Finds critical speeds directly, whirl with its "
        "sense, damping and stability at the service speed and over speed (the Campbell diagram), "
        "the response to unbalance, deflection and bearing loads under weight, a run-up in time, "
        "and the estimates of Dunkerley and Rayleigh. Tells in words whether the rotor runs above "
        "a critical speed. Results and reports have all of this, with the rotor moving in its "
        "vibrations, under unbalance at each speed, and while it runs up.",
    .examples = "limber rotor jeffcott.yaml\n"
                "limber rotor overhung.yaml --open\n"
                "limber rotor nelson-rotor.yaml --campbell campbell.svg\n"
                "limber rotor offset-rotor.yaml --set elements=2 --json\n"
                "limber rotor overhung.yaml -o overhung.h5 && limber get overhung.h5 "
                "unbalance/impeller.orbit --max\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
