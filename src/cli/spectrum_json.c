/* What limber spectrum finds, as JSON. */
#include <math.h>
#include <stdio.h>

#include "cli/spectrum.h"

static void put_peaks(lmb_json *json, const lmb_spectrum_work *w)
{
    lmb_json_open(json, "peaks", '[');
    for (int i = 0; i < w->found; i++) {
        const lmb_peak *p = &w->peaks[i];
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_number(json, w->by_order ? "order" : "frequency", p->frequency);
        lmb_json_number(json, lmb_spectrum_word(w), p->height);
        lmb_json_text(json, "line", p->name);
        if (w->before) {
            lmb_json_number(json, "before", p->before);
            lmb_json_number(json, "change", lmb_spectrum_change(w, p));
        }
        if (w->kind == LMB_SPECTRUM_RESPONSE) {
            lmb_json_number(json, "damping", p->fitted ? p->mode.damping : NAN);
            lmb_json_number(json, "phase", p->phase);
            lmb_json_number(json, "coherence", p->coherence);
        }
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void put_diagnosis(lmb_json *json, const lmb_spectrum_work *w)
{
    lmb_json_open(json, "diagnosis", '{');
    lmb_json_bool(json, "alarm", w->diagnosis.alarm);
    lmb_json_open(json, "faults", '[');
    for (int i = 0; i < LMB_FAULTS; i++) {
        const lmb_fault_score *s = &w->diagnosis.scores[i];
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_text(json, "fault", lmb_fault_names[s->fault]);
        lmb_json_number(json, "expected", s->expected);
        lmb_json_number(json, "found", s->found);
        lmb_json_number(json, "strength", s->strength);
        lmb_json_number(json, "log_chance", s->log_chance);
        lmb_json_number(json, "from", s->from);
        lmb_json_number(json, "to", s->to);
        lmb_json_close(json);
    }
    lmb_json_close(json);
    lmb_json_close(json);
}

static void put_head(lmb_json *json, const lmb_spectrum_work *w)
{
    double to;
    lmb_json_text(json, "kind", lmb_spectrum_kinds[w->kind]);
    lmb_json_text(json, "name", w->record.name);
    lmb_json_text(json, "unit", w->record.unit);
    lmb_json_number(json, "rate", w->record.rate);
    lmb_json_integer(json, "values", (long)w->record.n);
    lmb_json_integer(json, "averages", (long)w->averages);
    lmb_json_number(json, "resolution", w->step);
    lmb_json_number(json, "rms", w->statistics.rms);
    lmb_json_number(json, "peak", w->statistics.peak);
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
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    put_head(&json, w);
    if (w->overall_count > 0)
        lmb_overall_json(&json, w, w->overall_count, w->overall);
    put_peaks(&json, w);
    if (w->diagnosed)
        put_diagnosis(&json, w);
    lmb_json_numbers(&json, axis, w->bins, w->axis);
    lmb_json_numbers(&json, "amplitude", w->bins, w->amplitude);
    if (w->as_density) {
        lmb_json_text(&json, "density_unit", w->density_unit);
        lmb_json_numbers(&json, "density", w->bins, w->density);
    }
    if (w->before) {
        lmb_json_numbers(&json, w->by_order ? "order_before" : "frequency_before", w->before->bins,
                         w->before->axis);
        lmb_json_numbers(&json, w->as_density ? "density_before" : "amplitude_before",
                         w->before->bins, lmb_spectrum_heights(w->before));
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
