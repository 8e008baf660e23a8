/* What the parts of limber spectrum share: records, and what is computed from them. */
#ifndef LMB_CLI_SPECTRUM_H
#define LMB_CLI_SPECTRUM_H

#include "signal/bearing.h"
#include "signal/diagnosis.h"
#include "base/arena.h"
#include "base/json.h"
#include "cli/verb.h"
#include "report/sheet.h"
#include "signal/mode_fit.h"
#include "signal/signal.h"

/* An evenly sampled record. */
typedef struct lmb_record {
    const char *path, *name, *unit;
    size_t n;
    double rate;
    double *x;
    double *other; /* a second column (speed, pulses or force), or NULL; then the speed in Hz */
    const char *other_name, *other_unit;
    double *turns; /* of the shaft at the instants, from pulses; or NULL */
    double start;  /* the time of the first value, s */
} lmb_record;

/* Reads a record from a CSV, WAV or result file; other: the name of a second column, or NULL. */
lmb_status lmb_record_read(const lmb_arguments *arguments, lmb_arena *arena, const char *path,
                           const char *other, lmb_record *out);

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
    lmb_mode mode;
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
    const lmb_arguments *arguments;
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
    lmb_record record;
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

/* Parts of it: the segment for the resolution, amplitudes over frequency (or order), with the speed
 * of the shaft those over order and the waterfall, the response to blows. */
lmb_status lmb_spectrum_amplitudes(lmb_spectrum_work *work, size_t n, const double *x, double rate);
lmb_status lmb_spectrum_speed(lmb_spectrum_work *work);
lmb_status lmb_spectrum_orders(lmb_spectrum_work *work);
lmb_status lmb_spectrum_waterfall(lmb_spectrum_work *work);
lmb_status lmb_spectrum_response(lmb_spectrum_work *work);

/* Overall values of the record's bands: their table, as JSON, the name of one, and the name of the
 * record's file with the rms of the first band. */
lmb_status lmb_spectrum_overall(lmb_spectrum_work *work);
void lmb_overall_table(const lmb_spectrum_work *work, lmb_sheet *sheet);
void lmb_overall_json(lmb_json *json, const lmb_spectrum_work *work, int count,
                      const lmb_overall *all);
const char *lmb_overall_name(lmb_arena *arena, const lmb_overall *overall);
const char *lmb_overall_title(const lmb_spectrum_work *work, lmb_arena *arena);

/* What a unit of acceleration has in m/s^2; 0: it is none. */
double lmb_spectrum_acceleration(const char *unit);

/* Fails where half the sampling rate is below the upper end of a band. */
lmb_status lmb_spectrum_check_band(lmb_spectrum_work *work, double to);

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

/* The lines of the bearing on the axis of the spectrum, as many as are told; names as the table of
 * peaks has them. */
enum { LMB_SPECTRUM_LINES = 5 };
extern const char *const lmb_spectrum_line_names[LMB_SPECTRUM_LINES];
int lmb_spectrum_lines(const lmb_spectrum_work *work, double lines[LMB_SPECTRUM_LINES]);

/* What is said about a record in sentences, of which there are at most LMB_SHEET_MOST. */
void lmb_spectrum_say(const lmb_spectrum_work *work, lmb_sheet *sheet);

/* The tables of peaks, faults and slices. */
void lmb_spectrum_tables(const lmb_spectrum_work *work, lmb_sheet *sheet);

/* The figures: the first is what is drawn as a picture; the others are for the page. */
void lmb_spectrum_figures(const lmb_spectrum_work *work, bool all, lmb_sheet *sheet);

void lmb_spectrum_print_json(const lmb_spectrum_work *work);

/* Prints sentences and tables as a text. */
void lmb_spectrum_print(const lmb_sheet *sheet);

/* One line of a trend. */
typedef struct lmb_trend_row {
    const char *path;
    lmb_statistics statistics;
    int overall_count;
    const lmb_overall *overall;
    double lines[3 + LMB_FAULTS]; /* 1x 2x 3x of the shaft; -log10 of the chances of the faults */
} lmb_trend_row;

void lmb_trend_print_json(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows);

/* The trend as a sheet with its table and figure. */
void lmb_trend_sheet(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows,
                     lmb_sheet *sheet);

#endif
