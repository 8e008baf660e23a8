/* What the parts of limber spectrum share: records, and what is computed from them. */
#ifndef LMB_CLI_SPECTRUM_H
#define LMB_CLI_SPECTRUM_H

#include "analysis/bearing.h"
#include "analysis/diagnosis.h"
#include "base/arena.h"
#include "cli/verb.h"
#include "math/signal.h"

/* An evenly sampled record. */
typedef struct lmb_record {
    const char *path, *name, *unit;
    size_t n;
    double rate;
    double *x;
    double *other; /* a second column (speed or force), or NULL */
    const char *other_unit;
} lmb_record;

/* Reads a record from a CSV, WAV or result file; other: the name of a second column, or NULL. */
lmb_status lmb_record_read(const lmb_arguments *arguments, lmb_arena *arena, const char *path,
                           const char *other, lmb_record *out);

/* A line of the table of peaks. */
typedef struct lmb_peak {
    double frequency, amplitude;
    char name[64]; /* of the fault line it lies on, or "" */
    double before; /* amplitude in the baseline */
} lmb_peak;

/* What was asked for, and what came out. */
typedef struct lmb_spectrum_work {
    const lmb_arguments *arguments;
    lmb_context *context;
    lmb_arena *arena;
    /* asked for */
    lmb_welch welch;
    double resolution, from, to, slip, high_pass;
    int peak_count, integrate;
    bool envelope, orders, waterfall, has_bearing;
    double band_from, band_to; /* band_to = 0: to be found */
    double shaft;              /* Hz, 0: not known */
    lmb_bearing bearing;
    lmb_bearing_lines lines;
    /* of the present record */
    lmb_record record;
    double kurtosis; /* of the band that was found */
    size_t bins;
    double step; /* Hz, or orders */
    double *amplitude, *axis;
    lmb_statistics statistics;
    lmb_diagnosis diagnosis;
    bool diagnosed;
    int found;
    lmb_peak *peaks;
    /* the baseline's */
    double *before;
    lmb_statistics before_statistics;
    /* a waterfall: spectra one after the other */
    int slices;
    double *slice_time, *slice_speed, *slice_amplitude; /* slices x bins */
    /* an impact test */
    bool impact;
    double *real, *imaginary, *coherence;
    size_t averages;
} lmb_spectrum_work;

/* Computes what was asked for of the record. */
lmb_status lmb_spectrum_analyse(lmb_spectrum_work *work);

/* Prints, draws (path: -o) and lists it. */
void lmb_spectrum_print(const lmb_spectrum_work *work);
void lmb_spectrum_print_json(const lmb_spectrum_work *work);
lmb_status lmb_spectrum_draw(const lmb_spectrum_work *work, const char *path);

/* One line of a trend. */
typedef struct lmb_trend_row {
    const char *path;
    lmb_statistics statistics;
    double lines[3 + LMB_FAULTS]; /* 1x 2x 3x of the shaft; -log10 of the chances of the faults */
} lmb_trend_row;

void lmb_trend_print(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows);
lmb_status lmb_trend_draw(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows,
                          const char *path);

#endif
