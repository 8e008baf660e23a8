/* Inputs and outputs of a linearised model: forces that are added to those of the model, and
 * channels of a dynamic analysis.
 *
 * A small motion changes q, v, a, lambda and z at once, exactly. What a channel makes of that is
 * found by central differences of order four along the change, for which nothing needs to be
 * solved: they are good to about 1e-10 of the channel. */
#ifndef LMB_ANALYSIS_PORTS_H
#define LMB_ANALYSIS_PORTS_H

#include "channels/channels.h"
#include "system/solver.h"

typedef struct lmb_port {
    int force;      /* of the model */
    vec3 direction; /* the number of it that is the input */
} lmb_port;

/* A change of the state. */
typedef struct lmb_change {
    const double *dq, *dv, *da, *dl, *dz;
} lmb_change;

typedef struct lmb_ports {
    lmb_solver *solver;
    lmb_channels *channels;
    int inputs, outputs;
    char **input_names, **output_names;
    lmb_port *input;
    int *output;    /* their places in a row of channels */
    double typical; /* a typical force, by which inputs are moved */
    double *state;  /* q, v, a, z and lambda as they are */
    double *sum;    /* outputs */
    vec3 *added;    /* one per force */
    lmb_arena *arena;
} lmb_ports;

/* Inputs are names of forces (with the component of a vector behind a dot; without it all are
 * meant), outputs those of channels; lists are ended by NULL. A list that is NULL itself means all
 * motors, forces and torques, or positions, angles and velocities of all bodies. */
lmb_status lmb_ports_new(lmb_ports **out, lmb_solver *solver, const char *const *inputs,
                         const char *const *outputs);
void lmb_ports_free(lmb_ports *ports);

/* The change dQ (nv) of the generalised forces by a unit of an input. */
void lmb_ports_force(const lmb_ports *ports, int input, double *dQ);

/* The derivatives of the outputs along a change, moved by h of it, and a unit of an input (-1:
 * none). The state is as it was afterwards. */
void lmb_ports_differentiate(lmb_ports *ports, const lmb_change *change, int input, double h,
                             double *column);

/* By how much of a change channels are best moved: positions by 2e-5 of the model's length,
 * velocities by as much per second. */
double lmb_ports_step(const lmb_ports *ports, const lmb_change *change);

#endif
