/* What limber spectrum finds, as JSON. */
#include <math.h>

#include "cli/print.h"

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

void lmb_spectrum_print_json(const lmb_spectrum_work *w)
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

void lmb_trend_print_json(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows)
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
