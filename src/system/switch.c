/* Switching joints, drivers and forces off and on. */
#include "system/state.h"

#include <string.h>

static void switch_row(lmb_state *s, int row, bool on)
{
    s->rows_off += (on ? 0 : 1) - (s->row_off[row] ? 1 : 0);
    s->row_off[row] = !on;
    s->lambda[row] = 0;
}

void lmb_switch_driver(lmb_state *s, int driver, bool on)
{
    switch_row(s, s->model->drivers[driver].row, on);
}

void lmb_switch_force(lmb_state *s, int force, bool on)
{
    s->force_off[force] = !on;
}

void lmb_switch_joint(lmb_state *s, int joint, bool on)
{
    const lmb_model *m = s->model;
    const lmb_joint *j = &m->joints[joint];
    for (int r = j->row; r < j->row + j->row_count; r++)
        switch_row(s, r, on);
    for (int i = j->driver; i >= 0 && !on; i = m->drivers[i].next)
        lmb_switch_driver(s, i, false);
    for (int i = 0; i < m->force_count && !on; i++)
        if (m->forces[i].joint == joint)
            lmb_switch_force(s, i, false);
}

void lmb_switch_selection(lmb_state *s, const lmb_selection *x, bool on)
{
    for (int i = 0; i < x->joint_count; i++)
        lmb_switch_joint(s, x->joints[i], on);
    for (int i = 0; i < x->driver_count; i++)
        lmb_switch_driver(s, x->drivers[i], on);
    for (int i = 0; i < x->force_count; i++)
        lmb_switch_force(s, x->forces[i], on);
}

void lmb_switch_absent(lmb_state *s, const lmb_selection *absent)
{
    const lmb_model *m = s->model;
    memset(s->row_off, 0, (size_t)m->nrows * sizeof *s->row_off);
    memset(s->force_off, 0, (size_t)m->force_count * sizeof *s->force_off);
    memset(s->event_off, 0, (size_t)m->event_count * sizeof *s->event_off);
    s->rows_off = 0;
    lmb_switch_selection(s, absent, false);
    for (int i = 0; i < m->event_count; i++) {
        s->event_time[i] = NAN;
        s->event_side[i] = 0;
    }
    for (int i = 0; i < absent->event_count; i++)
        s->event_off[absent->events[i]] = true;
}
