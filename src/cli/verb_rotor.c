/* limber rotor: critical speeds, whirl, unbalance response and run-up of a rotor. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/rotor_print.h"
#include "io/rotor_write.h"

/* Draws what was asked for. */
static lmb_status draw(const lmb_arguments *a, const lmb_rotor_results *r)
{
    static const struct {
        const char *option;
        lmb_status (*plot)(lmb_context *, const lmb_rotor_results *, const char *);
    } pictures[] = {{"--campbell", lmb_rotor_plot_campbell},
                    {"--response", lmb_rotor_plot_response},
                    {"--shapes", lmb_rotor_plot_shapes},
                    {"--run-up", lmb_rotor_plot_run_up}};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const char *path = lmb_option_value(a, pictures[i].option);
        lmb_status status = path ? pictures[i].plot(a->context, r, path) : LMB_OK;
        if (status)
            return status;
    }
    return LMB_OK;
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

static lmb_status solve(const lmb_arguments *a, const lmb_model *m, double ratio)
{
    lmb_rotor_results *r = NULL;
    lmb_progress_display display = lmb_progress_start(true);
    lmb_context_on_progress(a->context, lmb_progress_show, &display);
    lmb_status status = lmb_rotor_solve(&r, a->context, m->rotor, ratio);
    lmb_progress_done(&display);
    lmb_context_on_progress(a->context, NULL, NULL);
    const char *path = lmb_option_value(a, "-o");
    if (!status)
        status = draw(a, r);
    if (!status && path)
        status = lmb_rotor_write(a->context, m, r, path);
    if (!status && a->json)
        lmb_rotor_print_json(m->title, r);
    else if (!status)
        lmb_rotor_print(m->title, r, lmb_option_value(a, "--speeds") != NULL);
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
    {"--campbell", NULL, "FILE", false, "Draw the Campbell diagram as SVG or PNG."},
    {"--response", NULL, "FILE", false, "Draw the unbalance response over speed."},
    {"--shapes", NULL, "FILE", false, "Draw the shapes of vibration at the service speed."},
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
    .usage =
        "MODEL [-o RESULT] [--campbell FILE] [--response FILE] [--shapes FILE] [--run-up FILE] "
        "[--speeds] [--ratio R] [--set NAME=VALUE]... [--json]",
    .summary = "Prints critical speeds, whirl and response of a rotor.",
    .doc =
        "Reads the section `rotor` of a model: a shaft of stepped, possibly hollow pieces along x, "
        "discs, bearings and seals, couplings. Finds critical speeds directly, whirl with its "
        "sense, damping and stability at the service speed and over speed (the Campbell diagram), "
        "the response to unbalance, deflection and bearing loads under weight, a run-up in time, "
        "and the estimates of Dunkerley and Rayleigh. Tells in words whether the rotor runs above "
        "a critical speed.",
    .examples = "limber rotor jeffcott.yaml\n"
                "limber rotor nelson-rotor.yaml --campbell campbell.svg\n"
                "limber rotor offset-rotor.yaml --set elements=2 --json\n"
                "limber rotor overhung.yaml -o overhung.h5 && limber get overhung.h5 "
                "unbalance/impeller.orbit --max\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
