/* limber report: a result as one HTML file to look at; limber view: the same in a browser. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/measuring_options.h"
#include "cli/options.h"
#include "cli/show.h"
#include "cli/templates.h"
#include "cli/verb.h"
#include "base/file_replace.h"
#include "report/report.h"

/* What is laid over the channels. */
static lmb_status read_compare(const lmb_arguments *a, lmb_compare_with *out)
{
    static const char *const words[] = {"--column", "--shift", "--rate", "--decimal-comma"};
    const char *file = lmb_option_value(a, "--compare");
    for (size_t i = 0; i < sizeof words / sizeof *words && !file; i++)
        if (lmb_option_value(a, words[i]))
            return lmb_fail(a->context, LMB_USAGE, "%s is for the file of --compare", words[i]);
    return lmb_typed_counterpart(a, file, out);
}

static lmb_status run(const lmb_arguments *a)
{
    char path[4096];
    const char *given = lmb_option_value(a, "-o");
    lmb_report report = {.viewer = lmb_viewer[0].text, .path = path};
    lmb_status status = read_compare(a, &report.compare);
    if (status)
        return status;
    if (given)
        snprintf(path, sizeof path, "%s", given);
    else
        lmb_name_after(a->words[0], ".html", path, sizeof path);
    status = lmb_report_write(a->context, a->words[0], &report);
    if (!status)
        fprintf(stderr, "The report is in %s; open it with a browser.\n", path);
    return status;
}

static const lmb_option options[] = {
    {"--output", "-o", "FILE.html", false,
     "Where the report goes (default: the result's name with .html, in this folder)."},
    {"--compare", NULL, "FILE", false,
     "Lays another result or a measurement over the channels, with largest and RMS differences."},
    LMB_COUNTERPART_OPTIONS,
    {0},
};

const lmb_verb lmb_verb_report = {
    .name = "report",
    .usage = "RESULT [-o FILE.html] [--compare FILE [--column COLUMN=CHANNEL] [--shift S] [--rate "
             "F]]",
    .summary = "Writes a result as an HTML page with animation and plots.",
    .doc =
        "Writes one HTML file that a browser opens from the disk, without a network: the moving "
        "mechanism, plots of any channels, a summary of the run, frequencies with their mode "
        "shapes, and the model. RESULT may also be a body file of limber reduce.\n\n"
        "A measurement to compare with is a table as loggers write it, or a sound file, see limber "
        "compare.",
    .examples = "limber report slider-crank.h5\n"
                "limber report beam.h5 -o beam.html\n"
                "limber report flexible.h5 --compare rigid.h5\n"
                "limber report ride.h5 --compare measured.csv --column \"CH1=slider.position.x\" "
                "--shift 0.35\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};

/* --- limber view ------------------------------------------------------------------------------ */

lmb_status lmb_show(lmb_context *context, const char *file)
{
    const char *opener = getenv("LIMBER_BROWSER");
    char folder[LMB_FOLDER_ROOM], path[4096], name[256];
    lmb_report report = {.viewer = lmb_viewer[0].text, .path = path};
    lmb_status status = lmb_temporary_folder(context, folder);
    if (status)
        return status;
    lmb_name_after(file, ".html", name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if ((status = lmb_report_write(context, file, &report)))
        return status;
    fprintf(stderr, "The report is in %s.\n", path);
    return lmb_open(context, opener && *opener ? opener : "xdg-open", path);
}

static lmb_status view(const lmb_arguments *a)
{
    return lmb_show(a->context, a->words[0]);
}

static const lmb_option no_options[] = {{0}};

const lmb_verb lmb_verb_view = {
    .name = "view",
    .usage = "RESULT",
    .summary = "Shows a result in the browser.",
    .doc = "Writes the report of a result (see limber report) to a temporary folder and opens it "
           "with xdg-open, or with the program that the environment variable LIMBER_BROWSER names.",
    .examples = "limber view slider-crank.h5\n",
    .least = 1,
    .most = 1,
    .options = no_options,
    .run = view,
};
