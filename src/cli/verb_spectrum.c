/* limber spectrum: what a vibration says. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/typed.h"
#include "report/plot.h"
#include "report/report.h"
#include "report/spectrum_sheet.h"

/* --- what was typed --------------------------------------------------------------------------- */

static void read_window(const lmb_arguments *a, lmb_spectrum_work *w)
{
    const char *word = lmb_option_value(a, "--window");
    int i = 0;
    while (i < LMB_WINDOWS && strcmp(word ? word : "hann", lmb_window_names[i]) != 0)
        i++;
    w->welch.window = (lmb_window_kind)i;
    if (lmb_refuse(a, i == LMB_WINDOWS, "there is no window '%s'", word ? word : ""))
        lmb_hint(a->context, "rectangular, hann, hamming, blackman or flattop");
}

static bool is_band(const char *word, double band[2])
{
    int used = 0;
    return sscanf(word, "%lf:%lf%n", &band[0], &band[1], &used) == 2 && !word[used] &&
           band[0] >= 0 && band[1] > band[0] && isfinite(band[1]);
}

/* The band of an envelope, and those of overall values. */
static void read_bands(const lmb_arguments *a, lmb_spectrum_work *w)
{
    const char *word = lmb_option_value(a, "--band"), *all = lmb_option_value(a, "--overall");
    double band[2] = {0};
    if (lmb_refuse(a, word && !is_band(word, band), "'%s' is not a band", word ? word : ""))
        lmb_hint(a->context, "for example --band 2000:4000, in Hz");
    w->band_from = band[0];
    w->band_to = band[1];
    bool fine = true;
    char **list = lmb_typed_names(a, "--overall");
    for (; list && list[w->band_count] && fine; w->band_count++)
        fine =
            w->band_count < LMB_MOST_BANDS && is_band(list[w->band_count], w->bands[w->band_count]);
    if (lmb_refuse(a, !fine || (list && w->band_count == 0), "'%s' is not a list of up to %d bands",
                   all ? all : "", LMB_MOST_BANDS))
        lmb_hint(a->context, "for example --overall 10:1000 or --overall 10:1000,1000:5000, in Hz");
}

static void read_kinds(const lmb_arguments *a, lmb_spectrum_work *w)
{
    static const char *const switches[LMB_SPECTRUM_KINDS] = {NULL, "--envelope", "--orders",
                                                             "--waterfall", "--impact"};
    bool speed = lmb_option_value(a, "--speed"), tacho = lmb_option_value(a, "--tacho");
    int kinds = 0;
    w->by_order = lmb_option_value(a, "--orders");
    for (int i = 1; i < LMB_SPECTRUM_KINDS; i++)
        if (lmb_option_value(a, switches[i]) ||
            (i == LMB_SPECTRUM_ENVELOPE && lmb_option_value(a, "--band"))) {
            w->kind = (lmb_spectrum_kind)i;
            kinds++;
        }
    bool blows = w->kind == LMB_SPECTRUM_RESPONSE;
    /* of these, a waterfall may be over orders */
    if (lmb_refuse(a,
                   kinds > 1 && !(kinds == 2 && w->by_order && w->kind == LMB_SPECTRUM_WATERFALL),
                   "--envelope, --orders, --waterfall and --impact do not go together"))
        lmb_hint(a->context, "only --orders and --waterfall do; --band is that of an envelope, see "
                             "--overall for values of bands");
    lmb_refuse(a, speed + tacho + blows > 1, "--speed, --tacho and --impact do not go together");
    lmb_refuse(a, w->by_order && !speed && !tacho,
               "orders need a speed: --speed COLUMN, or --tacho COLUMN");
    lmb_refuse(a,
               !blows &&
                   (lmb_option_value(a, "--force-window") || lmb_option_value(a, "--exponential")),
               "--force-window and --exponential are for hammer tests: --impact COLUMN");
    lmb_refuse(a, blows && w->as_density, "a response to blows has no power --density");
    if (lmb_refuse(a, blows && lmb_option_value(a, "--window"),
                   "blows begin at full height, which a --window would hide"))
        lmb_hint(a->context, "use --force-window and --exponential");
}

static void read_bearing(const lmb_arguments *a, lmb_spectrum_work *w)
{
    bool speed = lmb_option_value(a, "--speed") || lmb_option_value(a, "--tacho");
    w->shaft = lmb_typed_shaft(a);
    w->has_bearing = lmb_typed_bearing(a, &w->bearing);
    lmb_refuse(a, w->has_bearing && w->shaft <= 0 && !speed,
               "lines of a bearing need the speed: --rpm, --speed or --tacho");
    if (!*a->status && w->has_bearing && w->shaft > 0)
        w->lines = lmb_bearing_find_lines(&w->bearing, w->shaft);
}

/* Numbers, with the least that each may be. */
static void read_numbers(const lmb_arguments *a, lmb_spectrum_work *w)
{
    double peaks = 10, overlap = 50, slip = 100 * lmb_diagnosis_defaults.slip, pulses = 1,
           times = 0;
    const struct {
        const char *name;
        double least, *value;
    } numbers[] = {{"--integrate", LMB_ANY_NUMBER, &times},
                   {"--resolution", 1e-9, &w->resolution},
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
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        lmb_typed_number(a, numbers[i].name, numbers[i].least, numbers[i].value);
    lmb_refuse(a, lmb_option_value(a, "--integrate") && times != 1 && times != 2,
               "--integrate needs 1 (to velocity) or 2 (to displacement)");
    lmb_refuse(a, overlap > 95, "--overlap is at most 95 per cent");
    lmb_refuse(a, w->to > 0 && w->to <= w->from, "--to must be above --from");
    w->integrate = times == 1 || times == 2 ? (int)times : 0;
    w->welch.overlap = overlap / 100;
    w->peak_count = (int)fmin(peaks, 10000);
    w->slip = slip / 100;
    w->pulses = lmb_option_value(a, "--tacho") ? pulses : 0;
}

/* What is to be read of the files. */
static lmb_waveform_request read_columns(const lmb_arguments *a, const lmb_spectrum_work *w)
{
    const char *other = w->kind == LMB_SPECTRUM_RESPONSE ? "--impact"
                        : w->pulses > 0                  ? "--tacho"
                                                         : "--speed";
    lmb_waveform_request record = {.column = lmb_option_value(a, "--column"),
                                   .other = lmb_option_value(a, other),
                                   .channel = lmb_option_value(a, "--channel"),
                                   .speed = strcmp(other, "--speed") == 0,
                                   .unit = lmb_option_value(a, "--unit"),
                                   .scale = 1};
    lmb_typed_measuring(a, &record.rate, &record.comma);
    lmb_typed_number(a, "--scale", LMB_ANY_NUMBER, &record.scale);
    lmb_refuse(a, record.scale == 0, "--scale must not be zero");
    return record;
}

static void read_options(const lmb_arguments *a, lmb_spectrum_work *w)
{
    const char *path = lmb_option_value(a, "-o");
    w->as_density = lmb_option_value(a, "--density");
    if (lmb_refuse(a, path && !lmb_plot_file(path) && !lmb_ends_with(path, ".html"),
                   "'%s' must end in .svg, .pdf or .png", path ? path : ""))
        lmb_hint(a->context, "or in .html, for a page with tables and figures");
    read_kinds(a, w);
    read_window(a, w);
    read_bands(a, w);
    read_numbers(a, w);
    read_bearing(a, w);
    if (w->kind == LMB_SPECTRUM_ENVELOPE && w->to <= 0)
        w->to = 5 * w->lines.highest; /* further harmonics say little; 0 without a bearing */
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_overall(lmb_json *json, const lmb_spectrum_work *w, int count,
                        const lmb_overall *all)
{
    if (count == 0)
        return;
    lmb_json_open(json, "overall", '[');
    for (int i = 0; i < count; i++) {
        const lmb_overall *o = &all[i];
        const lmb_statistics *s = &o->statistics;
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_put(json,
                     "from %g, to %g, quantity %s, unit %s, rms %g, peak %g, crest_factor %g, "
                     "kurtosis %g",
                     o->from, o->to, o->quantity, o->unit, s->rms, s->peak, lmb_overall_crest(o),
                     s->kurtosis);
        if (w->before)
            lmb_json_put(json, "rms_before %g, change %g", lmb_overall_before(w, i),
                         20 * log10(s->rms / lmb_overall_before(w, i)));
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void put_peaks(lmb_json *json, const lmb_spectrum_work *w)
{
    lmb_json_open(json, "peaks", '[');
    for (int i = 0; i < w->found; i++) {
        const lmb_peak *p = &w->peaks[i];
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_number(json, w->by_order ? "order" : "frequency", p->frequency);
        lmb_json_number(json, lmb_spectrum_word(w), p->height);
        lmb_json_text(json, "line", p->name);
        if (w->before)
            lmb_json_put(json, "before %g, change %g", p->before, lmb_spectrum_change(w, p));
        if (w->kind == LMB_SPECTRUM_RESPONSE)
            lmb_json_put(json, "damping %g, phase %g, coherence %g",
                         p->fitted ? p->mode.damping : NAN, p->phase, p->coherence);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void put_diagnosis(lmb_json *json, const lmb_diagnosis *d)
{
    lmb_json_open(json, "diagnosis", '{');
    lmb_json_bool(json, "alarm", d->alarm);
    lmb_json_open(json, "faults", '[');
    for (const lmb_fault_score *s = d->scores; s < d->scores + LMB_FAULTS; s++)
        lmb_json_object(json, NULL,
                        "fault %s, expected %g, found %g, strength %g, log_chance %g, from %g, "
                        "to %g",
                        lmb_fault_names[s->fault], s->expected, s->found, s->strength,
                        s->log_chance, s->from, s->to);
    lmb_json_close(json);
    lmb_json_close(json);
}

static void put_head(lmb_json *json, const lmb_spectrum_work *w)
{
    const lmb_waveform *r = &w->record;
    double to;
    lmb_json_put(json,
                 "kind %s, name %s, unit %s, rate %g, values %zu, averages %zu, resolution %g, "
                 "rms %g, peak %g",
                 lmb_spectrum_kinds[w->kind], r->name, r->unit, r->rate, r->n, w->averages, w->step,
                 w->statistics.rms, w->statistics.peak);
    if (lmb_spectrum_has_band(w))
        lmb_json_number(json, "rms_in_band", lmb_spectrum_band_rms(w, &to));
    lmb_json_number(json, "kurtosis", w->statistics.kurtosis);
    if (w->integrate)
        lmb_json_number(json, "high_pass", w->high_pass);
    if (w->before)
        lmb_json_number(json, "rms_before", w->before->statistics.rms);
    if (w->kind == LMB_SPECTRUM_ENVELOPE)
        lmb_json_numbers(json, "band", 2, (double[]){w->band_from, w->band_to});
    if (w->fastest > 0)
        lmb_json_numbers(json, "speeds", 2, (double[]){w->slowest, w->fastest});
    if (w->exponential > 0)
        lmb_json_number(json, "decay_added", 1 / w->exponential);
}

static void print_json(const lmb_spectrum_work *w)
{
    const char *axis = w->by_order ? "order" : "frequency";
    lmb_json json = lmb_json_start_object(stdout);
    put_head(&json, w);
    put_overall(&json, w, w->overall_count, w->overall);
    put_peaks(&json, w);
    if (w->diagnosed)
        put_diagnosis(&json, &w->diagnosis);
    lmb_json_numbers(&json, axis, w->bins, w->axis);
    lmb_json_numbers(&json, "amplitude", w->bins, w->amplitude);
    if (w->as_density) {
        lmb_json_text(&json, "density_unit", w->density_unit);
        lmb_json_numbers(&json, "density", w->bins, w->density);
    }
    const lmb_spectrum_work *old = w->before;
    if (old) {
        lmb_json_numbers(&json, w->by_order ? "order_before" : "frequency_before", old->bins,
                         old->axis);
        lmb_json_numbers(&json, w->as_density ? "density_before" : "amplitude_before", old->bins,
                         lmb_spectrum_heights(old));
    }
    if (w->kind == LMB_SPECTRUM_RESPONSE) {
        lmb_json_numbers(&json, "real", w->bins, w->real);
        lmb_json_numbers(&json, "imaginary", w->bins, w->imaginary);
        lmb_json_numbers(&json, "coherence", w->bins, w->coherence);
    }
    if (w->kind == LMB_SPECTRUM_WATERFALL) {
        lmb_json_numbers(&json, "time", (size_t)w->slices, w->slice_time);
        if (w->slice_speed)
            lmb_json_numbers(&json, "speed", (size_t)w->slices, w->slice_speed);
        lmb_json_open(&json, w->as_density ? "densities" : "amplitudes", '[');
        for (int i = 0; i < w->slices; i++)
            lmb_json_numbers(&json, NULL, w->bins, lmb_spectrum_slice(w, i));
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
}

static void print_trend(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_open(&json, "records", '[');
    for (const lmb_trend_row *r = rows; r < rows + count; r++) {
        lmb_json_open_flat(&json, NULL, '{');
        lmb_json_put(&json, "file %s, rms %g, peak %g, kurtosis %g", r->path, r->statistics.rms,
                     r->statistics.peak, r->statistics.kurtosis);
        put_overall(&json, w, r->overall_count, r->overall);
        for (int k = 0; k < lmb_trend_lines(w); k++)
            lmb_json_number(&json, lmb_trend_names[k], r->lines[k]);
        lmb_json_close(&json);
    }
    lmb_json_end(&json);
}

/* --- what comes of it ------------------------------------------------------------------------- */

/* Reads a file and computes what was asked for of it. */
static lmb_status analyse(lmb_spectrum_work *w, const lmb_waveform_request *asked, const char *path)
{
    lmb_status status = lmb_waveform_read(w->context, w->arena, path, asked, &w->record);
    return status ? status : lmb_spectrum_analyse(w);
}

/* Prints a sheet, and writes it where that was asked for. */
static lmb_status show_sheet(const lmb_arguments *a, lmb_sheet *sheet, const char *title)
{
    const char *path = lmb_option_value(a, "-o");
    if (!a->json) {
        for (int i = 0; i < sheet->sentence_count; i++)
            puts(sheet->sentences[i]);
        lmb_sheet_print(a, sheet);
    }
    return path ? lmb_sheet_write(a->context, sheet, title, path) : LMB_OK;
}

static lmb_status show_one(const lmb_arguments *a, lmb_spectrum_work *w,
                           const lmb_waveform_request *asked)
{
    lmb_spectrum_work old;
    const char *baseline = lmb_option_value(a, "--baseline"), *path = lmb_option_value(a, "-o");
    lmb_status status = analyse(w, asked, a->words[0]);
    if (!status && baseline) {
        old = lmb_spectrum_like(w);
        if (!(status = analyse(&old, asked, baseline)))
            status = lmb_spectrum_set_baseline(w, &old);
    }
    if (!status)
        status = lmb_spectrum_peaks(w);
    if (status)
        return status;
    lmb_sheet sheet = lmb_sheet_start(w->arena, "Spectrum");
    lmb_spectrum_tell(w, &sheet);
    if (path)
        lmb_spectrum_figures(w, lmb_ends_with(path, ".html"), &sheet);
    if (!lmb_arena_fine(sheet.arena))
        return lmb_fail_memory(w->context);
    if (a->json)
        print_json(w);
    return show_sheet(a, &sheet, lmb_file_name(w->record.path));
}

static lmb_status show_trend(const lmb_arguments *a, lmb_spectrum_work *w,
                             const lmb_waveform_request *asked)
{
    lmb_trend_row *rows = lmb_arena_alloc(w->arena, (size_t)a->count, sizeof *rows);
    lmb_status status = rows ? LMB_OK : lmb_fail_memory(w->context);
    for (int i = 0; i < a->count && !status; i++) {
        lmb_spectrum_work one = *w;
        status = analyse(&one, asked, a->words[i]);
        if (!status)
            rows[i] = lmb_trend_of(&one);
    }
    if (status)
        return status;
    if (asked->other)
        w->shaft = w->shaft > 0 ? w->shaft : 1; /* that of each record */
    lmb_sheet sheet = lmb_sheet_start(w->arena, "Trend");
    lmb_trend_sheet(w, a->count, rows, &sheet);
    if (!lmb_arena_fine(sheet.arena))
        return lmb_fail_memory(w->context);
    if (a->json)
        print_trend(w, a->count, rows);
    return show_sheet(a, &sheet, "Trend");
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_spectrum_work w = {.context = a->context, .arena = a->arena};
    read_options(a, &w);
    lmb_waveform_request asked = read_columns(a, &w);
    lmb_refuse(a,
               a->count > 1 &&
                   (w.kind == LMB_SPECTRUM_RESPONSE || w.kind == LMB_SPECTRUM_WATERFALL ||
                    w.as_density || lmb_option_value(a, "--baseline")),
               "a trend over %d records is of plain spectra", a->count);
    if (*a->status)
        return *a->status;
    return a->count > 1 ? show_trend(a, &w, &asked) : show_one(a, &w, &asked);
}

static const lmb_option options[] = {
    {"--column C",
     "The column of a table or the channel of a sound file, by name or number (from 1)."},
    {"--channel C", "The channel of a result."},
    LMB_MEASURING_OPTIONS,
    {"--unit U", "The unit of the record, such as g, m/s^2 or mm/s, where the file does not state "
                 "it or --scale makes it another."},
    {"--scale X",
     "Multiplies the record, such as by 10 for a sensor of 100 mV/g in V, with --unit g."},
    {"--window NAME", "rectangular, hann (default), hamming, blackman, flattop."},
    {"--resolution F", "At most so many Hz (or orders) from line to line."},
    {"--overlap P", "Per cent by which segments overlap (default: 50)."},
    {"--density", "Power densities in the unit squared per Hz (or order) instead of amplitudes: "
                  "right for noise, whatever window and resolution."},
    {"--from F", "Peaks, plot and the rms of a band from this frequency (or order) on."},
    {"--to F", "And up to this one."},
    {"--overall F:F,...", "Rms, peak, crest factor and kurtosis of bands in Hz, such as 10:1000; "
                          "of an acceleration its velocity in mm/s too."},
    {"--peaks N", "How many peaks are listed (default: 10)."},
    {"--integrate N", "Integrates acceleration once (velocity) or twice (displacement) first."},
    {"--high-pass F", "The frequency below which nothing is integrated, Hz (default: 10; half the "
                      "amplitude is left there)."},
    {"--envelope", "The spectrum of the envelope of a band."},
    {"--band F:F", "Its band in Hz (default: where the bearing's fault shows best, or the spectral "
                   "kurtosis is most significant)."},
    {"--speed C",
     "Column or channel of the shaft's speed: rpm, or rad/s or Hz if its unit says so."},
    {"--tacho C", "Column of pulses instead, from whose rising edges speed and angle follow."},
    {"--pulses N", "Pulses a turn (default: 1)."},
    {"--orders", "The spectrum over orders, multiples of the shaft's speed."},
    {"--waterfall", "Spectra one after the other, for a run-up; with --orders over orders."},
    {"--impact C", "Column of a hammer's force: frequency response (H1), coherence, frequencies "
                   "and damping of the modes."},
    {"--force-window T", "The force is set to zero later than this time after each blow, s."},
    {"--exponential T", "Multiplies force and response by exp(-t / T), T in s, where the response "
                        "does not die out; the damping that this adds is taken off."},
    {"--baseline FILE", "An earlier or healthy record: what changed, in dB."},
    LMB_BEARING_OPTIONS,
    {"--slip P", "Slip: per cent by which bearing frequencies may deviate (default: 2.5)."},
    {"-o, --output FILE",
     "Draws the spectrum: FILE.svg, .pdf or .png; FILE.html is a page with tables and figures."},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_spectrum = {
    .name = "spectrum",
    .usage = "FILE... [--column C | --channel C] [--rate F] [--density] [--envelope [--band F:F] | "
             "[--orders] [--waterfall] | --impact C] [--speed C | --tacho C] [--integrate N] "
             "[--overall F:F,...] [--baseline FILE] [--rpm N --inner D --outer D --balls N] [-o "
             "FILE] [--json]",
    .summary = "Analyses a vibration record.",
    .doc = "Averages the spectra of overlapping segments of a record (CSV as loggers write it, "
           "WAV, or a channel of a result) and lists its peaks with their amplitudes (0 to peak); "
           "with --rpm and the bearing's diameters they are named, and bearing faults are searched "
           "for in the envelope. The chance stated is the probability that noise shows as much; "
           "below 0.003 it is an alarm. With several files the trend of their values is listed.",
    .examples = "limber spectrum pump.csv --column acc --rate 10000 -o pump.svg\n"
                "limber spectrum outer-race.wav --envelope --pitch 39.04 --ball 7.94 --balls 9 "
                "--rpm 1500\n"
                "limber spectrum run-up.csv --column acc --speed rpm --waterfall -o run-up.png\n"
                "limber spectrum run-up.csv --column acc --tacho pulses --orders --waterfall\n"
                "limber spectrum pump.csv --column acc --overall 10:1000\n"
                "limber spectrum road.csv --column acc --density --from 1 --to 100\n"
                "limber spectrum hammer.csv --column acc --impact force -o hammer.html\n"
                "limber spectrum today.wav --baseline healthy.wav --rpm 1500\n",
    .words = {1, -1},
    .options = options,
    .run = run,
};
