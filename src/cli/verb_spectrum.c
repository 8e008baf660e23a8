/* limber spectrum: what a vibration says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/bearing_options.h"
#include "report/plot.h"
#include "cli/measuring_options.h"
#include "cli/options.h"
#include "cli/sheet_print.h"
#include "cli/spectrum_json.h"
#include "cli/templates.h"
#include "compare/waveform_read.h"
#include "report/report.h"
#include "report/spectrum_sheet.h"

/* What was typed, and what comes of it. */
typedef struct request {
    const lmb_arguments *arguments;
    lmb_context *context;
    lmb_waveform_request record;
    lmb_spectrum_work work;
} request;

static lmb_status typed(const request *q, const char *option, double least, double *value)
{
    bool given;
    lmb_status status = lmb_typed_option(q->arguments, option, value, &given);
    if (!status && given && !(*value >= least))
        status = lmb_fail(q->context, LMB_USAGE, "%s needs at least %g, not %s", option, least,
                          lmb_option_value(q->arguments, option));
    return status;
}

static lmb_status read_window(request *q)
{
    lmb_spectrum_work *w = &q->work;
    const char *word = lmb_option_value(q->arguments, "--window");
    w->welch.window = LMB_WINDOW_HANN;
    for (int i = 0; word && i < LMB_WINDOWS; i++)
        if (strcmp(word, lmb_window_names[i]) == 0) {
            w->welch.window = (lmb_window)i;
            return LMB_OK;
        }
    if (!word)
        return LMB_OK;
    lmb_fail(q->context, LMB_USAGE, "there is no window '%s'", word);
    lmb_hint(q->context, "rectangular, hann, hamming, blackman or flattop");
    return LMB_USAGE;
}

static bool is_band(const char *word, double band[2])
{
    int used = 0;
    return sscanf(word, "%lf:%lf%n", &band[0], &band[1], &used) == 2 && !word[used] &&
           band[0] >= 0 && band[1] > band[0] && isfinite(band[1]);
}

static lmb_status read_band(request *q)
{
    lmb_spectrum_work *w = &q->work;
    const char *word = lmb_option_value(q->arguments, "--band");
    double band[2] = {0};
    if (word && !is_band(word, band)) {
        lmb_fail(q->context, LMB_USAGE, "'%s' is not a band", word);
        lmb_hint(q->context, "for example --band 2000:4000, in Hz");
        return LMB_USAGE;
    }
    w->band_from = band[0];
    w->band_to = band[1];
    return LMB_OK;
}

static lmb_status read_overall(request *q)
{
    lmb_spectrum_work *w = &q->work;
    const char *word = lmb_option_value(q->arguments, "--overall");
    char **list = word ? lmb_typed_names(word) : NULL;
    bool fine = true;
    int count = 0;
    if (word && !list)
        return lmb_fail_memory(q->context);
    for (; list && list[count] && fine; count++)
        fine = count < LMB_MOST_BANDS && is_band(list[count], w->bands[count]);
    free(list);
    w->band_count = count;
    if (fine && (!word || count > 0))
        return LMB_OK;
    lmb_fail(q->context, LMB_USAGE, "'%s' is not a list of up to %d bands", word, LMB_MOST_BANDS);
    lmb_hint(q->context, "for example --overall 10:1000 or --overall 10:1000,1000:5000, in Hz");
    return LMB_USAGE;
}

static lmb_status read_kinds(request *q)
{
    lmb_spectrum_work *w = &q->work;
    static const char *const switches[LMB_SPECTRUM_KINDS] = {NULL, "--envelope", "--orders",
                                                             "--waterfall", "--impact"};
    const lmb_arguments *a = q->arguments;
    bool speed = lmb_option_value(a, "--speed"), tacho = lmb_option_value(a, "--tacho");
    int kinds = 0;
    w->by_order = lmb_option_value(a, "--orders");
    for (int i = 1; i < LMB_SPECTRUM_KINDS; i++)
        if (lmb_option_value(a, switches[i]) ||
            (i == LMB_SPECTRUM_ENVELOPE && lmb_option_value(a, "--band"))) {
            w->kind = (lmb_spectrum_kind)i;
            kinds++;
        }
    /* of these, a waterfall may be over orders */
    if (kinds > 1 && !(kinds == 2 && w->by_order && w->kind == LMB_SPECTRUM_WATERFALL)) {
        lmb_fail(q->context, LMB_USAGE,
                 "--envelope, --orders, --waterfall and --impact do not go together");
        lmb_hint(q->context, "only --orders and --waterfall do; --band is that of an envelope, see "
                             "--overall for values of bands");
        return LMB_USAGE;
    }
    if (speed + tacho + (w->kind == LMB_SPECTRUM_RESPONSE) > 1)
        return lmb_fail(q->context, LMB_USAGE, "--speed, --tacho and --impact do not go together");
    if (w->by_order && !speed && !tacho)
        return lmb_fail(q->context, LMB_USAGE,
                        "orders need a speed: --speed COLUMN, or --tacho COLUMN");
    if (w->kind != LMB_SPECTRUM_RESPONSE &&
        (lmb_option_value(a, "--force-window") || lmb_option_value(a, "--exponential")))
        return lmb_fail(q->context, LMB_USAGE,
                        "--force-window and --exponential are for hammer tests: --impact COLUMN");
    if (w->kind == LMB_SPECTRUM_RESPONSE && w->as_density)
        return lmb_fail(q->context, LMB_USAGE, "a response to blows has no power --density");
    if (w->kind == LMB_SPECTRUM_RESPONSE && lmb_option_value(a, "--window")) {
        lmb_fail(q->context, LMB_USAGE, "blows begin at full height, which a --window would hide");
        lmb_hint(q->context, "use --force-window and --exponential");
        return LMB_USAGE;
    }
    return LMB_OK;
}

static lmb_status read_integral(request *q)
{
    lmb_spectrum_work *w = &q->work;
    double times = 0;
    bool given;
    if (lmb_typed_option(q->arguments, "--integrate", &times, &given) ||
        (given && times != 1 && times != 2))
        return lmb_fail(q->context, LMB_USAGE,
                        "--integrate needs 1 (to velocity) or 2 (to displacement)");
    w->integrate = (int)times;
    return LMB_OK;
}

static lmb_status read_bearing(request *q)
{
    lmb_spectrum_work *w = &q->work;
    const lmb_arguments *a = q->arguments;
    bool speed = lmb_option_value(a, "--speed") || lmb_option_value(a, "--tacho");
    lmb_status status = lmb_typed_shaft(a, &w->shaft);
    if (!status)
        status = lmb_typed_bearing(a, &w->bearing, &w->has_bearing);
    if (!status && w->has_bearing && w->shaft <= 0 && !speed)
        status = lmb_fail(q->context, LMB_USAGE,
                          "lines of a bearing need the speed: --rpm, --speed or --tacho");
    if (!status && w->has_bearing && w->shaft > 0)
        w->lines = lmb_bearing_find_lines(&w->bearing, w->shaft);
    return status;
}

/* What is to be written is looked at before anything is computed. */
static lmb_status check_output(request *q)
{
    const char *path = lmb_option_value(q->arguments, "-o");
    if (!path || lmb_plot_file(path) || lmb_ends_with(path, ".html"))
        return LMB_OK;
    lmb_fail(q->context, LMB_USAGE, "'%s' must end in .svg, .pdf or .png", path);
    lmb_hint(q->context, "or in .html, for a page with tables and figures");
    return LMB_USAGE;
}

/* What is to be read of the files. */
static lmb_status read_columns(request *q)
{
    const lmb_arguments *a = q->arguments;
    const char *other = q->work.kind == LMB_SPECTRUM_RESPONSE ? "--impact"
                        : q->work.pulses > 0                  ? "--tacho"
                                                              : "--speed";
    q->record = (lmb_waveform_request){.column = lmb_option_value(a, "--column"),
                                       .other = lmb_option_value(a, other),
                                       .channel = lmb_option_value(a, "--channel"),
                                       .speed = strcmp(other, "--speed") == 0,
                                       .unit = lmb_option_value(a, "--unit"),
                                       .scale = 1};
    lmb_status status = lmb_typed_measuring(a, &q->record.rate, &q->record.comma);
    if (!status)
        status = lmb_typed_option(a, "--scale", &q->record.scale, NULL);
    if (!status && q->record.scale == 0)
        status = lmb_fail(q->context, LMB_USAGE, "--scale must not be zero");
    return status;
}

static lmb_status read_options(request *q)
{
    lmb_spectrum_work *w = &q->work;
    double peaks = 10, overlap = 50, slip = 100 * lmb_diagnosis_defaults.slip, pulses = 1;
    const struct {
        const char *name;
        double least, *value;
    } numbers[] = {{"--resolution", 1e-9, &w->resolution},
                   {"--overlap", 0, &overlap},
                   {"--from", 0, &w->from},
                   {"--to", 0, &w->to},
                   {"--peaks", 0, &peaks},
                   {"--slip", 0, &slip},
                   {"--high-pass", 1e-6, &w->high_pass},
                   {"--pulses", 1e-3, &pulses},
                   {"--force-window", 1e-9, &w->force_window},
                   {"--exponential", 1e-9, &w->exponential}};
    w->high_pass = 10;
    w->as_density = lmb_option_value(q->arguments, "--density");
    lmb_status status = check_output(q);
    if (!status)
        status = read_kinds(q);
    if (!status)
        status = read_integral(q);
    if (!status)
        status = read_window(q);
    if (!status)
        status = read_band(q);
    if (!status)
        status = read_overall(q);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !status; i++)
        status = typed(q, numbers[i].name, numbers[i].least, numbers[i].value);
    if (!status && overlap > 95)
        status = lmb_fail(q->context, LMB_USAGE, "--overlap is at most 95 per cent");
    if (!status && w->to > 0 && w->to <= w->from)
        status = lmb_fail(q->context, LMB_USAGE, "--to must be above --from");
    if (!status)
        status = read_bearing(q);
    w->welch.overlap = overlap / 100;
    w->peak_count = (int)fmin(peaks, 10000);
    w->slip = slip / 100;
    w->pulses = lmb_option_value(q->arguments, "--tacho") ? pulses : 0;
    if (w->kind == LMB_SPECTRUM_ENVELOPE && w->to <= 0)
        w->to = 5 * w->lines.highest; /* further harmonics say little; 0 without a bearing */
    return status ? status : read_columns(q);
}

/* Reads a file and computes what was asked for of it. */
static lmb_status analyse(const request *q, lmb_spectrum_work *w, const char *path)
{
    lmb_status status = lmb_waveform_read(w->context, w->arena, path, &q->record, &w->record);
    return status ? status : lmb_spectrum_analyse(w);
}

/* Draws the first figure of a sheet, or writes all of it, with the warnings, as a page. */
static lmb_status write_sheet(lmb_context *context, lmb_sheet *sheet, const char *title,
                              const char *path)
{
    lmb_report report = {.viewer = lmb_viewer[0].text, .path = path};
    if (!lmb_ends_with(path, ".html"))
        return lmb_plot_write(context, &sheet->figures[0], path);
    for (size_t i = 0; i < lmb_message_count(context) && sheet->sentence_count < LMB_SHEET_MOST;
         i++)
        if (lmb_message_at(context, i)->severity == LMB_WARNING)
            lmb_sheet_say(sheet, "Warning: %s.", lmb_message_at(context, i)->text);
    return sheet->failed ? lmb_fail_memory(context)
                         : lmb_report_sheet(context, sheet, title, &report);
}

/* Prints a sheet, and writes it where that was asked for. */
static lmb_status show_sheet(const request *q, lmb_sheet *sheet, const char *title)
{
    const char *path = lmb_option_value(q->arguments, "-o");
    if (!q->arguments->json) {
        for (int i = 0; i < sheet->sentence_count; i++)
            puts(sheet->sentences[i]);
        lmb_sheet_print_tables(sheet);
    }
    return path ? write_sheet(q->context, sheet, title, path) : LMB_OK;
}

static lmb_status show_one(request *q)
{
    lmb_spectrum_work *w = &q->work, old;
    const char *baseline = lmb_option_value(q->arguments, "--baseline");
    const char *path = lmb_option_value(q->arguments, "-o");
    lmb_status status = analyse(q, w, q->arguments->words[0]);
    if (!status && baseline) {
        old = lmb_spectrum_like(w);
        status = analyse(q, &old, baseline);
        if (!status)
            status = lmb_spectrum_set_baseline(w, &old);
    }
    if (!status)
        status = lmb_spectrum_peaks(w);
    if (status)
        return status;
    lmb_sheet sheet = lmb_sheet_start(w->arena, "Spectrum");
    lmb_spectrum_say(w, &sheet);
    lmb_spectrum_tables(w, &sheet);
    if (path)
        lmb_spectrum_figures(w, lmb_ends_with(path, ".html"), &sheet);
    if (sheet.failed)
        return lmb_fail_memory(w->context);
    if (q->arguments->json)
        lmb_spectrum_print_json(w);
    return show_sheet(q, &sheet, lmb_file_name(w->record.path));
}

static lmb_status show_trend(request *q)
{
    const lmb_arguments *a = q->arguments;
    lmb_spectrum_work *w = &q->work;
    lmb_trend_row *rows = lmb_arena_alloc(w->arena, (size_t)a->count, sizeof *rows);
    lmb_status status = rows ? LMB_OK : lmb_fail_memory(w->context);
    if (!status && (w->kind == LMB_SPECTRUM_RESPONSE || w->kind == LMB_SPECTRUM_WATERFALL ||
                    w->as_density || lmb_option_value(a, "--baseline")))
        status = lmb_fail(w->context, LMB_USAGE, "a trend over %d records is of plain spectra",
                          a->count);
    for (int i = 0; i < a->count && !status; i++) {
        lmb_spectrum_work one = *w;
        status = analyse(q, &one, a->words[i]);
        if (!status)
            rows[i] = lmb_trend_of(&one);
    }
    if (status)
        return status;
    if (q->record.other)
        w->shaft = w->shaft > 0 ? w->shaft : 1; /* that of each record */
    lmb_sheet sheet = lmb_sheet_start(w->arena, "Trend");
    lmb_trend_sheet(w, a->count, rows, &sheet);
    if (sheet.failed)
        return lmb_fail_memory(w->context);
    if (a->json)
        lmb_trend_print_json(w, a->count, rows);
    return show_sheet(q, &sheet, "Trend");
}

static lmb_status run(const lmb_arguments *a)
{
    request q = {.arguments = a, .context = a->context};
    q.work.context = a->context;
    q.work.arena = lmb_arena_new();
    lmb_status status = q.work.arena ? read_options(&q) : lmb_fail_memory(a->context);
    if (!status)
        status = a->count > 1 ? show_trend(&q) : show_one(&q);
    lmb_arena_free(q.work.arena);
    return status;
}

static const lmb_option options[] = {
    {"--column", NULL, "C", false,
     "The column of a table or the channel of a sound file, by name or number (from 1)."},
    {"--channel", NULL, "C", false, "The channel of a result."},
    LMB_MEASURING_OPTIONS,
    {"--unit", NULL, "U", false,
     "The unit of the record, such as g, m/s^2 or mm/s, where the file does not state it or "
     "--scale "
     "makes it another."},
    {"--scale", NULL, "X", false,
     "Multiplies the record, such as by 10 for a sensor of 100 mV/g in V, with --unit g."},
    {"--window", NULL, "NAME", false, "rectangular, hann (default), hamming, blackman, flattop."},
    {"--resolution", NULL, "F", false, "At most so many Hz (or orders) from line to line."},
    {"--overlap", NULL, "P", false, "Per cent by which segments overlap (default: 50)."},
    {"--density", NULL, NULL, false,
     "Power densities in the unit squared per Hz (or order) instead of amplitudes: right for "
     "noise, "
     "whatever window and resolution."},
    {"--from", NULL, "F", false,
     "Peaks, plot and the rms of a band from this frequency (or order) on."},
    {"--to", NULL, "F", false, "And up to this one."},
    {"--overall", NULL, "F:F,...", false,
     "Rms, peak, crest factor and kurtosis of bands in Hz, such as 10:1000; of an acceleration its "
     "velocity in mm/s too."},
    {"--peaks", NULL, "N", false, "How many peaks are listed (default: 10)."},
    {"--integrate", NULL, "N", false,
     "Integrates acceleration once (velocity) or twice (displacement) first."},
    {"--high-pass", NULL, "F", false,
     "The frequency below which nothing is integrated, Hz (default: 10; half the amplitude is left "
     "there)."},
    {"--envelope", NULL, NULL, false, "The spectrum of the envelope of a band."},
    {"--band", NULL, "F:F", false,
     "Its band in Hz (default: where the bearing's fault shows best, or the spectral kurtosis is "
     "most significant)."},
    {"--speed", NULL, "C", false,
     "Column or channel of the shaft's speed: rpm, or rad/s or Hz if its unit says so."},
    {"--tacho", NULL, "C", false,
     "Column of pulses instead, from whose rising edges speed and angle follow."},
    {"--pulses", NULL, "N", false, "Pulses a turn (default: 1)."},
    {"--orders", NULL, NULL, false, "The spectrum over orders, multiples of the shaft's speed."},
    {"--waterfall", NULL, NULL, false,
     "Spectra one after the other, for a run-up; with --orders over orders."},
    {"--impact", NULL, "C", false,
     "Column of a hammer's force: frequency response (H1), coherence, frequencies and damping of "
     "the modes."},
    {"--force-window", NULL, "T", false,
     "The force counts for this time from each blow on, s; what follows is noise."},
    {"--exponential", NULL, "T", false,
     "Multiplies force and response by exp(-t / T), T in s, where the response does not die out; "
     "the damping that this adds is taken off."},
    {"--baseline", NULL, "FILE", false, "An earlier or healthy record: what changed, in dB."},
    LMB_BEARING_OPTIONS,
    {"--slip", NULL, "P", false,
     "Per cent by which lines of a bearing may lie elsewhere (default: 2.5)."},
    {"--output", "-o", "FILE", false,
     "Draws the spectrum: FILE.svg, .pdf or .png; FILE.html is a page with tables and figures."},
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_spectrum = {
    .name = "spectrum",
    .usage = "FILE... [--column C | --channel C] [--rate F] [--density] [--envelope [--band F:F] | "
             "[--orders] [--waterfall] | --impact C] [--speed C | --tacho C] [--integrate N] "
             "[--overall F:F,...] [--baseline FILE] [--rpm N "
             "--inner D --outer D --balls N] [-o FILE] [--json]",
    .summary = "Prints what a record of a vibration shows.",
    .doc =
        "Averages the spectra of overlapping segments of a record (CSV as loggers write it, WAV, "
        "or a channel of a result) and lists its peaks with their amplitudes (0 to peak); with "
        "--rpm and the bearing's diameters they are named, and faults of the bearing are looked "
        "for in the envelope. The chance stated is that of noise showing as much; an alarm is "
        "one below 0.003. With several files the trend of their values is listed.",
    .examples = "limber spectrum pump.csv --column acc --rate 10000 -o pump.svg\n"
                "limber spectrum outer-race.wav --envelope --pitch 39.04 --ball 7.94 --balls 9 "
                "--rpm 1500\n"
                "limber spectrum run-up.csv --column acc --speed rpm --waterfall -o run-up.png\n"
                "limber spectrum run-up.csv --column acc --tacho pulses --orders --waterfall\n"
                "limber spectrum pump.csv --column acc --overall 10:1000\n"
                "limber spectrum road.csv --column acc --density --from 1 --to 100\n"
                "limber spectrum hammer.csv --column acc --impact force -o hammer.html\n"
                "limber spectrum today.wav --baseline healthy.wav --rpm 1500\n",
    .least = 1,
    .most = -1,
    .options = options,
    .run = run,
};
