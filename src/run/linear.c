/* Goes to the state, and linearises there as far as it is asked for: with full matrices in models
 * of up to LMB_MODES_DENSE coordinates and for state spaces, with sparse ones else, and with
 * neither where the modes of a large model are those of symmetric equations. */
#include "limber/linear.h"

#include <string.h>

#include "analysis/state_space.h"
#include "analysis/steadiness.h"
#include "base/text.h"
#include "run/operating_point.h"
#include "run/run.h"

struct lmb_linearised {
    lmb_context *context;
    lmb_arena *arena;
    lmb_operating_point at;
    int observer;
    bool chosen;               /* the caller has named the observer */
    lmb_small_motion *motion;  /* with full matrices, */
    lmb_sparse_motion *sparse; /* or with sparse ones; NULL: not made yet */
    bool symmetric;            /* a large model at rest: its modes need neither */
};

/* What a linearisation is for. */
typedef enum purpose { FOR_MODES, FOR_RESPONSE, FOR_MATRICES } purpose;

/* --- the state -------------------------------------------------------------------------------- */

static lmb_status find_observer(lmb_linearised *o, const lmb_model *m, const char *name)
{
    lmb_nearest nearest;
    o->chosen = name != NULL;
    o->observer =
        name ? lmb_find_name(m->bodies, sizeof *m->bodies, m->body_count, name, &nearest) : 0;
    if (o->observer < 0)
        return lmb_fail_choice(o->context, "body", &nearest, "the observer is ground or a body");
    if (o->observer > 0 && !m->bodies[o->observer].ops->turns)
        return lmb_fail(o->context, LMB_USAGE, "body '%s' has no axes to observe from", name);
    return LMB_OK;
}

static lmb_status go_there(lmb_linearised *o, const lmb_model *m, const lmb_linearised_options *x)
{
    int analysis = x->analysis ? lmb_run_find(o->context, m, x->analysis) : -1;
    if (x->analysis && analysis < 0)
        return LMB_BAD_INPUT;
    if (x->at && !x->analysis)
        return lmb_fail(o->context, LMB_USAGE, "a time or load factor is that of an analysis");
    if (x->at && !isfinite(*x->at))
        return lmb_fail(o->context, LMB_USAGE, "the time or load factor is %g", *x->at);
    lmb_status status = find_observer(o, m, x->observer);
    if (!status)
        status = lmb_operating_point_find(&o->at, o->context, m, analysis, x->as_placed, x->at);
    return status || !x->steady ? status : lmb_find_steady_motion(o->at.solver, o->observer);
}

lmb_status lmb_linearised_new(lmb_linearised **out, lmb_context *context, const lmb_model *model,
                              const lmb_linearised_options *options)
{
    const lmb_linearised_options none = {0};
    LMB_REQUIRE_OUT(context, out, model);
    lmb_status status = lmb_need_mechanism(context, model);
    if (status)
        return status;
    lmb_arena *arena;
    lmb_linearised *o = lmb_arena_object(&arena, sizeof *o);
    if (!o)
        return lmb_fail_memory(context);
    *o = (lmb_linearised){.context = context, .arena = arena};
    status = go_there(o, model, options ? options : &none);
    if (status)
        lmb_linearised_free(o);
    else
        *out = o;
    return status;
}

void lmb_linearised_free(lmb_linearised *o)
{
    if (!o)
        return;
    lmb_small_motion_free(o->motion);
    lmb_sparse_motion_free(o->sparse);
    lmb_operating_point_free(&o->at);
    lmb_arena_free(o->arena);
}

/* Linearises, unless what is needed is there already. */
static lmb_status linearise(lmb_linearised *o, purpose use)
{
    lmb_solver *s = o->at.solver;
    if (o->motion || (o->sparse && use != FOR_MATRICES) || (o->symmetric && use == FOR_MODES))
        return LMB_OK;
    if (use == FOR_MATRICES || s->state->model->nv <= LMB_MODES_DENSE)
        return lmb_small_motion_new(&o->motion, s, o->observer);
    if (use == FOR_MODES && (o->symmetric = lmb_modes_are_symmetric(s)))
        return LMB_OK;
    return lmb_sparse_motion_new(&o->sparse, s, o->observer, NULL);
}

/* Warn if the named observer of a motion sees none of its coordinates. */
static void warn_of_observer(const lmb_linearised *o)
{
    const lmb_motion_coordinates *all = o->motion ? &o->motion->all : &o->sparse->all;
    const int *coordinate = o->motion ? o->motion->coordinate : o->sparse->coordinate;
    int count = o->motion ? o->motion->positions : o->sparse->positions;
    for (int i = 0; i < count; i++) {
        lmb_motion_kind kind = all->list[coordinate[i]].kind;
        if (kind == LMB_MOTION_POSITION || kind == LMB_MOTION_ROTATION)
            return;
    }
    lmb_warn(o->context,
             "the observer '%s' has no effect: all coordinates are of joints and deformations, "
             "which are seen from their own bodies",
             o->at.solver->state->model->bodies[o->observer].name);
    lmb_hint(o->context,
             "the frequencies hold in the axes of the bodies; in fixed axes a vibration "
             "of frequency f appears at f plus and minus the frequency of rotation");
}

lmb_status lmb_linearised_judge(lmb_linearised *o, lmb_linearised_about *out)
{
    char text[200];
    if (!o)
        return LMB_USAGE;
    LMB_REQUIRE(o->context, out);
    lmb_status status = linearise(o, FOR_MODES);
    lmb_solver *s = o->at.solver;
    *out = (lmb_linearised_about){
        .time = s->state->t, .on_path = o->at.on_path, .load = s->state->load};
    if (!status && o->motion) {
        out->positions = o->motion->positions;
        out->speeds = o->motion->speeds;
        out->states = o->motion->states;
        out->state_names = (const char *const *)o->motion->names;
        status = lmb_find_steadiness(s, o->motion, &out->steadiness, &out->period);
    } else if (!status && o->sparse) {
        out->positions = o->sparse->positions;
        out->speeds = o->sparse->speeds;
        status = lmb_find_sparse_steadiness(s, o->sparse, &out->steadiness);
    }
    if (!status && o->chosen && out->steadiness != LMB_AT_REST)
        warn_of_observer(o);
    if (status || (out->steadiness != LMB_PERIODIC && out->steadiness != LMB_CHANGING))
        return status;
    lmb_steadiness_text(out->steadiness, out->time, out->period, text, sizeof text);
    lmb_warn(o->context, "about %s", text);
    lmb_hint(o->context, "eigenvalues of a frozen matrix do not tell whether the motion is stable; "
                         "another --observer may see a constant one");
    return LMB_OK;
}

/* --- modes ------------------------------------------------------------------------------------ */

/* The lowest modes, without the names of their coordinates. */
static lmb_status find_modes(lmb_linearised *o, int count, lmb_mode_list *out)
{
    lmb_status status = linearise(o, FOR_MODES);
    if (status)
        return status;
    if (!o->motion && o->sparse)
        return lmb_sparse_modes(o->sparse, count ? count : LMB_MODES_LARGE, out);
    if (!o->motion)
        return lmb_find_some_modes(o->at.solver, 0, count, out);
    status = lmb_modes_of(o->motion, o->context, out);
    if (count && count < out->count)
        out->count = count;
    return status;
}

lmb_status lmb_linearised_modes(lmb_linearised *o, int count, lmb_mode_list *out)
{
    if (out)
        *out = (lmb_mode_list){0};
    if (!o)
        return LMB_USAGE;
    LMB_REQUIRE(o->context, out);
    if (count < 0)
        return lmb_fail(o->context, LMB_USAGE, "there are no %d modes", count);
    const lmb_model *m = o->at.solver->state->model;
    lmb_status status = find_modes(o, count, out);
    if (!status) {
        out->coordinates = m->nv;
        out->names = lmb_model_names(out->arena, m, m->nv, lmb_column_name);
        status = lmb_check_memory(o->context, out->arena);
    }
    if (status)
        lmb_mode_list_free(out);
    return status;
}

/* --- state space and response ----------------------------------------------------------------- */

lmb_status lmb_linearised_state_space(lmb_linearised *o, const char *const *inputs,
                                      const char *const *outputs, lmb_state_space *out)
{
    if (out)
        *out = (lmb_state_space){0};
    if (!o)
        return LMB_USAGE;
    LMB_REQUIRE(o->context, out);
    lmb_status status = linearise(o, FOR_MATRICES);
    return status ? status : lmb_state_space_of(o->motion, o->at.solver, inputs, outputs, out);
}

/* The linearised model from one input to one output: with matrices, or in large models without. */
typedef struct single {
    const lmb_linearised *linear;
    lmb_state_space space;
    lmb_ports *ports;
    const char *input, *output; /* as they were given */
} single;

/* One input and one output, each one number; their names. */
static lmb_status check_one(const single *o, int inputs, int outputs, char *const *input,
                            char *const *output, lmb_response *out)
{
    lmb_context *context = o->linear->context;
    bool many = inputs != 1;
    if (many || outputs != 1) {
        lmb_fail(context, LMB_USAGE, "'%s' has %d numbers: name one of them",
                 many ? o->input : o->output, many ? inputs : outputs);
        return lmb_hint(context, "for example '%s'", many ? input[0] : output[0]);
    }
    out->input = lmb_text_copy(out->arena, input[0], strlen(input[0]));
    out->output = lmb_text_copy(out->arena, output[0], strlen(output[0]));
    return lmb_check_memory(context, out->arena);
}

static lmb_status find_system(single *o, lmb_response *out)
{
    const char *inputs[] = {o->input, NULL}, *outputs[] = {o->output, NULL};
    const lmb_linearised *p = o->linear;
    lmb_status status;
    if (p->motion) {
        const lmb_state_space *x = &o->space;
        status = lmb_state_space_of(p->motion, p->at.solver, inputs, outputs, &o->space);
        return status ? status
                      : check_one(o, x->inputs, x->outputs, x->input_names, x->output_names, out);
    }
    status = lmb_ports_new(&o->ports, p->at.solver, inputs, outputs);
    return status ? status
                  : check_one(o, o->ports->inputs, o->ports->outputs, o->ports->input_names,
                              o->ports->output_names, out);
}

/* The response at one frequency. */
static lmb_status transfer(void *user, double w, double *real, double *imaginary)
{
    const single *o = user;
    const lmb_linearised *p = o->linear;
    if (o->ports)
        return lmb_sparse_response(p->sparse, o->ports, 0, w, real, imaginary);
    return lmb_state_space_response(&o->space, p->context, 0, 0, w, real, imaginary);
}

/* Checks what is asked for; limits that are not given follow from the modes. */
static lmb_status complete(lmb_linearised *o, lmb_frequencies *f)
{
    enum { MOST = 1000000 };
    lmb_mode_list modes = {0};
    lmb_status status = LMB_OK;
    if (f->points < 1 || f->points > MOST)
        return lmb_fail(o->context, LMB_USAGE, "a response has 1 to %d frequencies, not %d", MOST,
                        f->points);
    for (int i = 0; f->list && i < f->points; i++)
        if (!isfinite(f->list[i]) || f->list[i] < 0)
            return lmb_fail(o->context, LMB_USAGE, "frequency %d is %g Hz", i + 1, f->list[i]);
    if (f->list)
        return LMB_OK;
    if (!isfinite(f->from) || !isfinite(f->to))
        return lmb_fail(o->context, LMB_USAGE, "the frequencies go from %g to %g Hz", f->from,
                        f->to);
    if (f->from < 0 || f->to < 0)
        status = find_modes(o, 0, &modes);
    if (!status)
        status = lmb_frequencies_complete(f, &modes, o->context);
    lmb_mode_list_free(&modes);
    return status;
}

static lmb_status allocate(const lmb_linearised *o, int count, lmb_response *out)
{
    double **arrays[] = {&out->frequency, &out->amplitude, &out->phase, &out->real,
                         &out->imaginary};
    *out = (lmb_response){.count = count, .arena = lmb_arena_new()};
    for (int i = 0; i < 5; i++)
        *arrays[i] = lmb_arena_numbers(out->arena, (size_t)count);
    return lmb_check_memory(o->context, out->arena);
}

lmb_status lmb_linearised_response(lmb_linearised *o, const char *input, const char *output,
                                   const lmb_frequencies *frequencies, lmb_response *out)
{
    if (out)
        *out = (lmb_response){0};
    if (!o)
        return LMB_USAGE;
    LMB_REQUIRE(o->context, out, input, output);
    lmb_frequencies f =
        frequencies ? *frequencies : (lmb_frequencies){.from = -1, .to = -1, .points = 200};
    single x = {.linear = o, .input = input, .output = output};
    lmb_status status = linearise(o, FOR_RESPONSE);
    if (!status && !(status = complete(o, &f)) && !(status = allocate(o, f.points, out)) &&
        !(status = find_system(&x, out)))
        status = lmb_frequencies_run(&f, o->context, transfer, &x, out);
    lmb_ports_free(x.ports);
    lmb_state_space_free(&x.space);
    if (status)
        lmb_response_free(out);
    return status;
}

void lmb_response_free(lmb_response *response)
{
    if (!response)
        return;
    lmb_arena_free(response->arena);
    *response = (lmb_response){0};
}
