/* What a record of a vibration shows: averaged spectra, overall values of bands, peaks with the
 * names of the lines they lie on, spectra over orders, responses to blows, faults of a bearing. */
#ifndef LMB_SIGNAL_SPECTRUM_H
#define LMB_SIGNAL_SPECTRUM_H

#include "base/arena.h"
#include "signal/bearing.h"
#include "signal/signal.h"

typedef enum lmb_spectrum_kind {
    LMB_SPECTRUM_PLAIN,
    LMB_SPECTRUM_ENVELOPE,
    LMB_SPECTRUM_ORDERS,
    LMB_SPECTRUM_WATERFALL,
    LMB_SPECTRUM_RESPONSE,
    LMB_SPECTRUM_KINDS
} lmb_spectrum_kind;

extern const char *const lmb_spectrum_kinds[LMB_SPECTRUM_KINDS];

/* A line of the table of peaks. */
typedef struct lmb_peak {
    double frequency;
    double height; /* an amplitude, or a density */
    char name[64]; /* of the fault line it lies on, or "" */
    double before; /* its height in the baseline */
    bool fitted;   /* of a response: a mode was fitted to the peak */
    lmb_fitted_mode mode;
    double phase, coherence; /* of a response: degrees, and 0 .. 1 */
} lmb_peak;

/* Overall values of a band. */
typedef struct lmb_overall {
    double from, to; /* Hz */
    const char *quantity, *unit;
    lmb_statistics statistics;
} lmb_overall;

enum { LMB_MOST_BANDS = 8 };

/* What was asked for, and what came out. */
typedef struct lmb_spectrum_work {
    lmb_context *context;
    lmb_arena *arena;
    /* asked for */
    lmb_spectrum_kind kind;
    bool by_order; /* over orders: those of all of the record, or a waterfall of them */
    lmb_welch welch;
    double resolution, from, to, slip, high_pass;
    int peak_count, integrate;
    bool has_bearing;
    bool as_density;           /* power densities are listed and drawn, not amplitudes */
    double pulses;             /* a turn, of a tacho; 0: the other column is a speed */
    double band_from, band_to; /* band_to = 0: to be found */
    int band_count;            /* of overall values */
    double bands[LMB_MOST_BANDS][2];
    double shaft;        /* Hz, 0: not known */
    double force_window; /* s, of a hammer's force; 0: none */
    double exponential;  /* time constant of the window on a response, s; 0: none */
    lmb_bearing bearing;
    lmb_bearing_lines lines;
    /* of the present record */
    lmb_waveform record;
    double slowest, fastest; /* speeds, Hz; 0: not known */
    double kurtosis;         /* of the band */
    size_t bins;
    double step; /* Hz, or orders */
    double *axis, *amplitude;
    double *density; /* of power, in density_unit; of plain, envelope, order and waterfall */
    const char *density_unit;
    lmb_statistics statistics;
    int overall_count;
    lmb_overall *overall;
    lmb_diagnosis diagnosis;
    bool diagnosed;
    int found;
    lmb_peak *peaks;
    const struct lmb_spectrum_work *before; /* the baseline, or NULL */
    /* a waterfall: spectra one after the other */
    int slices;
    double *slice_time, *slice_speed;
    double *slice_amplitude, *slice_density; /* slices x lmb_welch_bins */
    /* a response */
    double *real, *imaginary, *coherence;
    double reach; /* Hz up to which the blows have force; 0: everywhere */
    size_t averages;
} lmb_spectrum_work;

/* Computes what was asked for of the record, but for the peaks. */
lmb_status lmb_spectrum_analyse(lmb_spectrum_work *work);

/* The work for a baseline: the settings and the band of a record that was analysed. Once it has
 * been analysed too, it becomes what the record is compared with. */
lmb_spectrum_work lmb_spectrum_like(const lmb_spectrum_work *work);
lmb_status lmb_spectrum_set_baseline(lmb_spectrum_work *work, lmb_spectrum_work *before);

/* Parts of it: amplitudes over frequency (or order), with the speed of the shaft those over order
 * and the waterfall, the response to blows. */
lmb_status lmb_spectrum_amplitudes(lmb_spectrum_work *work, size_t n, const double *x, double rate);
lmb_status lmb_spectrum_speed(lmb_spectrum_work *work);
lmb_status lmb_spectrum_orders(lmb_spectrum_work *work);
lmb_status lmb_spectrum_waterfall(lmb_spectrum_work *work);
lmb_status lmb_spectrum_response(lmb_spectrum_work *work);

/* The rms of an overall value in the baseline, NAN where that has another unit; peak over rms, NAN
 * where there is no vibration. */
double lmb_overall_before(const lmb_spectrum_work *work, int overall);
double lmb_overall_crest(const lmb_overall *overall);

/* Finds the peaks, with what they were in the baseline; of a response, fits modes to them. */
lmb_status lmb_spectrum_peaks(lmb_spectrum_work *work);

/* What is listed and drawn: amplitudes or densities, of all of the record or of a slice of it, and
 * their word and unit. */
const double *lmb_spectrum_heights(const lmb_spectrum_work *work);
const double *lmb_spectrum_slice(const lmb_spectrum_work *work, int slice);
const char *lmb_spectrum_word(const lmb_spectrum_work *work);
const char *lmb_spectrum_unit(const lmb_spectrum_work *work);

/* The rms between --from and --to (the integral of the density), and up to where that is; whether
 * it was asked for. */
bool lmb_spectrum_has_band(const lmb_spectrum_work *work);
double lmb_spectrum_band_rms(const lmb_spectrum_work *work, double *to);

/* The height of the line next to a frequency. */
double lmb_spectrum_near(const lmb_spectrum_work *work, double frequency);

/* How much a peak has changed since the baseline, dB. */
double lmb_spectrum_change(const lmb_spectrum_work *work, const lmb_peak *peak);

/* The lines of the bearing on the axis of the spectrum, as many as are listed; names as the table
 * of peaks has them. */
enum { LMB_SPECTRUM_LINES = 5 };
extern const char *const lmb_spectrum_line_names[LMB_SPECTRUM_LINES];
int lmb_spectrum_lines(const lmb_spectrum_work *work, double lines[LMB_SPECTRUM_LINES]);

/* Of a slice of a waterfall: where its largest line is, and its height. */
void lmb_spectrum_largest(const lmb_spectrum_work *work, int slice, double *place, double *height);

/* One record of a trend. */
enum { LMB_TREND_LINES = 3 + LMB_FAULTS };
typedef struct lmb_trend_row {
    const char *path;
    lmb_statistics statistics;
    int overall_count;
    const lmb_overall *overall;
    double lines[LMB_TREND_LINES]; /* 1x 2x 3x of the shaft; -log10 of the chances of the faults */
} lmb_trend_row;

/* What a trend keeps of a record that was analysed. */
lmb_trend_row lmb_trend_of(const lmb_spectrum_work *work);

/* How many of the lines a trend has, and their names. */
int lmb_trend_lines(const lmb_spectrum_work *work);
extern const char *const lmb_trend_names[LMB_TREND_LINES];

#endif
