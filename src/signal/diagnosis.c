/* Faults of bearings from envelope spectra; see bearing.h.
 *
 * Each time a defect is rolled over it rings the structure, so that the power of a band around a
 * resonance pulsates with the fault's frequency. The spectrum of that power has lines at multiples
 * of it: for the inner race with lines beside them at the shaft's frequency (the defect goes in and
 * out of the load), for a rolling element at the cage's.
 *
 * Divided by what is around it (a running median), a bin of noise averaged over K segments has the
 * gamma distribution of shape K and mean 1, and a sum of m lines that of shape m K. The tail of it
 * beyond the sum that was found is the chance of seeing as much in noise; it is multiplied by the
 * number of frequencies (the slip is not known), of bands and of faults that were tried. A line
 * counts no more than one that noise shows with a chance of 1e-5 where an alarm is decided, so that
 * one line alone, which may come from elsewhere, raises none; which fault comes first is decided
 * with all of it, since many a line of one fault lies on a line of another. Multiples of the
 * shaft's frequency, which healthy machines show, are left out. */
#include "signal/bearing.h"

#include <math.h>
#include <stdlib.h>

#include "signal/signal.h"
#include "math/vec.h"

const char *const lmb_fault_names[LMB_FAULTS] = {"outer race", "inner race", "rolling element",
                                                 "cage"};

const lmb_diagnosis_options lmb_diagnosis_defaults = {0.025, 0, 0, 0.003};

/* The lines of a fault: harmonic number times its frequency plus side times another one. The weight
 * is less where lines are weaker as a rule: high harmonics, since impacts ring for a while. */
typedef struct pattern {
    int count;
    struct {
        int harmonic, side;
        double weight;
    } lines[8];
} pattern;

enum { HARMONICS = 4, AROUND = 150, FIRST = 3 };

static const pattern harmonics = {4, {{1, 0, 1}, {2, 0, 0.7}, {3, 0, 0.5}, {4, 0, 0.35}}};
static const pattern with_sides = {
    7, {{1, 0, 1}, {2, 0, 0.7}, {3, 0, 0.4}, {1, -1, 0.4}, {1, 1, 0.4}, {2, -1, 0.3}, {2, 1, 0.3}}};

/* The spectrum of the power of a band, divided by what is around each bin. */
typedef struct ratio_spectrum {
    size_t bins;
    double step;   /* Hz */
    double worth;  /* K */
    double most;   /* that a line may count */
    double *value; /* bins; 1 where nothing can be said */
} ratio_spectrum;

double lmb_log_gamma_tail(double a, double x)
{
    if (x <= 0)
        return 0;
    double front = -x + a * log(x) - lgamma(a);
    if (x < a + 1) {
        /* the lower tail by its series */
        double term = 1 / a, total = term;
        for (double k = a + 1; term > 1e-17 * total; k++)
            total += term *= x / k;
        return log10(fmax(1 - exp(front) * total, 1e-300));
    }
    /* Lentz's continued fraction */
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 500; i++) {
        double an = -i * (i - a), change;
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= change = c * d;
        if (fabs(change - 1) < 1e-14)
            break;
    }
    return (front + log(h)) / log(10);
}

/* log10 of the chance that sum w_m G_m > x, G_m gamma variables of shape K and mean 1: Lugannani
 * and Rice's formula from the cumulants k(t) = -K sum log(1 - w_m t / K). */
static double weighted_tail(const pattern *p, double K, double x)
{
    double mean = 0, most = 0, low = 0, high;
    for (int m = 0; m < p->count; m++) {
        mean += p->lines[m].weight;
        most = fmax(most, p->lines[m].weight);
    }
    if (x < 1.05 * mean)
        return log10(0.5);
    high = K / most * (1 - 1e-12);
    double t = 0, first = 0, second = 0, value = 0;
    for (int i = 0; i < 100; i++) {
        t = (low + high) / 2;
        first = second = value = 0;
        for (int m = 0; m < p->count; m++) {
            double w = p->lines[m].weight, d = 1 - w * t / K;
            value -= K * log(d);
            first += w / d;
            second += w * w / (K * d * d);
        }
        if (first < x)
            low = t;
        else
            high = t;
    }
    double r = sqrt(2 * (t * x - value)), u = t * sqrt(second);
    /* log of Q(r) + phi(r) (1 / u - 1 / r); far out Q(r) = phi(r) / r (1 - 1 / r^2 + 3 / r^4) */
    double q = r < 20 ? 0.5 * erfc(r / sqrt(2)) * exp(r * r / 2) * sqrt(2 * LMB_PI)
                      : 1 / r - 1 / (r * r * r);
    return (-r * r / 2 - log(2 * LMB_PI) / 2 + log(fmax(q + 1 / u - 1 / r, 1e-300))) / log(10);
}

/* The value that a gamma variable of shape K and mean 1 exceeds with a chance of 1e-5. */
static double rare(double worth)
{
    double low = 1, high = 40;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (lmb_log_gamma_tail(worth, worth * middle) > -5)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The mean of the logarithm of a gamma variable of shape a and scale 1: the digamma function, by
 * its recursion and its asymptotic series. */
static double digamma(double a)
{
    double sum = 0;
    for (; a < 10; a++)
        sum -= 1 / a;
    double u = 1 / (a * a);
    return sum + log(a) - 1 / (2 * a) - u * (1.0 / 12 - u * (1.0 / 120 - u / 252));
}

/* Divides bins by what is around them: a straight line through the logarithms of the bins nearby,
 * which a few lines hardly change. The mean of the logarithm of noise is that of its mean plus
 * digamma(K) - log(K). sums: 2 (bins + 1) numbers of room. */
static void divide_by_surroundings(ratio_spectrum *s, const double *density, double *sums)
{
    double shift = digamma(s->worth) - log(s->worth), *products = sums + s->bins + 1;
    sums[0] = products[0] = 0;
    for (size_t k = 0; k < s->bins; k++) {
        double y = k >= FIRST && density[k] > 0 ? log(density[k]) : 0;
        sums[k + 1] = sums[k] + y;
        products[k + 1] = products[k] + (double)k * y;
    }
    for (size_t k = 0; k < s->bins; k++) {
        size_t from = k > AROUND + FIRST ? k - AROUND : FIRST, to = k + AROUND + 1;
        to = to < s->bins ? to : s->bins;
        double n = (double)to - (double)from, middle = ((double)(from + to) - 1) / 2;
        double mean = (sums[to] - sums[from]) / n, spread = n * (n * n - 1) / 12;
        double slope = (products[to] - products[from] - middle * n * mean) / spread;
        double around = exp(mean + slope * ((double)k - middle) - shift);
        s->value[k] = k >= FIRST && density[k] > 0 && n > 8 ? density[k] / around : 1;
    }
}

/* Multiples of the shaft's frequency say nothing; a Hann window spreads them over three bins. */
static void leave_out_shaft(ratio_spectrum *s, double shaft)
{
    for (double f = shaft; f < (double)s->bins * s->step; f += shaft) {
        long middle = lround(f / s->step);
        for (long k = middle - 2; k <= middle + 2; k++)
            if (k >= 0 && k < (long)s->bins)
                s->value[k] = 1;
    }
}

/* A resolution of half a per cent of the outer race's line, if the record is long enough. */
static lmb_status make_spectrum(lmb_context *context, lmb_arena *room, const lmb_bands *bands,
                                double from, double to, const lmb_bearing_lines *lines,
                                ratio_spectrum *out)
{
    size_t count;
    double rate, *power = lmb_bands_power(bands, from, to, &count, &rate);
    *out = (ratio_spectrum){0};
    if (!power)
        return lmb_fail(context, LMB_BAD_INPUT, "there is nothing between %g and %g Hz", from, to);
    double wanted = 200 / lines->outer * rate;
    size_t segment = wanted < (double)count ? (size_t)wanted : count, two = 2;
    while (2 * two <= segment)
        two *= 2;
    lmb_welch welch = {rate, two, 0.5, LMB_WINDOW_HANN};
    size_t all = lmb_welch_bins(&welch);
    double *density = lmb_arena_numbers(room, all), *sums = lmb_arena_numbers(room, 2 * all + 2);
    out->step = rate / (double)two;
    /* the power of a band pulsates with differences of its frequencies: less and less up to its
     * width, which leaves no noise to compare with */
    out->bins = (size_t)fmin((double)all, 0.75 * (to - from) / out->step);
    out->value = lmb_arena_numbers(room, out->bins + 1);
    out->worth = lmb_welch_worth(&welch, count);
    out->most = rare(out->worth);
    bool done = lmb_arena_fine(room) && lmb_welch_density(&welch, count, power, density);
    if (done) {
        divide_by_surroundings(out, density, sums);
        leave_out_shaft(out, lines->shaft);
    }
    free(power);
    return done ? LMB_OK : lmb_fail_memory(context);
}

/* Looks for the lines of a fault in one band; trials: of bands and faults. */
static lmb_fault_score score_fault(const ratio_spectrum *s, const lmb_bearing_lines *l,
                                   lmb_fault fault, double slip, double trials)
{
    /* a spot of the race that turns goes in and out of the load */
    lmb_fault turning = l->outer_turns ? LMB_FAULT_OUTER : LMB_FAULT_INNER;
    const pattern *p =
        fault == turning || fault == LMB_FAULT_ROLLING_ELEMENT ? &with_sides : &harmonics;
    const double frequencies[LMB_FAULTS] = {l->outer, l->inner, l->rolling_element, l->cage};
    double expected = frequencies[fault], best = 0, most = -1, grid = s->step / (2 * HARMONICS);
    double side = fault == turning ? l->shaft : l->cage;
    long reach = lround(slip * expected / grid);
    lmb_fault_score score = {.fault = fault, .expected = expected, .found = expected};
    for (long i = -reach; i <= reach; i++) {
        double f = expected + (double)i * grid, total = 0, full = 0, plain = 0;
        for (int m = 0; m < p->count; m++) {
            double at = p->lines[m].harmonic * f + p->lines[m].side * side;
            size_t k = (size_t)lround(at / s->step);
            double value = k < s->bins ? s->value[k] : 1;
            total += p->lines[m].weight * fmin(value, s->most);
            full += p->lines[m].weight * value;
            plain += value;
        }
        if (full > most) {
            most = full;
            best = total;
            score.found = f;
            score.strength = plain / p->count;
        }
    }
    /* neighbours of a grid of half bins of the last harmonic hardly differ */
    trials *= 1 + (double)reach;
    score.log_chance = fmin(weighted_tail(p, s->worth, best) + log10(trials), 0);
    score.evidence = weighted_tail(p, s->worth, most) + log10(trials);
    return score;
}

static int likeliest_first(const void *a, const void *b)
{
    double x = ((const lmb_fault_score *)a)->evidence, y = ((const lmb_fault_score *)b)->evidence;
    return (x > y) - (x < y);
}

static lmb_status look_at_band(lmb_context *context, const lmb_bands *bands, double from, double to,
                               int band_count, const lmb_bearing_lines *lines,
                               const lmb_diagnosis_options *o, lmb_diagnosis *out)
{
    ratio_spectrum s;
    lmb_arena *room = lmb_arena_new();
    lmb_status status = make_spectrum(context, room, bands, from, to, lines, &s);
    for (int f = 0; f < LMB_FAULTS && !status; f++) {
        lmb_fault_score score =
            score_fault(&s, lines, (lmb_fault)f, o->slip, (double)band_count * LMB_FAULTS);
        score.from = from;
        score.to = to;
        if (out->scores[f].expected == 0 || score.evidence < out->scores[f].evidence)
            out->scores[f] = score;
    }
    lmb_arena_free(room);
    return status;
}

lmb_status lmb_diagnose(lmb_context *context, size_t n, const double *x, double rate,
                        const lmb_bearing_lines *lines, const lmb_diagnosis_options *options,
                        lmb_diagnosis *out)
{
    lmb_bands bands;
    double from, to, narrowest = 3 * lines->highest;
    int count = 0;
    *out = (lmb_diagnosis){0};
    if ((double)n / rate < 20 / lines->outer || n < 256) {
        lmb_fail(context, LMB_BAD_INPUT, "the record is too short to look for faults: %g s",
                 (double)n / rate);
        return lmb_hint(context, "200 passes of a ball, %.3g s, are good", 200 / lines->outer);
    }
    if (!lmb_bands_start(&bands, n, x, rate))
        return lmb_fail_memory(context);
    lmb_status status = LMB_OK;
    bool given = options->to > 0;
    while (!given && lmb_bands_candidate(&bands, narrowest, count, &from, &to))
        count++;
    if (!given && count == 0)
        status = lmb_fail(context, LMB_BAD_INPUT,
                          "a sampling rate of %g Hz is too low for envelopes of lines up to %g Hz: "
                          "it takes at least %g Hz",
                          rate, lines->highest, 4 * narrowest);
    if (given)
        status = look_at_band(context, &bands, options->from, options->to, 1, lines, options, out);
    for (int i = 0; i < count && !status; i++) {
        lmb_bands_candidate(&bands, narrowest, i, &from, &to);
        status = look_at_band(context, &bands, from, to, count, lines, options, out);
    }
    lmb_bands_free(&bands);
    qsort(out->scores, LMB_FAULTS, sizeof *out->scores, likeliest_first);
    out->alarm = !status && out->scores[0].log_chance < log10(options->chance);
    return status;
}
