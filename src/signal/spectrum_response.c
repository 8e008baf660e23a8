/* Hammer tests: the frequency response from blows whose force was recorded.
 *
 * Blows are pieces of the force above a fifth of its largest value. A segment begins a little
 * before each and is as long as the shortest pause between two, or as --resolution asks. Both
 * records are multiplied by exp(-t / T) where an exponential window was asked for, which gives
 * exactly the response at s + 1 / T; the force is cut off behind its pulse where a force window
 * was. */
#include "signal/spectrum.h"

#include <math.h>

#include "base/message.h"
#include "math/vec.h"

enum { MOST_BLOWS = 1024 };

typedef struct blow {
    size_t start; /* of the pulse */
    double peak;
    size_t room;  /* values until the next one */
    bool doubled; /* another one follows at once */
} blow;

/* Takes the middle value off, which sensors show at rest. */
static bool take_off_rest(size_t n, double *x)
{
    double rest = lmb_quantile(n, x, 0.5);
    for (size_t i = 0; i < n; i++)
        x[i] -= rest;
    return !isnan(rest);
}

/* All pulses of the force; weak second blows of a tenth of the largest are found, too. They count
 * in the direction of the largest. Returns their number. */
static int find_blows(size_t n, const double *force, blow *blows)
{
    double top = 0;
    int count = 0;
    for (size_t i = 0; i < n; i++)
        top = fabs(force[i]) > fabs(top) ? force[i] : top;
    double sign = top < 0 ? -1 : 1, level = 0.1 * fabs(top);
    for (size_t i = 0; i < n && count < MOST_BLOWS && level > 0; i++) {
        if (sign * force[i] <= level)
            continue;
        blow b = {.start = i};
        while (b.start > 0 && sign * force[b.start - 1] > 0.1 * level)
            b.start--;
        for (; i < n && sign * force[i] > 0.25 * level; i++)
            b.peak = fmax(b.peak, sign * force[i]);
        blows[count++] = b;
    }
    return count;
}

/* Joins pulses within a quarter of the usual pause (three quarters of all are no longer) to one
 * blow, and forgets weak ones that follow none. Returns how many blows there are. */
static int join_doubles(int count, blow *blows, size_t n)
{
    double pauses[MOST_BLOWS] = {0}, top = 0;
    int joined = 0;
    for (int i = 0; i < count; i++) {
        pauses[i] = (double)((i + 1 < count ? blows[i + 1].start : n) - blows[i].start);
        top = fmax(top, blows[i].peak);
    }
    double usual = lmb_quantile((size_t)count, pauses, 0.75);
    for (int i = 0, next; i < count; i = next) {
        blow b = blows[i];
        for (next = i + 1; next < count; next++) {
            if ((double)(blows[next].start - b.start) >= usual / 4)
                break;
            b.peak = fmax(b.peak, blows[next].peak);
            b.doubled = true;
        }
        if (b.peak > 0.2 * top)
            blows[joined++] = b;
    }
    for (int i = 0; i < joined; i++)
        blows[i].room = (i + 1 < joined ? blows[i + 1].start : n) - blows[i].start;
    return joined;
}

/* Leaves out blows that hit twice, if there are others. Returns how many remain. */
static int leave_out_doubles(const lmb_spectrum_work *w, int count, blow *blows)
{
    int doubles = 0, kept = 0;
    double when = 0;
    for (int i = 0; i < count; i++)
        if (blows[i].doubled && doubles++ == 0)
            when = w->record.start + (double)blows[i].start / w->record.rate;
    if (doubles == count) {
        lmb_warn(w->context,
                 "the hammer hit twice in every blow, first at t = %.4g s: do not trust "
                 "the response where the force has little",
                 when);
        return count;
    }
    if (doubles > 0)
        lmb_warn(w->context, "%d of %d blows hit twice, the first at t = %.4g s: left out", doubles,
                 count, when);
    for (int i = 0; i < count; i++)
        if (!blows[i].doubled)
            blows[kept++] = blows[i];
    return kept;
}

/* Copies the segment of a blow, from a little before the pulse on, and puts the windows on it. */
static void cut_segment(const lmb_spectrum_work *w, const blow *b, size_t segment, double *force,
                        double *response)
{
    const lmb_waveform *r = &w->record;
    size_t from = b->start > 4 ? b->start - 4 : 0;
    double width = w->force_window * r->rate, pulse = (double)(b->start - from);
    for (size_t i = 0; i < segment; i++) {
        double since = (double)i - pulse, t = (double)i / r->rate, gain = 1;
        /* the last quarter of a force window falls as a cosine */
        if (width > 0 && since > 0.75 * width)
            gain = since < width ? 0.5 + 0.5 * cos(LMB_PI * (since / width - 0.75) / 0.25) : 0;
        double decay = w->exponential > 0 ? exp(-t / w->exponential) : 1;
        force[i] = decay * gain * r->other[from + i];
        response[i] = decay * r->x[from + i];
    }
}

/* The length of the segments, 0 when there is no room. */
static size_t segment_length(const lmb_spectrum_work *w, int count, const blow *blows)
{
    const lmb_waveform *r = &w->record;
    size_t room = count > 0 ? r->n : 0;
    for (int i = 0; i < count; i++)
        room = blows[i].room < room ? blows[i].room : room;
    double wanted = w->resolution > 0 ? round(r->rate / w->resolution) : (double)room;
    if (wanted > 1.01 * (double)room)
        lmb_warn(w->context, "the pauses between blows are too short for that resolution: it is %g",
                 r->rate / (double)room);
    return wanted < (double)room ? (size_t)wanted : room;
}

/* Warns where the response has not died out at the end of the segments. */
static void check_end(const lmb_spectrum_work *w, int count, size_t segment, const double *response)
{
    double top = 0, end = 0;
    for (size_t i = 0; i < (size_t)count * segment; i++) {
        double size = fabs(response[i]);
        top = fmax(top, size);
        if (i % segment >= segment - segment / 20)
            end = fmax(end, size);
    }
    if (end > 0.05 * top)
        lmb_warn(w->context,
                 "%.0f %% of the response is left at the end of a segment of %.4g s: wait longer "
                 "between blows, or use --exponential %.2g",
                 100 * end / top, (double)segment / w->record.rate,
                 (double)segment / w->record.rate / 4);
}

/* The frequency up to which the blows have at least a tenth of their largest amplitude; 0 if that
 * is everywhere. */
static double reach_of(const lmb_spectrum_work *w, size_t n, const double *force, double *power)
{
    double top = 0;
    if (!lmb_welch_density(&w->welch, n, force, power))
        return 0;
    for (size_t k = 1; k < w->bins; k++) {
        top = fmax(top, power[k]);
        if (power[k] < 0.01 * top)
            return (double)k * w->step;
    }
    return 0;
}

static lmb_status make_response(lmb_spectrum_work *w, int count, const blow *blows, size_t segment)
{
    size_t all = (size_t)count * segment;
    w->welch = (lmb_welch){w->record.rate, segment, 0, LMB_WINDOW_RECTANGULAR};
    w->bins = lmb_welch_bins(&w->welch);
    w->step = w->record.rate / (double)segment;
    w->averages = (size_t)count;
    double *force = lmb_arena_numbers(w->arena, all), *response = lmb_arena_numbers(w->arena, all);
    double *room = lmb_arena_numbers(w->arena, 5 * w->bins);
    if (!lmb_arena_fine(w->arena))
        return lmb_fail_memory(w->context);
    w->real = room;
    w->imaginary = room + w->bins;
    w->coherence = room + 2 * w->bins;
    w->amplitude = room + 3 * w->bins;
    w->axis = room + 4 * w->bins;
    for (int i = 0; i < count; i++)
        cut_segment(w, &blows[i], segment, force + (size_t)i * segment,
                    response + (size_t)i * segment);
    check_end(w, count, segment, response);
    if (!lmb_welch_response(&w->welch, all, force, response, w->real, w->imaginary, w->coherence))
        return lmb_fail_memory(w->context);
    w->reach = reach_of(w, all, force, w->amplitude);
    if (w->to <= 0)
        w->to = w->reach;
    for (size_t k = 0; k < w->bins; k++) {
        w->axis[k] = (double)k * w->step;
        w->amplitude[k] = k ? hypot(w->real[k], w->imaginary[k]) : 0;
    }
    return LMB_OK;
}

lmb_status lmb_spectrum_response(lmb_spectrum_work *w)
{
    lmb_waveform *r = &w->record;
    blow *blows = lmb_arena_alloc(w->arena, MOST_BLOWS, sizeof *blows);
    if (!blows || !take_off_rest(r->n, r->x) || !take_off_rest(r->n, r->other))
        return lmb_fail_memory(w->context);
    int count = find_blows(r->n, r->other, blows);
    if (count > 0)
        count = leave_out_doubles(w, join_doubles(count, blows, r->n), blows);
    size_t segment = segment_length(w, count, blows);
    if (count == 0 || segment < 32)
        return lmb_fail(w->context, LMB_BAD_INPUT, "there are no blows in the force");
    return make_response(w, count, blows, segment);
}
