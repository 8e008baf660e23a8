/* limber report: a result as one HTML file to look at; limber view: the same in a browser. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/print.h"
#include "cli/typed.h"
#include "report/report.h"

static lmb_status run(const lmb_arguments *a)
{
    static const char *const words[] = {"--column", "--shift", "--rate", "--decimal-comma"};
    const char *given = lmb_option_value(a, "-o"), *file = lmb_option_value(a, "--compare");
    for (size_t i = 0; i < sizeof words / sizeof *words && !file; i++)
        lmb_refuse(a, lmb_option_value(a, words[i]), "%s is for the file of --compare", words[i]);
    lmb_span span = lmb_typed_span(a);
    lmb_report_request report = {.span = lmb_span_is_all(span) ? NULL : &span,
                                 .path = given ? given : lmb_name_after(a, a->words[0], ".html"),
                                 .title = lmb_option_value(a, "--title"),
                                 .compare = lmb_typed_counterpart(a, file)};
    lmb_status status =
        *a->status ? *a->status : lmb_report_write(a->context, a->words[0], &report);
    if (!status)
        fprintf(stderr, "The report is in %s; open it with a browser.\n", report.path);
    return status;
}

static const lmb_option options[] = {
    {"-o, --output FILE.html",
     "Where the report goes (default: the result's name with .html, in this folder)."},
    {"--title TEXT", "The title of the report (default: that of the model)."},
    {"--compare FILE", "Lays another result or a measurement over the channels, with largest and "
                       "RMS differences; a result also moves along in the animation."},
    LMB_COUNTERPART_OPTIONS,
    LMB_SPAN_OPTIONS("The largest loads and stresses are those"),
    {0},
};

const lmb_verb lmb_verb_report = {
    .name = "report",
    .usage = "RESULT [-o FILE.html] [--title TEXT] [--compare FILE [--column COLUMN=CHANNEL] "
             "[--shift S] [--rate "
             "F]] [--from T] [--to T]",
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
    .words = {1, 1},
    .options = options,
    .shows_results = true,
    .run = run,
};

/* --- limber view ------------------------------------------------------------------------------ */

enum { NOT_FOUND = 127 };

/* Runs a program with a file, and waits until it has ended. */
static lmb_status open_with(lmb_context *context, const char *program, const char *file)
{
    pid_t child = fork();
    if (child < 0)
        return lmb_fail(context, LMB_IO, "cannot start '%s': %s", program, strerror(errno));
    if (child == 0) {
        execlp(program, program, file, (char *)NULL);
        _exit(NOT_FOUND);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return LMB_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        lmb_fail(context, LMB_IO, "the program '%s', which would open the report, was not found",
                 program);
    else
        lmb_fail(context, LMB_IO, "the program '%s' could not open the report", program);
    return lmb_hint(context, "open '%s' with a browser", file);
}

/* Remove the pages of earlier calls by this user, once the browser has had time to read them. */
static void remove_old_pages(lmb_arena *arena)
{
    enum { READ = 60 }; /* s */
    struct stat about;
    glob_t found;
    const char *pages = lmb_text_format(arena, "%s/limber-view-*", lmb_temporary_parent());
    if (!pages || glob(pages, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (lstat(found.gl_pathv[i], &about) == 0 && S_ISDIR(about.st_mode) &&
            about.st_uid == geteuid() && difftime(time(NULL), about.st_mtime) > READ)
            lmb_folder_remove(found.gl_pathv[i]);
    globfree(&found);
}

lmb_status lmb_show(const lmb_arguments *a, const char *result)
{
    const char *opener = getenv("LIMBER_BROWSER");
    char folder[LMB_FOLDER_ROOM];
    remove_old_pages(a->arena);
    lmb_status status = lmb_temporary_folder(a->context, "view", folder);
    if (status)
        return status;
    const char *path =
        lmb_text_format(a->arena, "%s/%s", folder, lmb_name_after(a, result, ".html"));
    lmb_report_request report = {.path = path};
    status = path ? lmb_report_write(a->context, result, &report) : lmb_fail_memory(a->context);
    if (status)
        return status;
    fprintf(stderr, "The report is in %s.\n", path);
    return open_with(a->context, opener && *opener ? opener : "xdg-open", path);
}

static lmb_status view(const lmb_arguments *a)
{
    return lmb_show(a, a->words[0]);
}

const lmb_verb lmb_verb_view = {
    .name = "view",
    .usage = "RESULT",
    .summary = "Shows a result in the browser.",
    .doc = "Writes the report of a result (see limber report) to a temporary folder and opens it "
           "with xdg-open, or with the program that the environment variable LIMBER_BROWSER names. "
           "The next call removes the folder if it is older than a minute.",
    .examples = "limber view slider-crank.h5\n",
    .words = {1, 1},
    .run = view,
};
