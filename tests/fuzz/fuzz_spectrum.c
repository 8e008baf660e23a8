/* Spectra of records; the first bytes choose what is asked for. */
#include "fuzz.h"

#include "compare/counterpart.h"
#include "signal/spectrum.h"

enum { CHOICES = 4 };

/* What the bytes ask for. */
static lmb_spectrum_work choose(const uint8_t *choice, lmb_context *context, lmb_arena *arena)
{
    lmb_spectrum_work w = {.context = context, .arena = arena};
    w.kind = (lmb_spectrum_kind)(choice[0] % LMB_SPECTRUM_KINDS);
    w.by_order =
        w.kind == LMB_SPECTRUM_ORDERS || (w.kind == LMB_SPECTRUM_WATERFALL && (choice[1] & 1));
    w.as_density = w.kind != LMB_SPECTRUM_RESPONSE && (choice[1] & 2);
    w.has_bearing = choice[1] & 4;
    w.pulses = choice[1] & 8 ? 1 : 0;
    w.resolution = choice[1] & 16 ? 0.5 * choice[2] : 0;
    w.integrate = choice[3] % 3;
    w.force_window = w.kind == LMB_SPECTRUM_RESPONSE && (choice[1] & 32) ? 0.01 * choice[2] : 0;
    w.exponential = w.kind == LMB_SPECTRUM_RESPONSE && (choice[1] & 64) ? 0.01 * choice[2] : 0;
    w.welch.window = (lmb_window_kind)(choice[3] % LMB_WINDOWS);
    w.welch.overlap = 0.5;
    w.peak_count = 10;
    w.high_pass = 10;
    w.slip = 0.025;
    w.shaft = choice[1] & 128 ? 25 : 0;
    if (w.has_bearing)
        w.bearing = (lmb_bearing){.balls = 9, .ball = 7.94e-3, .pitch = 39.04e-3};
    if (w.has_bearing && w.shaft > 0)
        w.lines = lmb_bearing_find_lines(&w.bearing, w.shaft);
    if (choice[3] & 16) {
        w.band_count = 1;
        w.bands[0][0] = 10;
        w.bands[0][1] = 1000;
    }
    return w;
}

FUZZ_TARGET(spectrum)
{
    if (size < CHOICES)
        return 0;
    lmb_context *context = fuzz_context(0);
    lmb_arena *arena = lmb_arena_new();
    lmb_spectrum_work w = choose(data, context, arena);
    bool other = w.by_order || w.kind == LMB_SPECTRUM_RESPONSE || w.pulses > 0;
    lmb_waveform_request asked = {.column = "2",
                                  .other = other ? "3" : NULL,
                                  .speed =
                                      other && w.kind != LMB_SPECTRUM_RESPONSE && w.pulses <= 0,
                                  .rate = data[3] & 32 ? 1000 : 0,
                                  .scale = 1};
    lmb_status status = lmb_waveform_read(
        context, arena, fuzz_file("record.csv", data + CHOICES, size - CHOICES), &asked, &w.record);
    if (!status)
        status = lmb_spectrum_analyse(&w);
    if (!status)
        status = lmb_spectrum_peaks(&w);
    lmb_arena_free(arena);
    fuzz_end(context, status);
    return 0;
}
