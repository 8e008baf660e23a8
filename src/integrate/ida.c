/* Backward differentiation formulas of order 1 to 5 with the step and the order that the tolerance
 * asks for: IDA of SUNDIALS, on the stabilised index-2 equations (ggl.h).
 *
 * Implicit, so stiff springs and dampers do not shorten the steps. The error of a step is measured
 * in positions and velocities like that of rk45, as the root of the sum of squares. Instants within
 * a step are interpolated, then made consistent: joints closed, accelerations and reactions
 * computed anew. Work is integrated by Simpson's rule over each step.
 *
 * The formulas remember steps before the present one inside SUNDIALS, which cannot be saved: a
 * motion that was restored starts again with order 1. The beginning of the last step is an
 * exception: there the step is still known, and its instants are interpolated again. `memory` is
 * a number that differs between steps, to recognise that state. */
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <string.h>

#include "integrate/ggl.h"
#include "integrate/motion.h"

typedef struct ida {
    lmb_motion *motion;
    lmb_ggl *ggl;
    SUNContext context;
    void *solver;
    N_Vector y, rates, algebraic, room;
    SUNMatrix matrix; /* stands for that of ggl, as does the next one */
    SUNLinearSolver linear;

    bool started;
    double work[LMB_WORK_COUNT], power[LMB_WORK_COUNT]; /* at the beginning of the last step */
    double end_work[LMB_WORK_COUNT], end_power[LMB_WORK_COUNT]; /* and at its end */
    bool ahead; /* the steps are ahead of the state */
    double from, reached;
    double origin, last; /* `memory` where the last step began (-1: unknown), and its last value */
    double *turns;       /* of the motion, at both ends of this step */
    double failed;       /* where the residual was not a number, the last time */
    long rejected, iterations; /* before the last start */
} ida;

static double *numbers_of(N_Vector x)
{
    return N_VGetArrayPointer(x);
}

/* --- what SUNDIALS asks for ------------------------------------------------------------------- */

static int residual(double t, N_Vector y, N_Vector rates, N_Vector out, void *data)
{
    ida *k = data;
    lmb_state *s = k->motion->solver->state;
    double cj = 1, *numbers = numbers_of(out);
    IDAGetCurrentCj(k->solver, &cj);
    lmb_ggl_set(k->ggl, s, t, numbers_of(y), numbers_of(rates));
    lmb_ggl_residual(k->ggl, s, numbers_of(y), numbers_of(rates), cj, numbers);
    for (int i = 0; i < lmb_ggl_size(k->ggl); i++)
        if (!isfinite(numbers[i])) {
            k->failed = t;
            return 1; /* a shorter step may help */
        }
    return 0;
}

static int assemble(double t, double cj, N_Vector y, N_Vector rates, N_Vector residuals,
                    SUNMatrix matrix, void *data, N_Vector room1, N_Vector room2, N_Vector room3)
{
    (void)residuals, (void)matrix, (void)room1, (void)room2, (void)room3;
    ida *k = data;
    lmb_state *s = k->motion->solver->state;
    lmb_ggl_set(k->ggl, s, t, numbers_of(y), numbers_of(rates));
    lmb_ggl_assemble(k->ggl, s, numbers_of(y), cj);
    return 0;
}

/* One over what an error may be. The norm is a mean over all unknowns, hence the root; those that
 * are algebraic do not count. */
static int weigh(N_Vector y, N_Vector out, void *data)
{
    const ida *k = data;
    const lmb_motion *m = k->motion;
    double *weight = numbers_of(out);
    double speed = lmb_motion_typical_speed(m, numbers_of(y), numbers_of(k->rates));
    int size = lmb_ggl_size(k->ggl), differential = (int)m->size - LMB_WORK_COUNT;
    for (int i = 0; i < differential; i++) {
        double scale = lmb_motion_scale(m, numbers_of(y), speed, (size_t)i);
        weight[i] = sqrt(size) / (m->options.tolerance * scale);
    }
    for (int i = differential; i < size; i++)
        weight[i] = 0;
    return 0;
}

static void keep_quiet(int code, const char *module, const char *function, char *text, void *data)
{
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

static SUNMatrix_ID matrix_kind(SUNMatrix matrix)
{
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix matrix)
{
    (void)matrix;
    return 0;
}

static SUNLinearSolver_Type linear_type(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID linear_kind(SUNLinearSolver linear)
{
    (void)linear;
    return SUNLINEARSOLVER_CUSTOM;
}

static int linear_factor(SUNLinearSolver linear, SUNMatrix matrix)
{
    (void)matrix;
    const ida *k = linear->content;
    return lmb_ggl_factor(k->ggl) ? 0 : 1;
}

static int linear_solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector x, N_Vector b,
                        double tolerance)
{
    (void)matrix, (void)tolerance;
    const ida *k = linear->content;
    N_VScale(1, b, x);
    lmb_ggl_solve(k->ggl, numbers_of(x));
    return 0;
}

/* --- life ------------------------------------------------------------------------------------- */

static void close(lmb_motion *m)
{
    ida *k = m->method;
    if (!k)
        return;
    if (k->solver)
        IDAFree(&k->solver);
    SUNMatFreeEmpty(k->matrix);
    SUNLinSolFreeEmpty(k->linear);
    N_Vector *const vectors[] = {&k->y, &k->rates, &k->algebraic, &k->room};
    for (int i = 0; i < 4; i++)
        if (*vectors[i])
            N_VDestroy(*vectors[i]);
    if (k->context)
        SUNContext_Free(&k->context);
    lmb_ggl_free(k->ggl);
}

static bool allocate(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    ida *k = m->method = lmb_arena_alloc(s->arena, 1, sizeof *k);
    if (!k)
        return false;
    k->motion = m;
    k->origin = -1;
    k->turns = lmb_arena_numbers(s->arena, 4 * s->state->model->parts.turn_count);
    if (!k->turns)
        return false;
    k->ggl = lmb_ggl_new(s->state);
    if (!k->ggl || SUNContext_Create(NULL, &k->context))
        return false;
    int size = lmb_ggl_size(k->ggl);
    k->y = N_VNew_Serial(size, k->context);
    k->rates = N_VNew_Serial(size, k->context);
    k->algebraic = N_VNew_Serial(size, k->context);
    k->room = N_VNew_Serial(size, k->context);
    k->matrix = SUNMatNewEmpty(k->context);
    k->linear = SUNLinSolNewEmpty(k->context);
    k->solver = IDACreate(k->context);
    return k->y && k->rates && k->algebraic && k->room && k->matrix && k->linear && k->solver;
}

/* Tells SUNDIALS all it needs; it fails only where it runs out of memory. */
static bool introduce(ida *k)
{
    const lmb_state *s = k->motion->solver->state;
    int differential = s->model->nq + s->model->nv + s->model->nz;
    for (int i = 0; i < lmb_ggl_size(k->ggl); i++)
        numbers_of(k->algebraic)[i] = i < differential; /* 1: differential */
    k->matrix->ops->getid = matrix_kind;
    k->matrix->ops->zero = matrix_zero;
    k->linear->content = k;
    k->linear->ops->gettype = linear_type;
    k->linear->ops->getid = linear_kind;
    k->linear->ops->setup = linear_factor;
    k->linear->ops->solve = linear_solve;
    lmb_ggl_get(k->ggl, s, numbers_of(k->y), numbers_of(k->rates));
    return IDASetErrHandlerFn(k->solver, keep_quiet, NULL) == IDA_SUCCESS &&
           IDAInit(k->solver, residual, s->t, k->y, k->rates) == IDA_SUCCESS &&
           IDASetUserData(k->solver, k) == IDA_SUCCESS &&
           IDAWFtolerances(k->solver, weigh) == IDA_SUCCESS &&
           IDASetLinearSolver(k->solver, k->linear, k->matrix) == IDA_SUCCESS &&
           IDASetJacFn(k->solver, assemble) == IDA_SUCCESS &&
           IDASetId(k->solver, k->algebraic) == IDA_SUCCESS &&
           IDASetSuppressAlg(k->solver, SUNTRUE) == IDA_SUCCESS &&
           IDASetMaxConvFails(k->solver, 20) == IDA_SUCCESS &&
           IDASetMaxErrTestFails(k->solver, 20) == IDA_SUCCESS;
}

static lmb_status open(lmb_motion *m)
{
    lmb_status status = lmb_motion_remember(m, 1);
    if (status)
        return status;
    return allocate(m) && introduce(m->method) ? LMB_OK : lmb_fail_memory(m->solver->context);
}

static void restart(lmb_motion *m)
{
    ida *k = m->method;
    k->started = k->ahead = false;
    m->memory[0] = ++k->last;
}

/* A first step whose error at order 1 is about the tolerance, if velocities change as fast as their
 * sizes tell. 0: the state is at rest. */
static double first_step(ida *k)
{
    double tolerance = k->motion->options.tolerance, t = k->motion->solver->state->t;
    weigh(k->y, k->room, k);
    double rate = N_VWrmsNorm(k->rates, k->room) * tolerance;
    return rate > 0 ? fmax(0.5 * sqrt(tolerance) / rate, 1e-12 * fabs(t)) : 0;
}

/* The powers of the present state. Multipliers of the steps are less accurate than q and v, so
 * those of drivers are computed anew. */
static void find_powers(ida *k, double power[LMB_WORK_COUNT])
{
    lmb_solver *s = k->motion->solver;
    if (s->state->model->driver_count)
        lmb_solve_augmented(s);
    lmb_powers(s->state, power);
}

/* Forgets the past and goes on from the present state. */
static lmb_status start(ida *k)
{
    lmb_solver *s = k->motion->solver;
    lmb_status status = lmb_motion_accelerate(k->motion);
    lmb_ggl_get(k->ggl, s->state, numbers_of(k->y), numbers_of(k->rates));
    lmb_ggl_start(k->ggl, s->epsilon > 0);
    lmb_ggl_accept(k->ggl, numbers_of(k->y));
    IDAReInit(k->solver, s->state->t, k->y, k->rates);
    IDASetInitStep(k->solver, first_step(k));
    memcpy(k->end_work, s->state->work, sizeof k->work);
    lmb_powers(s->state, k->end_power);
    k->rejected = k->motion->rejected;
    k->iterations = k->motion->iterations;
    k->reached = s->state->t;
    k->failed = NAN;
    k->started = true;
    return status;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Puts the state at an instant of the last step, but for its work. */
static void set_state(ida *k, double t)
{
    IDAGetDky(k->solver, t, 0, k->y);
    IDAGetDky(k->solver, t, 1, k->rates);
    lmb_ggl_set(k->ggl, k->motion->solver->state, t, numbers_of(k->y), numbers_of(k->rates));
}

/* The same with the work done until then. */
static void set_state_and_work(ida *k, double t, double power[LMB_WORK_COUNT])
{
    lmb_state *s = k->motion->solver->state;
    double middle[LMB_WORK_COUNT];
    set_state(k, (k->from + t) / 2);
    find_powers(k, middle);
    set_state(k, t);
    find_powers(k, power);
    for (int i = 0; i < LMB_WORK_COUNT; i++)
        s->work[i] = k->work[i] + (t - k->from) / 6 * (k->power[i] + 4 * middle[i] + power[i]);
}

/* Puts the turns of joint angles where they are at an instant of the last step. */
static void set_turns(ida *k, double t)
{
    double h = k->reached - k->from;
    lmb_motion_set_turns(k->motion, h, h > 0 ? (t - k->from) / h : 1);
}

/* Whether some combination of rows hardly does anything at the present position. */
static bool is_singular(lmb_solver *s)
{
    lmb_solver_factor(s);
    return s->epsilon == 0 && lmb_saddle_weakest(s->saddle, s->rows) < 1e-2;
}

/* Says why there was no step from t on. */
static lmb_status explain(ida *k, int flag, double t)
{
    lmb_motion *m = k->motion;
    double h = 0;
    IDAGetCurrentStep(k->solver, &h);
    lmb_motion_take_back(m, t);
    k->started = false;
    if (flag == IDA_TOO_MUCH_ACC) {
        lmb_fail(m->solver->context, LMB_SOLVER,
                 "'tolerance' is smaller than rounding allows at t = %g", t);
        return lmb_hint(m->solver->context, "take a larger one than %g", m->options.tolerance);
    }
    if (!(k->failed > t) && is_singular(m->solver)) {
        lmb_fail(m->solver->context, LMB_SOLVER, "the mechanism is singular at about t = %.10g", t);
        return lmb_hint(m->solver->context,
                        "'integrator: rk45' may pass there, or a larger 'tolerance'");
    }
    return lmb_motion_stuck(m, t, k->failed > t ? k->failed - t : h);
}

/* The turns of a motion and their rates, at both ends of a step. */
static void copy_turns(const lmb_motion *m, double *to, const double *from)
{
    memcpy(to, from, 4 * (size_t)m->solver->state->model->parts.turn_count * sizeof *to);
}

/* Makes one step on the way to `end`, which ends at `limit` at the latest. */
static lmb_status step(ida *k, double end, double limit)
{
    lmb_motion *m = k->motion;
    lmb_state *s = m->solver->state;
    double t = s->t;
    long rejected = 0, iterations = 0;
    k->origin = -1;
    lmb_status status = k->started ? LMB_OK : start(k);
    if (status)
        return status;
    lmb_motion_begin_step(m);
    IDASetStopTime(k->solver, limit);
    /* `end` is but a hint to the length of the very first step */
    double hint = fmax(end, t + 1e-9 * fabs(t));
    int flag = IDASolve(k->solver, hint, &k->reached, k->y, k->rates, IDA_ONE_STEP);
    bool still = k->reached < limit && k->reached - t < 1e-14 * fabs(t);
    if (flag < 0 || still)
        return explain(k, flag, t);
    memcpy(k->work, k->end_work, sizeof k->work);
    memcpy(k->power, k->end_power, sizeof k->power);
    k->from = t;
    k->origin = m->memory[0];
    m->memory[0] = ++k->last;
    set_state_and_work(k, k->reached, k->end_power);
    memcpy(k->end_work, s->work, sizeof k->work);
    lmb_ggl_accept(k->ggl, numbers_of(k->y));
    lmb_motion_accept(m, k->reached - t);
    lmb_motion_end_turns(m);
    copy_turns(m, k->turns, m->turn0);
    IDAGetNumErrTestFails(k->solver, &rejected);
    IDAGetNumNonlinSolvIters(k->solver, &iterations);
    m->rejected = k->rejected + rejected;
    m->iterations = k->iterations + iterations;
    return LMB_OK;
}

static lmb_status advance(lmb_motion *m, double end, bool once)
{
    ida *k = m->method;
    lmb_state *s = m->solver->state;
    double power[LMB_WORK_COUNT];
    lmb_status status = LMB_OK;
    if (k->ahead && k->reached <= end) {
        set_turns(k, k->reached);
        set_state(k, k->reached);
        memcpy(s->work, k->end_work, sizeof k->work);
        k->ahead = false;
    }
    while (!status && !k->ahead && s->t < end) {
        status = step(k, end, once ? end : lmb_motion_limit(m, end));
        k->ahead = !status && s->t > end;
        if (!status)
            status = lmb_motion_watch(m);
        if (once)
            break;
    }
    if (status)
        return status;
    if (k->ahead) {
        set_turns(k, end);
        set_state_and_work(k, end, power);
    }
    if (!lmb_motion_close_joints(m))
        return lmb_motion_opens(m);
    status = lmb_motion_accelerate(m);
    m->solver->through_singular = false;
    return status;
}

/* Go on from a restored motion: in the last step where it is known, else from the start. */
static void pack(lmb_motion *m, lmb_pack *to)
{
    ida *k = m->method;
    if (to->mode != LMB_PACK_RESTORE)
        return;
    if (m->memory[0] != k->origin) {
        restart(m);
        return;
    }
    k->started = k->ahead = true;
    copy_turns(m, m->turn0, k->turns);
}

const lmb_integrator lmb_integrator_ida = {
    "ida",
    "backward differentiation of orders 1 to 5 for stiff systems, which chooses its steps",
    .implicit = true,
    .controlled = true,
    .open = open,
    .close = close,
    .advance = advance,
    .restart = restart,
    .pack = pack,
    .starts_again = true};
