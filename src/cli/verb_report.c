/* limber report: a result as one HTML file to look at; limber view: the same in a browser. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/options.h"
#include "cli/show.h"
#include "cli/templates.h"
#include "cli/verb.h"
#include "io/file_replace.h"
#include "io/report.h"

static lmb_status run(const lmb_arguments *a)
{
    char path[4096];
    const char *given = lmb_option_value(a, "-o");
    const char *shift = lmb_option_value(a, "--shift");
    lmb_report report = {
        .viewer = lmb_viewer[0].text, .path = path, .compare = lmb_option_value(a, "--compare")};
    if (shift && lmb_typed_number(a->context, "--shift", shift, &report.shift))
        return LMB_USAGE;
    if (shift && !report.compare)
        return lmb_fail(a->context, LMB_USAGE, "--shift is for the file of --compare");
    if (given)
        snprintf(path, sizeof path, "%s", given);
    else
        lmb_name_after(a->words[0], ".html", path, sizeof path);
    lmb_status status = lmb_report_write(a->context, a->words[0], &report);
    if (!status)
        fprintf(stderr, "The report is in %s; open it with a browser.\n", path);
    return status;
}

static const lmb_option options[] = {
    {"--output", "-o", "FILE.html", false,
     "Where the report goes (default: the result's name with .html, in this folder)."},
    {"--compare", NULL, "FILE", false,
     "Lays another result, or a CSV table with a column of times, over the channels, with largest "
     "and RMS differences."},
    {"--shift", NULL, "S", false, "Adds S seconds to the times of that file."},
    {0},
};

const lmb_verb lmb_verb_report = {
    .name = "report",
    .usage = "RESULT [-o FILE.html] [--compare FILE [--shift S]]",
    .summary = "Writes a result as an HTML page with animation and plots.",
    .doc = "Writes one HTML file that a browser opens from the disk, without a network: the moving "
           "mechanism, plots of any channels, a summary of the run, frequencies with their mode "
           "shapes, and the model. RESULT may also be a body file of limber reduce.\n\n"
           "The first line of a CSV table to compare with has the names of its columns: time, and "
           "channels or their components (crank.position.x).",
    .examples = "limber report slider-crank.h5\n"
                "limber report beam.h5 -o beam.html\n"
                "limber report flexible.h5 --compare rigid.h5\n"
                "limber report ride.h5 --compare measured.csv --shift 0.35\n",
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
