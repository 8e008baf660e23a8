/* What a program puts into a simulation: numbers that are added to forces, motions of drivers, and
 * hooks before and after each step.
 *
 * Handles of inputs are the numbers of forces, followed by those of drivers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/simulation.h"

/* --- inputs ----------------------------------------------------------------------------------- */

enum { DRIVER_NUMBERS = 3 }; /* value, rate, acceleration */

/* The driver that a handle means; NULL for a force. */
static const lmb_driver *driver_of(const lmb_simulation *s, int handle)
{
    return handle >= s->model->force_count ? &s->model->drivers[handle - s->model->force_count]
                                           : NULL;
}

/* How many numbers an input has: 0 if there is none. */
static int input_size(const lmb_simulation *s, int handle)
{
    const lmb_model *m = s->model;
    if (handle < 0 || handle >= m->force_count + m->driver_count)
        return 0;
    if (driver_of(s, handle))
        return DRIVER_NUMBERS;
    const lmb_force *f = &m->forces[handle];
    return f->type->input == LMB_NO_INPUT ? 0 : lmb_force_numbers(f);
}

static const char *input_name(const lmb_simulation *s, int handle)
{
    const lmb_driver *d = driver_of(s, handle);
    return d ? d->name : s->model->forces[handle].name;
}

/* Whether forces act in the analysis. */
static bool has_forces(const lmb_simulation *s)
{
    return s->course.dynamics || (s->analysis->kind->known & LMB_KNOWN_REACTIONS);
}

static lmb_status check_forces(const lmb_simulation *s)
{
    if (has_forces(s))
        return LMB_OK;
    lmb_fail(s->context, LMB_USAGE, "forces do nothing in analysis '%s' of type %s",
             s->analysis->name, s->analysis->kind->name);
    lmb_hint(s->context, "forces as inputs need an analysis of type inverse-dynamics or dynamics");
    return LMB_USAGE;
}

const char *lmb_simulation_input_name(const lmb_simulation *s, int i)
{
    if (!s || i < 0)
        return NULL;
    int handle = has_forces(s) ? 0 : s->model->force_count;
    for (; handle < s->model->force_count + s->model->driver_count; handle++)
        if (input_size(s, handle) > 0 && i-- == 0)
            return input_name(s, handle);
    return NULL;
}

/* Lists the inputs that there are, as far as they fit. */
static void hint_inputs(const lmb_simulation *s)
{
    char list[200] = "";
    size_t used = 0;
    const char *name;
    for (int i = 0; (name = lmb_simulation_input_name(s, i)) != NULL; i++) {
        bool fits = used + strlen(name) + 8 < sizeof list;
        used += (size_t)lmb_snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                     fits ? name : "...");
        if (!fits)
            break;
    }
    if (used)
        lmb_hint(s->context, "inputs of '%s' are %s", s->analysis->name, list);
    else
        lmb_hint(s->context, "inputs are forces of the model, such as a motor, and its drivers");
}

static lmb_status find_input(lmb_simulation *s, const char *name, int *handle, int *size)
{
    const lmb_model *m = s->model;
    LMB_REQUIRE(s->context, name, handle);
    lmb_nearest nearest, among_drivers;
    int found = lmb_find_name(m->forces, sizeof *m->forces, m->force_count, name, &nearest);
    if (found >= 0 && check_forces(s))
        return LMB_USAGE;
    if (found < 0) {
        int driver =
            lmb_find_name(m->drivers, sizeof *m->drivers, m->driver_count, name, &among_drivers);
        found = driver < 0 ? -1 : m->force_count + driver;
    }
    if (found < 0) {
        lmb_fail(s->context, LMB_USAGE, "there is no force or driver '%s' to be an input", name);
        for (int i = 0; i < m->driver_count; i++)
            lmb_nearest_try(&nearest, m->drivers[i].name);
        if (nearest.best)
            lmb_nearest_hint(s->context, &nearest);
        else
            hint_inputs(s);
        return LMB_USAGE;
    }
    if (input_size(s, found) == 0)
        return lmb_fail(s->context, LMB_USAGE,
                        "a force of type '%s', such as '%s', cannot be an input",
                        m->forces[found].type->name, name);
    *handle = found;
    if (size)
        *size = input_size(s, found);
    return LMB_OK;
}

lmb_status lmb_simulation_input(lmb_simulation *s, const char *name, int *handle, int *size)
{
    lmb_status status = lmb_simulation_look(s);
    return status ? status : lmb_simulation_leave(s, find_input(s, name, handle, size));
}

/* Adds numbers to a force: accelerations and reactions become those with it. */
static lmb_status push(lmb_simulation *s, int force, int size, const double *values)
{
    vec3 *input = &s->inputs[force];
    vec3 now = v3(values[0], size > 1 ? values[1] : 0, size > 2 ? values[2] : 0);
    if (now.x == input->x && now.y == input->y && now.z == input->z)
        return LMB_OK;
    *input = now;
    s->row = NULL;
    return s->course.kinematics ? lmb_kinematics_react(s->course.kinematics)
                                : lmb_dynamics_pushed(s->course.dynamics);
}

/* Lets the law of a driver go on from here with a value, a rate and an acceleration. */
static lmb_status drive(lmb_simulation *s, const lmb_driver *d, const double *values)
{
    double before = lmb_simulation_energy(s);
    s->given[d->law] =
        (lmb_given_law){true, s->solver->state->t, {values[0], values[1], values[2]}};
    return lmb_simulation_moved(s, before);
}

static lmb_status set_input(lmb_simulation *s, int handle, const double *values)
{
    int size = input_size(s, handle);
    if (size == 0)
        return lmb_fail(s->context, LMB_USAGE, "there is no input with handle %d", handle);
    if (!values)
        return lmb_fail(s->context, LMB_USAGE, "input '%s' needs numbers to be set to",
                        input_name(s, handle));
    for (int i = 0; i < size; i++)
        if (!isfinite(values[i]))
            return lmb_fail(s->context, LMB_USAGE,
                            "input '%s' cannot be %g: it must be a finite number",
                            input_name(s, handle), values[i]);
    bool alone = !s->nested; /* else the call that the hook belongs to goes back */
    const lmb_driver *driver = driver_of(s, handle);
    if (alone)
        lmb_simulation_keep(s);
    lmb_status status = driver ? drive(s, driver, values) : push(s, handle, size, values);
    return status && alone ? lmb_simulation_back(s, status) : status;
}

lmb_status lmb_simulation_set_input(lmb_simulation *s, int handle, const double *values)
{
    lmb_status status = lmb_simulation_look(s);
    return status ? status : lmb_simulation_leave(s, set_input(s, handle, values));
}

static lmb_status get_input(lmb_simulation *s, int handle, double *values)
{
    int size = input_size(s, handle);
    if (size == 0)
        return lmb_fail(s->context, LMB_USAGE, "there is no input with handle %d", handle);
    if (!values)
        return lmb_fail(s->context, LMB_USAGE, "input '%s' needs a place to be put",
                        input_name(s, handle));
    const lmb_driver *driver = driver_of(s, handle);
    lmb_state *x = s->solver->state;
    if (driver)
        lmb_set_time(x, x->t); /* integrators may have tried another one last */
    vec3 now = driver ? v3(x->laws[driver->law].f, x->laws[driver->law].d, x->laws[driver->law].dd)
                      : s->inputs[handle];
    for (int i = 0; i < size; i++)
        values[i] = v3_get(now, i);
    return LMB_OK;
}

lmb_status lmb_simulation_get_input(lmb_simulation *s, int handle, double *values)
{
    lmb_status status = lmb_simulation_look(s);
    return status ? status : lmb_simulation_leave(s, get_input(s, handle, values));
}

/* --- hooks ------------------------------------------------------------------------------------ */

/* Asks a hook, which may call back. */
static lmb_status ask(lmb_simulation *s, lmb_step_hook *hook, const char *which)
{
    if (!hook)
        return LMB_OK;
    s->row = NULL;
    s->hook_thread = pthread_self();
    atomic_store_explicit(&s->hooked, true, memory_order_release);
    int stop = hook(s->hook_user, s);
    atomic_store_explicit(&s->hooked, false, memory_order_release);
    if (!stop)
        return LMB_OK;
    return lmb_fail(s->context, LMB_SOLVER, "the hook %s a step of '%s' has stopped it at t = %g",
                    which, s->analysis->name, s->solver->state->t);
}

static lmb_status ask_before(void *user)
{
    lmb_simulation *s = user;
    return ask(s, s->before, "before");
}

static lmb_status ask_after(void *user)
{
    lmb_simulation *s = user;
    return ask(s, s->accepted, "after");
}

lmb_status lmb_simulation_on_step(lmb_simulation *s, lmb_step_hook *before, lmb_step_hook *accepted,
                                  void *user)
{
    lmb_status status = lmb_simulation_enter(s);
    if (status)
        return status;
    s->before = before;
    s->accepted = accepted;
    s->hook_user = user;
    s->watch = (lmb_step_watch){ask_before, ask_after, s};
    if (s->course.dynamics)
        s->course.dynamics->watch = before || accepted ? &s->watch : NULL;
    return lmb_simulation_leave(s, LMB_OK);
}

lmb_status lmb_simulation_go(lmb_simulation *s, double t)
{
    if (s->course.dynamics) /* which asks at each of its steps */
        return lmb_course_advance(&s->course, t);
    lmb_status status = ask_before(s);
    if (!status)
        status = lmb_course_advance(&s->course, t);
    return status ? status : ask_after(s);
}
