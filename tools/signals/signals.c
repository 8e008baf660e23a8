/* Synthetic vibrations of a machine on a rolling bearing; see signals.h.
 *
 * The noise of a healthy machine: white noise, the same filtered by the structural resonance, both
 * modulated with the shaft rotation, and harmonics of the shaft. A fault adds impacts that excite
 * the resonance, exp(-d w t) sin(w t): for the inner race they are weighted with the load on the
 * defect (shaft rotation), for a rolling element with that of the cage rotation. The time between
 * impacts is random, and its deviations accumulate, as with real balls. */
#include "signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "signal/signal.h"
#include "math/vec.h"

static uint64_t next(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_uniform(uint64_t *seed)
{
    return ((double)(next(seed) >> 11) + 0.5) / 9007199254740992.0;
}

double random_normal(uint64_t *seed)
{
    double a = random_uniform(seed), b = random_uniform(seed);
    return sqrt(-2 * log(a)) * cos(2 * LMB_PI * b);
}

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * random_uniform(seed);
}

signal_plan signal_random_plan(uint64_t *seed, int fault)
{
    signal_plan p = {.count = SIGNAL_COUNT, .rate = 12800, .fault = fault, .snr = -10};
    p.bearing = (lmb_bearing){39.04, 7.94, 9, 0, false};
    p.shaft = between(seed, 20, 35);
    p.slip = between(seed, 0.01, 0.02) * (random_uniform(seed) < 0.5 ? -1 : 1);
    p.jitter = between(seed, 0.002, 0.01);
    p.scatter = between(seed, 0.05, 0.3);
    p.resonance = between(seed, 2000, 4500);
    p.damping = between(seed, 0.02, 0.06);
    p.harmonics = between(seed, 0.5, 3);
    p.modulation = between(seed, 0, 0.3);
    p.from = 0.75 * p.resonance;
    p.to = 1.25 * p.resonance;
    return p;
}

static double frequency_of(const signal_plan *p)
{
    lmb_bearing_lines l = lmb_bearing_find_lines(&p->bearing, p->shaft);
    const double lines[LMB_FAULTS] = {[LMB_FAULT_OUTER] = l.outer,
                                      [LMB_FAULT_INNER] = l.inner,
                                      [LMB_FAULT_ROLLING_ELEMENT] = l.rolling_element,
                                      [LMB_FAULT_CAGE] = l.cage};
    return lines[p->fault] * (1 + p->slip);
}

/* Factor of the load on the amplitude of an impact. */
static double weight(const signal_plan *p, double t, double phase)
{
    lmb_bearing_lines l = lmb_bearing_find_lines(&p->bearing, p->shaft);
    if (p->fault == LMB_FAULT_INNER)
        return 0.6 + 0.4 * cos(2 * LMB_PI * l.shaft * t + phase);
    if (p->fault == LMB_FAULT_ROLLING_ELEMENT)
        return 0.7 + 0.3 * cos(2 * LMB_PI * l.cage * (1 + p->slip) * t + phase);
    return 1;
}

static void add_impacts(const signal_plan *p, uint64_t *seed, double *x)
{
    double period = 1 / frequency_of(p), end = (double)p->count / p->rate;
    double omega = 2 * LMB_PI * p->resonance, decay = p->damping * omega;
    double phase = 2 * LMB_PI * random_uniform(seed), last = 14 / decay;
    double fade = exp(-decay / p->rate);
    double c = fade * cos(omega / p->rate), s = fade * sin(omega / p->rate);
    for (double t = period * (random_uniform(seed) - 1); t < end;
         t += period * (1 + p->jitter * random_normal(seed))) {
        double height = weight(p, t, phase) * (1 + p->scatter * random_normal(seed));
        long first = (long)ceil(fmax(t, 0) * p->rate), stop = (long)((t + last) * p->rate);
        /* z(t) = exp((i - damping) omega t), from one instant to the next */
        double since = (double)first / p->rate - t, size = height * exp(-decay * since);
        double re = size * cos(omega * since), im = size * sin(omega * since);
        for (long i = first; i <= stop && i < (long)p->count; i++) {
            double next_re = re * c - im * s;
            x[i] += im;
            im = re * s + im * c;
            re = next_re;
        }
    }
}

/* White noise, with as much power again through the resonance; modulated with the shaft. */
static void add_noise(const signal_plan *p, uint64_t *seed, double *x)
{
    /* y'' + 2 d w y' + w^2 y = noise, as a recursion with the poles of the oscillator */
    double omega = 2 * LMB_PI * p->resonance / p->rate, r = exp(-3 * p->damping * omega);
    double a1 = 2 * r * cos(omega), a2 = -r * r, y1 = 0, y2 = 0;
    double gain = sqrt((1 + a2) * ((1 - a2) * (1 - a2) - a1 * a1) / (1 - a2));
    double phase = 2 * LMB_PI * random_uniform(seed);
    for (size_t i = 0; i < p->count; i++) {
        double y = a1 * y1 + a2 * y2 + gain * random_normal(seed), t = (double)i / p->rate;
        y2 = y1;
        y1 = y;
        x[i] += (y + random_normal(seed)) *
                (1 + p->modulation * cos(2 * LMB_PI * p->shaft * t + phase));
    }
    for (int h = 1; h <= 6; h++) {
        double size = p->harmonics * sqrt(2) * random_uniform(seed) / h;
        /* a complex rotation, which is faster than a sine at each instant */
        double step = 2 * LMB_PI * h * p->shaft / p->rate, c = cos(step), s = sin(step);
        phase = 2 * LMB_PI * random_uniform(seed);
        double re = size * cos(phase), im = size * sin(phase);
        for (size_t i = 0; i < p->count; i++) {
            double next_re = re * c - im * s;
            x[i] += im;
            im = re * s + im * c;
            re = next_re;
        }
    }
}

/* The power of a record in a band, from its transform; negative when out of memory. */
static double band_power(const signal_plan *p, const double *x)
{
    size_t n = p->count;
    double *re = calloc(2 * n, sizeof *re), total = 0;
    if (!re)
        return -1;
    memcpy(re, x, n * sizeof *re);
    bool done = lmb_fft(n, re, re + n);
    for (size_t k = 1; k < n / 2; k++) {
        double f = (double)k * p->rate / (double)n;
        if (f >= p->from && f <= p->to)
            total += 2 * (re[k] * re[k] + re[n + k] * re[n + k]) / ((double)n * (double)n);
    }
    free(re);
    return done ? total : -1;
}

bool signal_make(const signal_plan *p, uint64_t *seed, double *x)
{
    memset(x, 0, p->count * sizeof *x);
    add_noise(p, seed, x);
    if (p->fault < 0)
        return true;
    double *impacts = calloc(p->count, sizeof *impacts);
    if (!impacts)
        return false;
    add_impacts(p, seed, impacts);
    double noise = band_power(p, x), signal = band_power(p, impacts);
    double factor = sqrt(noise / signal * pow(10, p->snr / 10));
    for (size_t i = 0; i < p->count; i++)
        x[i] += factor * impacts[i];
    free(impacts);
    return noise >= 0 && signal > 0;
}
