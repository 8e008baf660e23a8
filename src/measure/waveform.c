/* Waveforms from the columns of measurements; see measurement.h. */
#include "measure/measurement.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "measure/unit_text.h"

/* So many values that are missing one after the other are filled in. */
enum { MOST_MISSING = 10 };

/* --- columns ---------------------------------------------------------------------------------- */

/* Fills in single values that are missing, by straight lines; many are too many. */
static lmb_status fill_in(const lmb_measurement *m, const char *name, size_t n, double *x)
{
    size_t missing = 0, run = 0, longest = 0;
    for (size_t i = 0; i < n; i++) {
        run = isnan(x[i]) ? run + 1 : 0;
        missing += isnan(x[i]);
        longest = run > longest ? run : longest;
    }
    if (missing == n)
        return lmb_fail(m->context, LMB_BAD_INPUT, "column '%s' of '%s' is not of numbers", name,
                        m->path);
    if (missing > n / 50 || longest > MOST_MISSING) {
        lmb_fail(m->context, LMB_BAD_INPUT,
                 "column '%s' of '%s' has no value in %zu of %zu rows, up to %zu one after the "
                 "other",
                 name, m->path, missing, n, longest);
        return lmb_hint(m->context, "cut the file to a piece without such rows");
    }
    if (missing > 0)
        lmb_warn(m->context, "column '%s' of '%s' has no value in %zu rows: interpolated", name,
                 m->path, missing);
    size_t last = n; /* of the values that are there; none yet */
    for (size_t i = 0; i < n && missing > 0; i++) {
        if (isnan(x[i]))
            continue;
        for (size_t k = last == n ? 0 : last + 1; k < i; k++)
            x[k] = last == n ? x[i]
                             : x[last] + (x[i] - x[last]) * (double)(k - last) / (double)(i - last);
        last = i;
    }
    for (size_t k = last + 1; k < n; k++)
        x[k] = x[last];
    return LMB_OK;
}

/* --- times ------------------------------------------------------------------------------------ */

/* Looks at the times, and says what is wrong with them. */
static lmb_status look_at_times(const lmb_measurement *m, const double *times, bool gapless,
                                lmb_instants *out)
{
    if (!lmb_instants_look((size_t)m->table.rows, times, !gapless, out))
        return lmb_fail_memory(m->context);
    if (out->back) {
        lmb_fail(m->context, LMB_BAD_INPUT, "the times of '%s' do not grow, at row %zu", m->path,
                 out->back + 1);
        return lmb_hint(m->context, "if it was sampled evenly all the same, give the --rate");
    }
    double span = (double)(out->count - 1) / out->rate;
    if (!(span > 0) || (out->even && out->scatter > 0.1 && span < 20 * out->quantum)) {
        lmb_fail(m->context, LMB_BAD_INPUT, "the times of '%s' are too coarse for a sampling rate",
                 m->path);
        return lmb_hint(m->context, "give it in Hz: --rate");
    }
    if (out->gaps > 0)
        lmb_warn(
            m->context,
            "'%s' has %zu gap%s, the longest of %g s after t = %g s: the longest piece without "
            "one, %g to %g s, is taken",
            m->path, out->gaps, out->gaps > 1 ? "s" : "", out->gap, out->gap_at, times[out->first],
            times[out->first + out->count - 1]);
    if (out->even && out->scatter > 5)
        lmb_warn(
            m->context,
            "the times of '%s' are written to %g s: a rate of %g Hz follows from the first and "
            "the last; --rate is better",
            m->path, out->quantum, out->rate);
    if (out->missing > 0)
        lmb_warn(m->context,
                 "%zu rows of '%s' seem to be missing at %g Hz: they are interpolated (give --rate "
                 "if it was sampled evenly)",
                 out->missing, m->path, out->rate);
    else if (!out->even)
        lmb_warn(m->context,
                 "'%s' is not sampled evenly (instants are off by up to %.3g steps): it is "
                 "interpolated at %g Hz, and frequencies above %g Hz are less certain",
                 m->path, out->scatter, out->rate, out->rate / 4);
    return LMB_OK;
}

/* One column at the even instants. */
static lmb_status take_column(const lmb_measurement *m, int column, const lmb_instants *in,
                              const double *times, double **out)
{
    double *x = lmb_measurement_values(m, column, 1);
    double *even = in->even ? x : lmb_arena_numbers(m->arena, in->count);
    if (!x || !even)
        return lmb_fail_memory(m->context);
    lmb_status status = fill_in(m, m->table.names[column], in->count, x + in->first);
    if (!status && !in->even)
        lmb_even_out(in, times, x, even);
    *out = in->even ? x + in->first : even;
    return status;
}

/* The only column with numbers besides that of times. */
static lmb_status only_column(const lmb_measurement *m, int *column)
{
    int count = 0;
    const char *all = "";
    for (int k = 0; k < m->table.columns; k++) {
        if (k == m->times || !lmb_measurement_has_numbers(m, k))
            continue;
        *column = k;
        if (all && strlen(all) < 400)
            all = lmb_text_format(m->arena, "%s%s%s", all, count ? ", " : "", m->table.names[k]);
        count++;
    }
    if (count == 1)
        return LMB_OK;
    lmb_fail(m->context, LMB_USAGE, "'%s' has %d columns: give one with --column", m->path, count);
    if (count == 2 && !m->named && m->rate > 0)
        lmb_hint(m->context, "by number, --column 1; or, if the commas are decimal ones, "
                             "--decimal-comma");
    else if (all && *all)
        lmb_hint(m->context, "there are: %s", all);
    return LMB_USAGE;
}

/* The longest piece of a table in which neither column has many values missing one after the other.
 */
static lmb_measurement longest_piece(const lmb_measurement *m, const int columns[2])
{
    const lmb_logger_table *t = &m->table;
    int first = 0, best = 0, length = 0, run = 0;
    lmb_measurement piece = *m;
    for (int i = 0; i <= t->rows; i++) {
        bool missing = i < t->rows && (isnan(lmb_measurement_value(m, i, columns[0])) ||
                                       isnan(lmb_measurement_value(m, i, columns[1])));
        run = missing ? run + 1 : 0;
        int end = run > MOST_MISSING ? i - run + 1 : i;
        if ((i == t->rows || run > MOST_MISSING) && end - first > length) {
            best = first;
            length = end - first;
        }
        first = run > MOST_MISSING ? i + 1 : first;
    }
    if (length == 0 || length == t->rows)
        return piece;
    lmb_warn(m->context,
             "'%s' has long gaps without values: the longest piece is taken, rows %d to %d of %d",
             m->path, best + 1, best + length, t->rows);
    piece.table.values += (size_t)best * (size_t)t->columns;
    piece.table.rows = length;
    return piece;
}

/* --- units ------------------------------------------------------------------------------------ */

/* What the unit of a speed is times to give Hz, by the unit or, where there is none, by words that
 * the name of the column has. */
static double speed_factor(lmb_context *context, const char *unit, const char *column)
{
    static const struct {
        const char *word, *unit;
    } words[] = {{"rpm", "rpm"}, {"1/min", "rpm"}, {"u/min", "rpm"}, {"rad", "rad/s"},
                 {"hz", "Hz"},   {"freq", "Hz"},   {"rps", "rps"}};
    char name[64] = "";
    lmb_ratio factor;
    for (size_t i = 0; i + 1 < sizeof name && column[i]; i++)
        name[i] = lmb_to_lower(column[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words && !unit[0]; i++)
        if (strstr(name, words[i].word))
            unit = words[i].unit;
    unit = !unit[0] ? "rpm" : strcmp(unit, "1/s") == 0 ? "Hz" : unit;
    if (!lmb_unit_convert(unit, "Hz", &factor)) {
        lmb_warn(context, "the unit '%s' of the speed is not known: it is taken for rpm", unit);
        lmb_unit_convert("rpm", "Hz", &factor);
    }
    return factor.over / factor.under;
}

/* The unit and the scale that were asked for take the place of those of the file. */
static void apply_units(lmb_context *context, const lmb_waveform_request *r, lmb_waveform *w)
{
    lmb_ratio factor;
    for (size_t i = 0; i < w->n && r->scale != 1; i++)
        w->x[i] *= r->scale;
    w->unit = r->unit ? r->unit : w->unit;
    if (w->unit[0] && lmb_unit_convert(w->unit, "m/s^2", &factor))
        w->acceleration = factor.over / factor.under;
    if (!w->other || !r->speed)
        return;
    double hertz = speed_factor(context, w->other_unit, w->other_name);
    for (size_t i = 0; i < w->n; i++)
        w->other[i] *= hertz;
}

/* --- all of it -------------------------------------------------------------------------------- */

lmb_status lmb_waveform_take(const lmb_measurement *all, const lmb_waveform_request *r,
                             lmb_waveform *out)
{
    int column = -1, second = -1;
    double *times;
    *out = (lmb_waveform){.path = all->path, .other_name = "", .other_unit = ""};
    if ((r->column ? lmb_measurement_column(all, r->column, &column) : only_column(all, &column)) ||
        (r->other && lmb_measurement_column(all, r->other, &second)))
        return lmb_last_status(all->context);
    lmb_measurement m = longest_piece(all, (int[]){column, r->other ? second : column});
    const lmb_logger_table *t = &m.table;
    lmb_instants in = {.count = (size_t)t->rows, .rate = m.rate, .even = true};
    if (lmb_measurement_times(&m, &times) ||
        (!(m.rate > 0) && t->rows > 1 && look_at_times(&m, times, r->gapless, &in)) ||
        take_column(&m, column, &in, times, &out->x) ||
        (r->other && take_column(&m, second, &in, times, &out->other)))
        return lmb_last_status(m.context);
    if (in.count < 16)
        return lmb_fail(m.context, LMB_BAD_INPUT, "'%s' has too few values for a spectrum", m.path);
    out->n = in.count;
    out->rate = in.rate;
    if (m.times >= 0 && !t->stamps[m.times]) /* stamps count from the first row */
        out->start = times[in.first];
    out->name = t->names[column];
    out->unit = t->units[column];
    if (r->other) {
        out->other_name = t->names[second];
        out->other_unit = t->units[second];
    }
    apply_units(m.context, r, out);
    return LMB_OK;
}
