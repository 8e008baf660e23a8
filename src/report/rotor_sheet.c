/* Sheets of rotors. */
#include "report/rotor_sheet.h"

#include <math.h>

#include "base/message.h"
#include "base/text.h"
#include "math/vec.h"

static const double per_rpm = LMB_PI / 30, turn = 2 * LMB_PI;

/* --- words ------------------------------------------------------------------------------------ */

/* Whether a critical speed counts: unbalance drives forward whirl. Where the bearings differ in the
 * planes, it drives all. */
static bool counts(const lmb_rotor_results *r, const lmb_critical *c)
{
    return c->sense > -0.999999 || !r->system->isotropic;
}

/* Damping without the rounding of what is not damped. */
static double cleaned(double damping)
{
    return fabs(damping) < 1e-9 ? 0 : damping;
}

/* Why the table has lower critical speeds than those that are spoken of. */
static void say_backward(lmb_sheet *sheet, const lmb_rotor_results *r, double first)
{
    double lowest = INFINITY;
    for (int i = 0; i < r->criticals.count; i++)
        if (!counts(r, &r->criticals.of[i]))
            lowest = fmin(lowest, r->criticals.of[i].undamped);
    if (lowest < 0.99 * first)
        lmb_sheet_say(sheet,
                      "Unbalance does not excite backward whirl, such as that at %.6g rpm, as long "
                      "as bearings and supports are alike in both planes.",
                      lowest / per_rpm);
}

static void say_where(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    const double strong = 0.2; /* more damping than this leaves no peak: amplification below 2.5 */
    double speed = r->rotor.speed, below = 0, nearest = INFINITY;
    int passed = 0, first = -1;
    for (int i = 0; i < r->criticals.count; i++) {
        double at = r->criticals.of[i].undamped;
        if (!counts(r, &r->criticals.of[i]))
            continue;
        first = first < 0 ? i : first;
        if (at < speed) {
            passed++;
            below = at;
        }
        if (fabs(at - speed) < fabs(nearest - speed) && r->criticals.of[i].ratio < strong)
            nearest = at;
    }
    if (first < 0)
        return;
    if (passed == 1)
        lmb_sheet_say(sheet,
                      "At %.6g rpm the rotor runs over-critically: it must pass the critical speed "
                      "of %.6g rpm (%.4g Hz) on the way up.",
                      speed / per_rpm, below / per_rpm, below / turn);
    else if (passed)
        lmb_sheet_say(sheet,
                      "At %.6g rpm the rotor runs over-critically: it must pass %d critical speeds "
                      "on the way up, the last at %.6g rpm (%.4g Hz).",
                      speed / per_rpm, passed, below / per_rpm, below / turn);
    else
        lmb_sheet_say(sheet,
                      "At %.6g rpm the rotor runs under-critically: the first critical speed is "
                      "%.6g rpm (%.4g Hz).",
                      speed / per_rpm, r->criticals.of[first].undamped / per_rpm,
                      r->criticals.of[first].undamped / turn);
    say_backward(sheet, r, r->criticals.of[first].undamped);
    if (fabs(nearest - speed) < 0.2 * speed)
        lmb_sheet_say(sheet,
                      "The service speed is only %.1f %% from the critical speed of %.6g rpm: "
                      "large vibrations are to be expected.",
                      100 * fabs(nearest / speed - 1), nearest / per_rpm);
}

/* "an unbalance of 0.0006 kg m and a damping ratio of 0.01": what bounds the amplitude. */
static const char *say_causes(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    double unbalance = 0, ratio = NAN;
    for (int i = 0; i < r->rotor.disc_count; i++)
        unbalance += r->rotor.discs[i].unbalance;
    for (int i = 0; i < r->rotor.unbalance_count; i++)
        unbalance += r->rotor.unbalances[i].amount;
    /* of the first critical speed on the way */
    for (int i = r->criticals.count - 1; i >= 0 && r->whirl_ratio == 1; i--)
        if (counts(r, &r->criticals.of[i]) && r->criticals.of[i].undamped < r->rotor.run_to)
            ratio = r->criticals.of[i].ratio;
    return isfinite(ratio)
               ? lmb_text_format(sheet->arena,
                                 "an unbalance of %.4g kg m and a damping ratio of %.3g", unbalance,
                                 cleaned(ratio))
               : lmb_text_format(sheet->arena, "an unbalance of %.4g kg m", unbalance);
}

static void say_run_up(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    int largest = 0, stations = r->system->station_count;
    if (r->run_up.count == 0 || stations == 0)
        return;
    for (int k = 1; k < stations; k++)
        largest = r->run_up.most[k] > r->run_up.most[largest] ? k : largest;
    lmb_sheet_say(sheet,
                  "Running up from %.6g to %.6g rpm in %g s with %s, the largest amplitude is %.4g "
                  "mm, at '%s' and %.6g rpm.",
                  r->rotor.run_from / per_rpm, r->rotor.run_to / per_rpm, r->rotor.run_duration,
                  say_causes(sheet, r), 1000 * r->run_up.most[largest],
                  r->system->stations[largest].name, r->run_up.at[largest] / per_rpm);
}

/* A largest amplitude at the end of the diagrams is none of a resonance. */
static void say_rising(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    double last = r->rotor.to, step = (r->rotor.to - r->rotor.from) / r->rotor.steps;
    bool rising = false;
    for (int k = 0; k < r->system->station_count && r->loaded; k++)
        rising = rising || (r->peak[k] > 0 && r->peak_at[k] > last - 1e-6 * step);
    if (rising)
        lmb_sheet_say(sheet,
                      "Amplitudes still grow at %.6g rpm, where the diagrams end: 'speeds' that go "
                      "further show whether they get larger.",
                      last / per_rpm);
}

/* What grows: "a forward whirl of 12.5 Hz grows". */
static const char *say_growth(lmb_sheet *sheet, const lmb_instability *of)
{
    return of->frequency > 0
               ? lmb_text_format(sheet->arena, "a %s%swhirl of %.4g Hz grows",
                                 isnan(of->sense) ? "" : lmb_whirl_word(of->sense, false),
                                 isnan(of->sense) ? "" : " ", of->frequency)
               : "it moves away without vibrating";
}

static void say_stability(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    const lmb_instability *of = &r->instability;
    if (of->found && isfinite(of->to))
        lmb_sheet_say(sheet, "The rotor is unstable from %.6g to %.6g rpm: %s.", of->from / per_rpm,
                      of->to / per_rpm, say_growth(sheet, of));
    else if (of->found)
        lmb_sheet_say(sheet, "The rotor is unstable from %.6g rpm on: %s.", of->from / per_rpm,
                      say_growth(sheet, of));
    if (r->service.growth > 0 && r->rotor.speed > 0)
        lmb_sheet_say(sheet, "It is unstable at its service speed of %.6g rpm.",
                      r->rotor.speed / per_rpm);
}

static void say_sag(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    double most = 0, at = 0, x;
    for (int i = 0; r->sags && i < lmb_rotor_line_count(s); i++) {
        double size = cabs(lmb_rotor_line(s, i, r->sag, &x));
        at = size > most ? x : at;
        most = fmax(most, size);
    }
    if (r->sags)
        lmb_sheet_say(sheet, "Under weight it sags by %.6g mm at x = %.4g m.", 1000 * most, at);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void tell_criticals(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    const char *title =
        r->whirl_ratio == 1
            ? "Critical speeds"
            : lmb_text_format(sheet->arena, "Critical speeds (whirl = %g x speed)", r->whirl_ratio);
    lmb_sheet_table_add(sheet, title, "|rpm|Hz|damped rpm|damping|log. decr.|whirl");
    for (int i = 0; i < r->criticals.count; i++) {
        const lmb_critical *c = &r->criticals.of[i];
        lmb_sheet_row(sheet, "%d|%.6g|%.6g|%.6g|%.6g|%.6g|%s", i + 1, c->undamped / per_rpm,
                      c->undamped / turn, c->damped / per_rpm, cleaned(c->ratio),
                      cleaned(c->decrement), lmb_whirl_word(c->sense, c->mixed));
    }
}

static void tell_modes(lmb_sheet *sheet, const lmb_whirl_list *list)
{
    const char *title = list->speed > 0 ? lmb_text_format(sheet->arena, "Vibrations at %.6g rpm",
                                                          list->speed / per_rpm)
                                        : "Vibrations at rest";
    lmb_sheet_table_add(sheet, title, "mode|Hz|rad/s|damping|log. decr.|whirl");
    for (int i = 0; i < list->count; i++) {
        const lmb_whirl *m = &list->modes[i];
        lmb_sheet_row(sheet, "%d|%.6g|%.6g|%.6g|%.6g|%s", i + 1, m->frequency / turn, m->frequency,
                      cleaned(m->ratio), cleaned(m->decrement), lmb_whirl_word(m->sense, m->mixed));
    }
}

static void tell_estimates(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    const lmb_rotor_estimates *e = &r->estimates;
    const struct {
        const char *name;
        double value;
    } rows[] = {{"supports, seals, couplings alone", e->others},
                {"shaft alone", e->shaft},
                {"Dunkerley", e->dunkerley},
                {"Rayleigh", e->rayleigh},
                {"finite elements", e->exact}};
    if (!r->estimated)
        return;
    lmb_sheet_table_add(sheet, "Lowest frequency at rest", "|rad/s|Hz");
    for (int i = 0; i < r->rotor.disc_count; i++)
        lmb_sheet_row(sheet, "%s alone|%.6g|%.6g", r->rotor.discs[i].name, e->disc[i],
                      e->disc[i] / turn);
    for (int i = e->others > 0 ? 0 : 1; i < 5; i++)
        lmb_sheet_row(sheet, "%s|%.6g|%.6g", rows[i].name, rows[i].value, rows[i].value / turn);
}

static void tell_loads(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    if (!r->sags)
        return;
    lmb_sheet_table_add(sheet, "Loads of bearings under weight", "bearing|y in N|z in N|both in N");
    for (int b = 0; b < r->rotor.bearing_count; b++) {
        double y = r->loads[b][0], z = r->loads[b][1];
        lmb_sheet_row(sheet, "%s|%.6g|%.6g|%.6g", r->rotor.bearings[b].name, y, z, hypot(y, z));
    }
}

/* The largest half axes over speed, and the orbits at the service speed. */
static void tell_response(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    if (!r->loaded)
        return;
    lmb_sheet_table_add(sheet, "Unbalance response", "place|largest in mm|at rpm");
    if (r->service_y)
        lmb_sheet_columns(sheet, "in service in mm|other half axis|phase in deg");
    for (int k = 0; k < s->station_count; k++) {
        bool moves = r->peak[k] > 0;
        lmb_sheet_row(sheet, "%s", s->stations[k].name);
        if (isfinite(r->peak[k]))
            lmb_sheet_cells(sheet, "%.6g", 1000 * r->peak[k]);
        else
            lmb_sheet_cells(sheet, "without bounds");
        lmb_sheet_cells(sheet, "%.6g", moves ? r->peak_at[k] / per_rpm : NAN);
        if (!r->service_y)
            continue;
        int u = s->unknown[s->stations[k].node];
        lmb_orbit o = lmb_orbit_of(r->service_y[u], r->service_z[u]);
        lmb_sheet_cells(sheet, "%.6g|%.6g|%.6g", 1000 * o.major, 1000 * o.minor,
                        moves ? o.phase * 360 / turn : NAN);
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

void lmb_rotor_tell(lmb_sheet *sheet, const lmb_rotor_results *r)
{
    if (r->rotor.speed > 0 && r->whirl_ratio == 1)
        say_where(sheet, r);
    say_run_up(sheet, r);
    say_rising(sheet, r);
    say_stability(sheet, r);
    say_sag(sheet, r);
    lmb_sheet_say(sheet,
                  "%d elements, %d degrees of freedom, mass %.6g kg, of which the shaft has %.6g "
                  "kg.",
                  r->system->element_count, 2 * r->system->scalars, r->system->kg,
                  r->system->shaft_kg);
    tell_criticals(sheet, r);
    tell_modes(sheet, &r->service);
    tell_estimates(sheet, r);
    tell_loads(sheet, r);
    tell_response(sheet, r);
}

lmb_status lmb_rotor_sheet(lmb_context *context, lmb_sheet *sheet, const lmb_rotor_results *r)
{
    lmb_rotor_tell(sheet, r);
    for (const lmb_rotor_picture *p = lmb_rotor_pictures; p->name; p++) {
        lmb_plot figure = {.arena = sheet->arena};
        size_t messages = lmb_message_count(context);
        lmb_status status = p->make(context, r, &figure);
        if (!status)
            lmb_sheet_figure(sheet, &figure);
        else if (status != LMB_BAD_INPUT)
            return status;
        lmb_messages_forget(context, messages); /* nothing to draw: not everything is asked for */
    }
    return lmb_check_memory(context, sheet->arena);
}
