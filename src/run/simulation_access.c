/* What a program reads of a simulation, states that it sets, and snapshots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "run/simulation.h"

/* --- states ----------------------------------------------------------------------------------- */

int lmb_simulation_size(const lmb_simulation *s, lmb_quantity which)
{
    if (!s)
        return 0;
    switch (which) {
    case LMB_QUANTITY_Q:
        return s->model->nq;
    case LMB_QUANTITY_V:
    case LMB_QUANTITY_A:
        return s->model->nv;
    case LMB_QUANTITY_LAMBDA:
        return s->model->nrows;
    }
    return 0;
}

const double *lmb_simulation_view(const lmb_simulation *s, lmb_quantity which)
{
    if (!s)
        return NULL;
    const lmb_state *x = s->solver->state;
    switch (which) {
    case LMB_QUANTITY_Q:
        return x->q;
    case LMB_QUANTITY_V:
        return x->v;
    case LMB_QUANTITY_A:
        return x->a;
    case LMB_QUANTITY_LAMBDA:
        return x->lambda;
    }
    return NULL;
}

/* The name of a coordinate q: that of its velocity, but for quaternions. */
static void name_coordinate(const lmb_model *m, int i, char *text, size_t size)
{
    const lmb_node *node = m->nodes;
    while (i >= node->q + node->nq)
        node++;
    int j = i - node->q;
    if (node->nq == node->nv || j < LMB_TURN_FIRST) {
        lmb_column_name(m, node->v + j, text, size);
        return;
    }
    lmb_snprintf(text, size, "%s%s%s.quaternion.%c", m->bodies[node->body].name,
                 node->label ? "." : "", node->label ? node->label : "",
                 "wxyz"[j - LMB_TURN_FIRST]);
}

lmb_status lmb_simulation_name(const lmb_simulation *s, lmb_quantity which, int i, char *text,
                               size_t size)
{
    if (!s)
        return LMB_USAGE;
    LMB_REQUIRE(s->context, text);
    if (size == 0)
        return lmb_fail(s->context, LMB_USAGE, "there is no room for a name: `size` is 0");
    text[0] = 0;
    if (i < 0 || i >= lmb_simulation_size(s, which))
        return lmb_fail(s->context, LMB_USAGE, "there is no number %d: the quantity has %d", i,
                        lmb_simulation_size(s, which));
    if (which == LMB_QUANTITY_LAMBDA)
        lmb_row_name(s->model, i, text, size);
    else if (which == LMB_QUANTITY_Q)
        name_coordinate(s->model, i, text, size);
    else
        lmb_column_name(s->model, i, text, size);
    return LMB_OK;
}

/* Whether numbers that were given for coordinates are all finite. */
static lmb_status check_numbers(const lmb_simulation *s, lmb_quantity which, const double *x)
{
    for (int i = 0; x && i < lmb_simulation_size(s, which); i++) {
        char name[128];
        if (isfinite(x[i]))
            continue;
        lmb_simulation_name(s, which, i, name, sizeof name);
        return lmb_fail(s->context, LMB_USAGE, "%s of '%s' is not a finite number",
                        which == LMB_QUANTITY_Q ? "the position" : "the velocity", name);
    }
    return LMB_OK;
}

/* Quaternions need not be of unit length, but of some. */
static lmb_status check_quaternions(const lmb_simulation *s, const double *q)
{
    const lmb_model *m = s->model;
    for (int i = 0; q && i < m->node_count; i++) {
        const double *p = q + m->nodes[i].q + LMB_TURN_FIRST;
        if (lmb_node_turns(&m->nodes[i]) &&
            !(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] > 0))
            return lmb_fail(s->context, LMB_USAGE, "the quaternion of body '%s' is zero",
                            m->bodies[m->nodes[i].body].name);
    }
    return LMB_OK;
}

static double energy(const lmb_state *x)
{
    lmb_balance b = lmb_total_balance(x);
    return b.kinetic + b.potential + lmb_elastic_energy_with(x, &b);
}

lmb_status lmb_simulation_moved(lmb_simulation *s, double before)
{
    lmb_state *x = s->solver->state;
    s->row = NULL;
    if (s->course.kinematics)
        return lmb_kinematics_moved(s->course.kinematics);
    lmb_status status = lmb_dynamics_moved(s->course.dynamics);
    double more = energy(x) - before;
    x->work[more < 0 ? LMB_WORK_DISSIPATED : LMB_WORK_SUPPLIED] += fabs(more);
    return status;
}

double lmb_simulation_energy(const lmb_simulation *s)
{
    return energy(s->solver->state);
}

static lmb_status move(lmb_simulation *s, const double *q, const double *v)
{
    lmb_state *x = s->solver->state;
    double before = energy(x), *none = s->solver->step;
    lmb_simulation_keep(s);
    if (q)
        memcpy(x->q, q, (size_t)s->model->nq * sizeof *q);
    if (v)
        memcpy(x->v, v, (size_t)s->model->nv * sizeof *v);
    memset(none, 0, (size_t)s->model->nv * sizeof *none);
    lmb_retract(x, x->q, none); /* makes quaternions unit */
    lmb_status status = lmb_simulation_moved(s, before);
    if (status)
        return lmb_simulation_back(s, status);
    s->lost = false;
    return LMB_OK;
}

lmb_status lmb_simulation_set_state(lmb_simulation *s, const double *q, const double *v)
{
    lmb_status status = lmb_simulation_enter(s);
    if (status)
        return status;
    if (s->course.kinematics) {
        status = lmb_fail(s->context, LMB_USAGE,
                          "the state of '%s' cannot be set: drivers determine its motion",
                          s->analysis->name);
        lmb_hint(s->context, "an analysis of type dynamics has a state that can be set");
    }
    if (!status && !(status = check_numbers(s, LMB_QUANTITY_Q, q)) &&
        !(status = check_numbers(s, LMB_QUANTITY_V, v)) && !(status = check_quaternions(s, q)) &&
        (q || v))
        status = move(s, q, v);
    return lmb_simulation_leave(s, status);
}

/* --- channels --------------------------------------------------------------------------------- */

static lmb_status find_channel(lmb_simulation *s, const char *name, int *handle, int *size)
{
    LMB_REQUIRE(s->context, name, handle);
    lmb_reading reading;
    lmb_status status =
        lmb_channels_want(s->channels, s->context, name, &reading.at, &reading.size);
    if (status)
        return status;
    lmb_reading *list =
        lmb_arena_append(s->arena, s->readings, s->reading_count, sizeof *s->readings);
    if (!list)
        return lmb_fail_memory(s->context);
    s->readings = list;
    s->readings[s->reading_count] = reading;
    s->row = NULL;
    *handle = s->reading_count++;
    if (size)
        *size = reading.size;
    return LMB_OK;
}

lmb_status lmb_simulation_channel(lmb_simulation *s, const char *name, int *handle, int *size)
{
    lmb_status status = lmb_simulation_look(s);
    return status ? status : lmb_simulation_leave(s, find_channel(s, name, handle, size));
}

const double *lmb_simulation_read(lmb_simulation *s, int handle)
{
    if (lmb_simulation_look(s))
        return NULL;
    const double *out = NULL;
    if (handle >= 0 && handle < s->reading_count) {
        if (!s->row)
            s->row = lmb_channels_wanted(s->channels, s->solver->state);
        out = s->row + s->readings[handle].at;
    }
    lmb_simulation_leave(s, LMB_OK);
    return out;
}

/* --- snapshots -------------------------------------------------------------------------------- */

struct lmb_snapshot {
    const lmb_model *model;
    const lmb_analysis *analysis;
    size_t count;
    double numbers[];
};

static void pack_all(lmb_simulation *s, lmb_pack *pack)
{
    for (int i = 0; i < s->model->force_count; i++) {
        lmb_pack_number(pack, &s->inputs[i].x);
        lmb_pack_number(pack, &s->inputs[i].y);
        lmb_pack_number(pack, &s->inputs[i].z);
    }
    for (int i = 0; i < s->model->law_count; i++) {
        lmb_given_law *law = &s->given[i];
        lmb_pack_flags(pack, &law->given, 1);
        lmb_pack_number(pack, &law->from);
        lmb_pack_number(pack, &law->at.f);
        lmb_pack_number(pack, &law->at.d);
        lmb_pack_number(pack, &law->at.dd);
    }
    if (s->course.kinematics)
        lmb_kinematics_pack(s->course.kinematics, pack);
    else
        lmb_dynamics_pack(s->course.dynamics, pack);
}

/* How many numbers that are. */
static size_t packed_count(lmb_simulation *s)
{
    lmb_pack pack = {.mode = LMB_PACK_COUNT};
    pack_all(s, &pack);
    return pack.count;
}

/* Whether the integrator can be saved. */
static lmb_status check_integrator(const lmb_simulation *s)
{
    const lmb_dynamics *d = s->course.dynamics;
    if (!d || !d->motion->options.integrator->starts_again)
        return LMB_OK;
    lmb_fail(s->context, LMB_USAGE, "a simulation with the integrator '%s' cannot be saved",
             d->motion->options.integrator->name);
    lmb_hint(s->context, "what it remembers of the past cannot be restored; alpha can");
    return LMB_USAGE;
}

static lmb_status save(lmb_simulation *s, lmb_snapshot **out)
{
    lmb_status status = check_integrator(s);
    if (status)
        return status;
    if (s->lost)
        return lmb_fail(s->context, LMB_USAGE,
                        "the simulation of '%s' has failed: there is nothing to save",
                        s->analysis->name);
    size_t count = packed_count(s);
    lmb_snapshot *x = lmb_malloc(sizeof *x + count * sizeof *x->numbers);
    if (!x)
        return lmb_fail_memory(s->context);
    *x = (lmb_snapshot){.model = s->model, .analysis = s->analysis, .count = count};
    lmb_pack pack = {.mode = LMB_PACK_SAVE, .numbers = x->numbers};
    pack_all(s, &pack);
    *out = x;
    return LMB_OK;
}

lmb_status lmb_simulation_save(lmb_simulation *s, lmb_snapshot **out)
{
    if (out)
        *out = NULL;
    lmb_status status = lmb_simulation_enter(s);
    if (status)
        return status;
    status =
        out ? save(s, out) : lmb_fail(s->context, LMB_USAGE, "there is no place for the snapshot");
    return lmb_simulation_leave(s, status);
}

/* Puts the simulation where these numbers were packed. */
static void unpack(lmb_simulation *s, const double *numbers)
{
    lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = (double *)numbers};
    pack_all(s, &pack);
    s->row = NULL;
    s->lost = false;
    lmb_simulation_find_next(s);
}

static lmb_status restore(lmb_simulation *s, const lmb_snapshot *snapshot)
{
    LMB_REQUIRE(s->context, snapshot);
    if (snapshot->model != s->model || snapshot->analysis != s->analysis ||
        snapshot->count != packed_count(s))
        return lmb_fail(s->context, LMB_USAGE,
                        "the snapshot is of another model or analysis than that of '%s'",
                        s->analysis->name);
    unpack(s, snapshot->numbers);
    return LMB_OK;
}

lmb_status lmb_simulation_restore(lmb_simulation *s, const lmb_snapshot *snapshot)
{
    lmb_status status = lmb_simulation_enter(s);
    return status ? status : lmb_simulation_leave(s, restore(s, snapshot));
}

lmb_status lmb_simulation_keep_start(lmb_simulation *s)
{
    s->start = lmb_arena_numbers(s->arena, packed_count(s));
    lmb_status status = lmb_check_memory(s->context, s->arena);
    if (!status)
        pack_all(s, &(lmb_pack){.mode = LMB_PACK_SAVE, .numbers = s->start});
    return status;
}

lmb_status lmb_simulation_rewind(lmb_simulation *s)
{
    lmb_status status = lmb_simulation_enter(s);
    if (status)
        return status;
    unpack(s, s->start);
    return lmb_simulation_leave(s, LMB_OK);
}

void lmb_snapshot_free(lmb_snapshot *snapshot)
{
    free(snapshot);
}
