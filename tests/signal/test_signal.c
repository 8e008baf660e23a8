/* Averaged spectra, envelopes, responses, integration and orders of signals with known answers. */
#include "support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "signal/signal.h"
#include "math/vec.h"

enum { N = 16384 };

static double x[N], y[N], work[N];

/* Noise from a small generator, uniform on -1 .. 1. */
static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 8388608.0 - 1;
}

/* A sine in the middle of a bin has its amplitude with every window, whatever its phase. */
static void sines_have_their_amplitude(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = 4 + 2.5 * sin(2 * LMB_PI * 100 * i / 1024.0 + 0.7);
    for (int window = 0; window < LMB_WINDOWS; window++) {
        lmb_welch w = {1024, 1024, 0.5, (lmb_window_kind)window};
        double density[513], amplitude[513], f, a;
        assert_int_equal(lmb_welch_count(&w, N), 31);
        assert_true(lmb_welch_density(&w, N, x, density));
        lmb_welch_amplitudes(&w, density, amplitude);
        assert_close(amplitude[100], 2.5, 1e-7); /* the terms of flattop have nine digits */
        lmb_welch_peak(&w, amplitude, 100, &f, &a);
        assert_close(f, 100, 1e-6);
        assert_close(a, 2.5, 1e-6);
    }
}

/* Between two bins, with every window: exact but for the mirror line 400 bins away, of which a
 * rectangular window shows 1 / (400 pi), Hamming's 0.08 / 0.54 of that and the others less; where
 * it meets the smaller neighbour, it counts twice. A flat top keeps the amplitude to 0.1 % by
 * itself. */
static void sines_between_bins(void **state)
{
    (void)state;
    static const double mirror[LMB_WINDOWS] = {2e-3, 1e-6, 3e-4, 1e-6, 1e-5};
    double density[513], amplitude[513], f, a;
    for (double part = -0.4375; part < 0.5; part += 0.125) {
        for (int i = 0; i < N; i++)
            x[i] = 3 * sin(2 * LMB_PI * (200 + part) * i / 1024.0);
        for (int window = 0; window < LMB_WINDOWS; window++) {
            lmb_welch w = {1024, 1024, 0.5, (lmb_window_kind)window};
            assert_true(lmb_welch_density(&w, N, x, density));
            lmb_welch_amplitudes(&w, density, amplitude);
            lmb_welch_peak(&w, amplitude, 200, &f, &a);
            assert_true(fabs(f - 200 - part) < mirror[window]);
            assert_close(a, 3, mirror[window]);
            if (window == LMB_WINDOW_FLATTOP)
                assert_close(amplitude[200], 3, 1.5e-3);
            /* the mean that is taken off makes no line beside zero: a Hann window shows a line 200
             * bins away to 1 / (pi 200^3) */
            if (window == LMB_WINDOW_HANN)
                assert_true(amplitude[1] < 3 * 1e-7);
        }
    }
}

/* Parseval: the density adds up to the mean square, exactly with one rectangular segment, and with
 * other windows to the scatter of averages (a per cent with 31 segments of 513 bins). */
static void densities_add_up(void **state)
{
    (void)state;
    unsigned seed = 1;
    double square = 0, mean = 0;
    for (int i = 0; i < N; i++) {
        x[i] = noise(&seed) + 0.5 * sin(0.3 * i);
        mean += x[i] / N;
    }
    for (int i = 0; i < N; i++)
        square += (x[i] - mean) * (x[i] - mean) / N;
    for (int window = 0; window < LMB_WINDOWS; window++) {
        size_t segment = window == LMB_WINDOW_RECTANGULAR ? N : 1024;
        lmb_welch w = {5000, segment, 0.5, (lmb_window_kind)window};
        double total = 0;
        assert_true(lmb_welch_density(&w, N, x, work));
        for (size_t k = 0; k < lmb_welch_bins(&w); k++)
            total += work[k] * 5000 / (double)segment;
        assert_close(total, square, window == LMB_WINDOW_RECTANGULAR ? 1e-12 : 0.02);
    }
    assert_close(lmb_signal_statistics(N, x).rms, sqrt(square), 1e-12);
    for (int i = 0; i < N; i++)
        x[i] = 0.1; /* a constant has no vibration, not even one of rounding */
    assert_true(lmb_signal_statistics(N, x).rms == 0 && lmb_signal_statistics(N, x).mean == 0.1);
}

/* White noise of variance 1/3: whatever the window, half the spectrum has half of it. With v_j the
 * sum of w^2 over the segments at value j, the integral is sum(v x^2) / sum(v), whose relative
 * variance is (kurtosis - 1) sum(v^2) / sum(v)^2; half the spectrum, whose noise is almost normal,
 * has 4 sum(v^2) / sum(v)^2. Four times the root of that is exceeded once in 16000. Taking off the
 * means takes one value of each segment. */
static void densities_of_noise(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int i = 0; i < N; i++)
        x[i] = noise(&seed);
    for (int window = 0; window < LMB_WINDOWS; window++) {
        lmb_welch w = {5000, 1024, 0.5, (lmb_window_kind)window};
        double density[513], one[1024], v = 0, vv = 0, total = 0, low = 0;
        assert_true(lmb_welch_density(&w, N, x, density));
        for (int k = 0; k <= 512; k++) {
            total += density[k] * 5000 / 1024;
            low += k < 256 ? density[k] * 5000 / 1024 : 0;
        }
        lmb_window_fill(w.window, 1024, one);
        for (int j = 0; j < N; j++)
            work[j] = 0;
        for (size_t i = 0; i < lmb_welch_count(&w, N); i++)
            for (size_t j = 0; j < 1024; j++)
                work[lmb_welch_start(&w, i) + j] += one[j] * one[j];
        for (int j = 0; j < N; j++) {
            v += work[j];
            vv += work[j] * work[j];
        }
        double mean = 1.0 / 1024;
        assert_close(3 * total, 1, 4 * sqrt(0.8 * vv) / v + mean);
        assert_close(6 * low, 1, 4 * sqrt(4 * vv) / v + 2 * mean);
    }
}

/* The envelope of (1 + m cos) cos is 1 + m cos; a sine outside of the band must not show, and the
 * ends were faded. */
static void envelopes_of_modulated_sines(void **state)
{
    (void)state;
    double rate, most = 0, least = 9;
    size_t count;
    lmb_bands bands;
    for (int i = 0; i < N; i++)
        x[i] = (1 + 0.4 * cos(2 * LMB_PI * 32 * i / N)) * cos(2 * LMB_PI * 2048 * i / N + 1) +
               3 * cos(2 * LMB_PI * 700 * i / N);
    assert_true(lmb_bands_start(&bands, N, x, N));
    double *power = lmb_bands_power(&bands, 1700, 2400, &count, &rate);
    assert_non_null(power);
    for (size_t i = count / 10; i < count * 9 / 10; i++)
        most = fmax(most, power[i]), least = fmin(least, power[i]);
    assert_close(most, 1.96, 5e-3);
    assert_close(least, 0.36, 5e-3);
    free(power);
    lmb_bands_free(&bands);
}

/* Ringing in a band is where the spectral kurtosis is; noise has none, a sine -1. */
static void kurtosis_finds_the_band(void **state)
{
    (void)state;
    unsigned seed = 5;
    lmb_bands bands;
    double from, to, rate;
    size_t count;
    for (int i = 0; i < N; i++) {
        double since = i % 512;
        x[i] = noise(&seed) + 3 * exp(-since / 30) * sin(2 * LMB_PI * 0.28 * since);
    }
    assert_true(lmb_bands_start(&bands, N, x, 10000));
    assert_true(lmb_bands_choose(&bands, 500, &from, &to));
    double *power = lmb_bands_power(&bands, from, to, &count, &rate);
    assert_true(from < 2800 && to > 2800 && to - from < 2000);
    assert_true(lmb_spectral_kurtosis(count, power) > 1);
    free(power);
    lmb_bands_free(&bands);
    for (int i = 0; i < N; i++)
        x[i] = sin(2 * LMB_PI * 0.28 * i);
    assert_true(lmb_bands_start(&bands, N, x, 10000));
    power = lmb_bands_power(&bands, 2500, 3100, &count, &rate);
    assert_close(lmb_spectral_kurtosis(count, power), -1, 1e-2); /* the ends were faded */
    free(power);
    lmb_bands_free(&bands);
}

/* A sine of 50 Hz integrates to 1 / omega and 1 / omega^2 of it, times the gain of the filter,
 * 1 / (1 + r^-8); the beginning and end are left out, and what they leave dies out with
 * exp(-2.4 high_pass t). */
static void integration(void **state)
{
    (void)state;
    double omega = 2 * LMB_PI * 50, gain = 1 / (1 + pow(50.0 / 10, -8)), rate = 4096;
    for (int times = 1; times <= 2; times++) {
        for (int i = 0; i < N; i++)
            x[i] = 7 + 3 * sin(omega * i / rate);
        assert_true(lmb_integrate(N, x, rate, times, 10));
        for (int i = 2048; i < N - 2048; i++) {
            double t = i / rate, expected = times == 1 ? -3 / omega * cos(omega * t)
                                                       : -3 / (omega * omega) * sin(omega * t);
            assert_true(fabs(x[i] - gain * expected) < 2e-3 * 3 / pow(omega, times));
        }
    }
}

/* Sines below, at the ends of, in and above a band, as they are and integrated: what is left is
 * 1 / sqrt((1 + (from / f)^32) (1 + (f / to)^32)) of them. What the ends of the record leave dies
 * out with exp(-0.6 from t), to 1e-5 in a fifth of a second. */
static void bands_of_sines(void **state)
{
    (void)state;
    static const double frequencies[] = {50, 100, 120, 400, 900, 1000, 2000};
    const double rate = 16384, from = 100, to = 1000;
    for (int k = 0; k < 7; k++)
        for (int times = 0; times <= 1; times++) {
            double f = frequencies[k], omega = 2 * LMB_PI * f, size = times ? 3 / omega : 3;
            double gain = 1 / sqrt((1 + pow(from / f, 32)) * (1 + pow(f / to, 32)));
            for (int i = 0; i < N; i++)
                x[i] = 7 + 3 * sin(omega * i / rate);
            assert_true(lmb_band_pass(N, x, rate, from, to, times));
            for (int i = 3300; i < N - 3300; i++) {
                double phase = omega * i / rate;
                double expected = gain * size * (times ? -cos(phase) : sin(phase));
                assert_true(fabs(x[i] - expected) < 1e-4 * 3 / (times ? 2 * LMB_PI * from : 1));
            }
        }
}

/* H1 of a filter y_i = a y_(i-1) + x_i with noise on y: 1 / (1 - a e^(-i w)), coherence below one;
 * without noise to the leakage of a Hann window over a short memory. */
static void responses(void **state)
{
    (void)state;
    unsigned seed = 3;
    double re[129], im[129], coherence[129];
    lmb_welch w = {256, 256, 0.5, LMB_WINDOW_HANN};
    for (int noisy = 0; noisy < 2; noisy++) {
        double last = 0, lowest = 1;
        for (int i = 0; i < N; i++) {
            x[i] = noise(&seed);
            last = 0.5 * last + x[i];
            y[i] = last + noisy * noise(&seed);
        }
        assert_true(lmb_welch_response(&w, N, x, y, re, im, coherence));
        for (int k = 2; k < 127; k++) {
            double phi = 2 * LMB_PI * k / 256, a = 1 - 0.5 * cos(phi), b = 0.5 * sin(phi);
            double size = a * a + b * b, tolerance = noisy ? 0.5 : 0.02;
            assert_true(hypot(re[k] - a / size, im[k] + b / size) < tolerance);
            lowest = fmin(lowest, coherence[k]);
        }
        assert_true(noisy ? lowest < 0.9 : lowest > 0.999);
    }
}

/* A run-up from 10 to 40 Hz with the third order of amplitude 2: over angles it is one line. */
static void orders_of_a_run_up(void **state)
{
    (void)state;
    static double speed[N], turns[N];
    double rate = 4096, density[513], amplitude[513];
    for (int i = 0; i < N; i++)
        speed[i] = 10 + 30.0 * i / N;
    lmb_turns(N, speed, rate, turns);
    for (int i = 0; i < N; i++)
        x[i] = 2 * cos(2 * LMB_PI * 3 * turns[i]);
    size_t count = (size_t)(turns[N - 1] * 64);
    lmb_angle_record(N, x, turns, 64, count, work);
    lmb_welch w = {64, 1024, 0.5, LMB_WINDOW_HANN};
    assert_true(lmb_welch_density(&w, count, work, density));
    lmb_welch_amplitudes(&w, density, amplitude);
    assert_close(amplitude[48], 2, 1e-3); /* the kernel of 32 values, and ends of the record */
    assert_close(lmb_sinc_value(N, x, 8000), x[8000], 1e-15);
}

/* A run-up f = f0 + c t seen by a tacho of two narrow pulses a turn, whose edges rise over two
 * values: the crossings are right to the curvature of the phase over a value, turns and speed then
 * to the same; the third order is one line of its amplitude. */
static void turns_from_pulses(void **state)
{
    (void)state;
    static double pulses[N], turns[N], speed[N];
    double rate = 4096, f0 = 10, c = 7.5, density[513], amplitude[513];
    lmb_arena *arena = lmb_arena_new();
    for (int i = 0; i < N; i++) {
        double t = i / rate, turn = f0 * t + c * t * t / 2, edge = 2 * (f0 + c * t) / rate;
        double phase = 2 * turn - floor(2 * turn);
        /* from -edge to edge around whole numbers; the rest of a tenth of a period is high */
        phase = phase > 0.5 ? phase - 1 : phase;
        y[i] = phase < -edge ? 0 : phase < edge ? 0.5 + 0.5 * phase / edge : phase < 0.1 ? 1 : 0;
        x[i] = 2 * cos(2 * LMB_PI * 3 * turn);
    }
    size_t count = lmb_pulses(N, y, pulses);
    double total = f0 * N / rate + c * N / rate * N / rate / 2, where;
    /* the first edge was half over at the start, the last one is at the end */
    assert_int_equal(count, ceil(2 * total) - 1);
    assert_true(fabs(lmb_pulse_gap(count, pulses, &where) - 1) < 0.1);
    size_t first = (size_t)ceil(pulses[0]), last = (size_t)floor(pulses[count - 1]);
    assert_true(lmb_pulse_turns(arena, count, pulses, 2, rate, first, last, turns, speed));
    for (size_t i = first; i <= last; i++) {
        double t = (double)i / rate, turn = f0 * t + c * t * t / 2 - 0.5;
        assert_true(fabs(turns[i - first] - turn) < 1e-5);
        assert_close(speed[i - first], f0 + c * t, 1e-3);
    }
    count = (size_t)((turns[last - first] - turns[0]) * 64);
    lmb_angle_record(last - first + 1, x + first, turns, 64, count, work);
    lmb_welch w = {64, 1024, 0.5, LMB_WINDOW_HANN};
    assert_true(lmb_welch_density(&w, count, work, density));
    lmb_welch_amplitudes(&w, density, amplitude);
    assert_close(amplitude[48], 2, 1e-3);
    /* a pulse that is missing is seen */
    for (int i = 20; i < 60; i++)
        pulses[i] = pulses[i + 1];
    assert_true(lmb_pulse_gap(60, pulses, &where) > 1.7);
    lmb_arena_free(arena);
}

/* A mode of 40 Hz and 2 %, as accelerance, with another of 55 Hz beside it, over 4 Hz. What the
 * second and the conjugate pole add is a straight line but for its curvature: (2/15)^3 of 1.1
 * against a peak of 25, 1e-4, which the fit of a pole enlarges tenfold at most. With an exponential
 * window the pole has moved. */
static void modes_are_fitted(void **state)
{
    (void)state;
    enum { COUNT = 17 };
    double f[COUNT], re[COUNT], im[COUNT];
    for (int windowed = 0; windowed < 2; windowed++) {
        double decay = windowed ? 3 : 0, top = 0;
        for (int i = 0; i < COUNT; i++) {
            f[i] = 38 + i / 4.0;
            double complex s = decay + 2 * LMB_PI * f[i] * I, H = 0;
            for (int mode = 0; mode < 2; mode++) {
                double omega = 2 * LMB_PI * (mode ? 55 : 40);
                H += s * s / (s * s + 2 * 0.02 * omega * s + omega * omega);
            }
            re[i] = creal(H);
            im[i] = cimag(H);
            top = fmax(top, cabs(H));
        }
        lmb_fitted_mode mode;
        assert_true(lmb_mode_fit(COUNT, f, re, im, decay, &mode));
        assert_true(fabs(mode.frequency - 40) < 0.01 * 40 * 0.02);
        assert_true(fabs(mode.damping - 0.02) < 0.01 * 0.02);
        assert_true(mode.misfit < 1e-3);
        /* at 40 Hz: -1 / (2 d i) and the other mode's part */
        double q = 55.0 / 40;
        double complex there = -1 / (0.04 * I) - 1 / (q * q - 1 + 0.04 * q * I);
        assert_true(cabs(mode.real + mode.imaginary * I - there) < 0.01 * cabs(there));
        assert_true(windowed ? top < 0.7 * cabs(there) : top < 1.01 * cabs(there));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_have_their_amplitude),
        cmocka_unit_test(sines_between_bins),
        cmocka_unit_test(densities_add_up),
        cmocka_unit_test(densities_of_noise),
        cmocka_unit_test(bands_of_sines),
        cmocka_unit_test(envelopes_of_modulated_sines),
        cmocka_unit_test(kurtosis_finds_the_band),
        cmocka_unit_test(integration),
        cmocka_unit_test(responses),
        cmocka_unit_test(orders_of_a_run_up),
        cmocka_unit_test(turns_from_pulses),
        cmocka_unit_test(modes_are_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
