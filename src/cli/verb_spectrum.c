/* limber spectrum: what a vibration says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/bearing_options.h"
#include "cli/options.h"
#include "cli/spectrum.h"

static lmb_status typed(const lmb_spectrum_work *w, const char *option, double least, double *value)
{
    const char *word = lmb_option_value(w->arguments, option);
    lmb_status status = word ? lmb_typed_number(w->context, option, word, value) : LMB_OK;
    if (!status && word && !(*value >= least))
        status =
            lmb_fail(w->context, LMB_USAGE, "%s needs at least %g, not %s", option, least, word);
    return status;
}

static lmb_status read_window(lmb_spectrum_work *w)
{
    const char *word = lmb_option_value(w->arguments, "--window");
    w->welch.window = LMB_WINDOW_HANN;
    for (int i = 0; word && i < LMB_WINDOWS; i++)
        if (strcmp(word, lmb_window_names[i]) == 0) {
            w->welch.window = (lmb_window)i;
            return LMB_OK;
        }
    if (!word)
        return LMB_OK;
    lmb_fail(w->context, LMB_USAGE, "there is no window '%s'", word);
    lmb_hint(w->context, "rectangular, hann, hamming, blackman or flattop");
    return LMB_USAGE;
}

static lmb_status read_band(lmb_spectrum_work *w)
{
    const char *word = lmb_option_value(w->arguments, "--band");
    int used = 0;
    if (!word || (sscanf(word, "%lf:%lf%n", &w->band_from, &w->band_to, &used) == 2 &&
                  !word[used] && w->band_from >= 0 && w->band_to > w->band_from))
        return LMB_OK;
    lmb_fail(w->context, LMB_USAGE, "'%s' is not a band", word);
    lmb_hint(w->context, "for example --band 2000:4000, in Hz");
    return LMB_USAGE;
}

static lmb_status read_kinds(lmb_spectrum_work *w)
{
    const lmb_arguments *a = w->arguments;
    const char *integral = lmb_option_value(a, "--integrate");
    double times = 0;
    w->envelope = lmb_option_value(a, "--envelope") || lmb_option_value(a, "--band");
    w->orders = lmb_option_value(a, "--orders");
    w->waterfall = lmb_option_value(a, "--waterfall");
    w->impact = lmb_option_value(a, "--impact");
    if (w->envelope + w->orders + w->waterfall + w->impact > 1)
        return lmb_fail(w->context, LMB_USAGE,
                        "--envelope, --orders, --waterfall and --impact do not go together");
    if (w->orders && !lmb_option_value(a, "--speed"))
        return lmb_fail(w->context, LMB_USAGE, "orders need a speed: --speed COLUMN");
    if (integral && (lmb_typed_number(w->context, "--integrate", integral, &times) ||
                     (times != 1 && times != 2)))
        return lmb_fail(w->context, LMB_USAGE,
                        "--integrate needs 1 (to velocity) or 2 (to displacement)");
    w->integrate = (int)times;
    return LMB_OK;
}

static lmb_status read_options(lmb_spectrum_work *w)
{
    double peaks = 10, overlap = 50, slip = 100 * lmb_diagnosis_defaults.slip;
    w->high_pass = 10;
    lmb_status status = read_kinds(w);
    if (!status)
        status = read_window(w);
    if (!status)
        status = read_band(w);
    if (!status)
        status = typed(w, "--resolution", 1e-9, &w->resolution);
    if (!status)
        status = typed(w, "--overlap", 0, &overlap);
    if (!status && overlap > 95)
        status = lmb_fail(w->context, LMB_USAGE, "--overlap is at most 95 per cent");
    if (!status)
        status = typed(w, "--from", 0, &w->from);
    if (!status)
        status = typed(w, "--to", 0, &w->to);
    if (!status && w->to > 0 && w->to <= w->from)
        status = lmb_fail(w->context, LMB_USAGE, "--to must be above --from");
    if (!status)
        status = typed(w, "--peaks", 0, &peaks);
    if (!status)
        status = typed(w, "--slip", 0, &slip);
    if (!status)
        status = typed(w, "--high-pass", 1e-6, &w->high_pass);
    if (!status)
        status = lmb_typed_shaft(w->arguments, &w->shaft);
    if (!status)
        status = lmb_typed_bearing(w->arguments, &w->bearing, &w->has_bearing);
    if (!status && w->has_bearing && w->shaft <= 0)
        status = lmb_fail(w->context, LMB_USAGE, "lines of a bearing need the speed: --rpm");
    w->welch.overlap = overlap / 100;
    w->peak_count = (int)fmin(peaks, 10000);
    w->slip = slip / 100;
    if (!status && w->has_bearing)
        w->lines = lmb_bearing_find_lines(&w->bearing, w->shaft);
    if (w->envelope && w->to <= 0) /* further harmonics say little; 0 where there is no bearing */
        w->to = 5 * w->lines.highest;
    return status;
}

static lmb_status read_record(lmb_spectrum_work *w, const char *path)
{
    const char *other = lmb_option_value(w->arguments, w->impact ? "--impact" : "--speed");
    return lmb_record_read(w->arguments, w->arena, path, other, &w->record);
}

/* The spectrum of the baseline, with the settings of the record. */
static lmb_status read_baseline(lmb_spectrum_work *w, const char *path)
{
    lmb_spectrum_work old = *w;
    old.has_bearing = false; /* no diagnosis */
    old.resolution = w->step;
    lmb_status status = read_record(&old, path);
    if (!status)
        status = lmb_spectrum_analyse(&old);
    if (!status && (old.bins != w->bins || fabs(old.step / w->step - 1) > 1e-9)) {
        lmb_fail(w->context, LMB_BAD_INPUT,
                 "the baseline has lines %g Hz apart up to %g Hz, the record %g Hz up to %g Hz",
                 old.step, (double)old.bins * old.step, w->step, (double)w->bins * w->step);
        lmb_hint(w->context, "compare records of one sampling rate, or give a --resolution");
        status = LMB_BAD_INPUT;
    }
    w->before = old.amplitude;
    w->before_statistics = old.statistics;
    return status;
}

static lmb_status show_one(lmb_spectrum_work *w)
{
    const char *baseline = lmb_option_value(w->arguments, "--baseline");
    const char *path = lmb_option_value(w->arguments, "-o");
    lmb_status status = read_record(w, w->arguments->words[0]);
    if (!status)
        status = lmb_spectrum_analyse(w);
    if (!status && baseline) {
        /* the band that was found is the baseline's too; peaks are then found with both */
        lmb_record record = w->record;
        int integrate = w->integrate;
        status = read_baseline(w, baseline);
        w->record = record;
        w->integrate = 0; /* done already */
        w->resolution = w->step;
        status = status ? status : lmb_spectrum_analyse(w);
        w->integrate = integrate;
    }
    if (!status && w->arguments->json)
        lmb_spectrum_print_json(w);
    else if (!status)
        lmb_spectrum_print(w);
    return status || !path ? status : lmb_spectrum_draw(w, path);
}

/* The amplitude near a frequency. */
static double near(const lmb_spectrum_work *w, double f)
{
    size_t k = (size_t)lround(f / w->step);
    double most = 0;
    for (size_t i = k > 1 ? k - 1 : 1; i <= k + 1 && i < w->bins; i++)
        most = fmax(most, w->amplitude[i]);
    return most;
}

static lmb_status show_trend(lmb_spectrum_work *w)
{
    const lmb_arguments *a = w->arguments;
    const char *path = lmb_option_value(a, "-o");
    lmb_trend_row *rows = lmb_arena_alloc(w->arena, (size_t)a->count, sizeof *rows);
    lmb_status status = rows ? LMB_OK : lmb_fail_memory(w->context);
    if (!status && (w->impact || w->waterfall || lmb_option_value(a, "--baseline")))
        status = lmb_fail(w->context, LMB_USAGE, "a trend over %d records is of plain spectra",
                          a->count);
    for (int i = 0; i < a->count && !status; i++) {
        lmb_spectrum_work one = *w;
        status = read_record(&one, a->words[i]);
        status = status ? status : lmb_spectrum_analyse(&one);
        if (status)
            break;
        rows[i] = (lmb_trend_row){.path = a->words[i], .statistics = one.statistics};
        for (int k = 0; k < 3 && w->shaft > 0; k++)
            rows[i].lines[k] = near(&one, (k + 1) * (w->orders ? 1 : w->shaft));
        for (int k = 0; k < LMB_FAULTS && one.diagnosed; k++)
            rows[i].lines[3 + one.diagnosis.scores[k].fault] = -one.diagnosis.scores[k].log_chance;
    }
    if (!status)
        lmb_trend_print(w, a->count, rows);
    return status || !path ? status : lmb_trend_draw(w, a->count, rows, path);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_spectrum_work *w = calloc(1, sizeof *w);
    if (!w)
        return lmb_fail_memory(a->context);
    w->arguments = a;
    w->context = a->context;
    w->arena = lmb_arena_new();
    lmb_status status = w->arena ? read_options(w) : lmb_fail_memory(a->context);
    if (!status)
        status = a->count > 1 ? show_trend(w) : show_one(w);
    lmb_arena_free(w->arena);
    free(w);
    return status;
}

static const lmb_option options[] = {
    {"--column", NULL, "C", false,
     "The column of a table or the channel of a sound file, by name or number (from 1)."},
    {"--channel", NULL, "C", false, "The channel of a result."},
    {"--rate", NULL, "F", false, "The sampling rate in Hz, where the file does not have times."},
    {"--decimal-comma", NULL, NULL, false,
     "Numbers have decimal commas (found by itself where columns are not separated by commas)."},
    {"--window", NULL, "NAME", false, "rectangular, hann (default), hamming, blackman, flattop."},
    {"--resolution", NULL, "F", false, "At most so many Hz (or orders) from line to line."},
    {"--overlap", NULL, "P", false, "Per cent by which segments overlap (default: 50)."},
    {"--from", NULL, "F", false, "Peaks and plot from this frequency on, Hz."},
    {"--to", NULL, "F", false, "And up to this one."},
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
    {"--orders", NULL, NULL, false, "The spectrum over orders, multiples of the shaft's speed."},
    {"--waterfall", NULL, NULL, false, "Spectra one after the other, for a run-up."},
    {"--impact", NULL, "C", false,
     "Column of a hammer's force: frequency response (H1) and coherence."},
    {"--baseline", NULL, "FILE", false, "An earlier or healthy record: what changed, in dB."},
    LMB_BEARING_OPTIONS,
    {"--slip", NULL, "P", false,
     "Per cent by which lines of a bearing may lie elsewhere (default: 2.5)."},
    {"--output", "-o", "FILE", false, "Draws the spectrum: FILE.svg or FILE.png."},
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_spectrum = {
    .name = "spectrum",
    .usage = "FILE... [--column C | --channel C] [--rate F] [--envelope [--band F:F] | --speed C "
             "--orders | --waterfall | --impact C] [--integrate N] [--baseline FILE] [--rpm N "
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
                "limber spectrum hammer.csv --column acc --impact force\n"
                "limber spectrum today.wav --baseline healthy.wav --rpm 1500\n",
    .least = 1,
    .most = -1,
    .options = options,
    .run = run,
};
