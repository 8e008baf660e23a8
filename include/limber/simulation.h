/* A simulation: an analysis over time that a program moves on step by step, looks at and acts on.
 *
 *   lmb_simulation *s;
 *   if (!lmb_simulation_new(&s, context, model, NULL) &&
 *       !lmb_simulation_channel(s, "crank.angle", &angle, NULL))
 *       while (lmb_simulation_time(s) < lmb_simulation_end(s) && !lmb_simulation_step(s))
 *           printf("%g %g\n", lmb_simulation_time(s), *lmb_simulation_read(s, angle));
 *   lmb_simulation_free(s);
 *
 * Going from instant to instant gives, to the last bit, what lmb_run stores; no file is written.
 * Nothing is allocated by steps, by reading channels and by setting inputs, but by the integrator
 * 'ida' and where 'stabilisation: partitioning' chooses its coordinates anew.
 *
 * Model and context must outlive the simulation. A model can be shared by threads; a simulation is
 * used by one thread at a time and has a context that no other thread uses meanwhile. A second call
 * while one is under way returns LMB_USAGE (lmb_simulation_read: NULL) and changes nothing; its
 * message is in the context when the first one has ended. Functions that return a status have left
 * a message in the context where it is not LMB_OK, but for a simulation that is NULL. */
#ifndef LIMBER_SIMULATION_H
#define LIMBER_SIMULATION_H

#include "limber/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lmb_simulation lmb_simulation;

/* A simulation as it was at an instant. */
typedef struct lmb_snapshot lmb_snapshot;

/* The numbers that a simulation is made of. */
typedef enum lmb_quantity {
    LMB_QUANTITY_Q,     /* coordinates: positions, angles or quaternions, deformations */
    LMB_QUANTITY_V,     /* velocities; those of quaternions are angular velocities in body axes */
    LMB_QUANTITY_A,     /* accelerations, the rates of the velocities */
    LMB_QUANTITY_LAMBDA /* multipliers, one for each constraint equation */
} lmb_quantity;

/* Makes a simulation of the named analysis (NULL: the last one that is over time) and puts it at
 * its start: what it begins from has run, joints are closed, velocities fit them. */
LMB_API lmb_status lmb_simulation_new(lmb_simulation **out, lmb_context *context,
                                      const lmb_model *model, const char *analysis);

/* Frees a simulation, or does nothing with NULL. */
LMB_API void lmb_simulation_free(lmb_simulation *simulation);

/* The name of its analysis; NULL for no simulation. */
LMB_API const char *lmb_simulation_analysis(const lmb_simulation *simulation);

/* The instant that the simulation has reached, in s. */
LMB_API double lmb_simulation_time(const lmb_simulation *simulation);

/* The instant at which the analysis ends, in s; a simulation may go on beyond it. */
LMB_API double lmb_simulation_end(const lmb_simulation *simulation);

/* Whether an event has stopped the motion: it cannot move on. */
LMB_API bool lmb_simulation_stopped(const lmb_simulation *simulation);

/* Moves on to exactly the instant t, which must not be before the present one; where an event stops
 * the motion on the way it stays there, returns LMB_OK, and further calls fail. If it fails, the
 * simulation is where it was before the call and a warning says so. */
LMB_API lmb_status lmb_simulation_advance(lmb_simulation *simulation, double t);

/* Moves on to the next instant for which the analysis stores results, in the same way. */
LMB_API lmb_status lmb_simulation_step(lmb_simulation *simulation);

/* How many numbers a quantity has; 0 for one that there is not. */
LMB_API int lmb_simulation_size(const lmb_simulation *simulation, lmb_quantity which);

/* The numbers of a quantity as they are now; they belong to the simulation and change with it. */
LMB_API const double *lmb_simulation_view(const lmb_simulation *simulation, lmb_quantity which);

/* Writes the name of number i of a quantity, such as "crank.x" or "pin.y", to a text of a size; a
 * longer name is cut. */
LMB_API lmb_status lmb_simulation_name(const lmb_simulation *simulation, lmb_quantity which, int i,
                                       char *text, size_t size);

/* Puts the simulation into the position q with the velocities v (either may be NULL: as they are),
 * changed by as little as possible so that they satisfy the constraints; integration begins anew.
 * Motions that drivers determine have no state to be set. */
LMB_API lmb_status lmb_simulation_set_state(lmb_simulation *simulation, const double *q,
                                            const double *v);

/* Finds a channel by its name ("crank.angle", "pin.force", or one number of it, "pin.force.x") and
 * gives a handle to read it with, and how many numbers it has (size may be NULL). */
LMB_API lmb_status lmb_simulation_channel(lmb_simulation *simulation, const char *name, int *handle,
                                          int *size);

/* The numbers of a channel at the present instant, valid until the simulation changes; NULL for a
 * handle that there is not. */
LMB_API const double *lmb_simulation_read(lmb_simulation *simulation, int handle);

/* The motion of a point of a body at an instant, in global axes. */
typedef struct lmb_point_motion {
    double position[3];         /* m */
    double velocity[3];         /* m/s */
    double acceleration[3];     /* m/s^2 */
    double angular_velocity[3]; /* of the body there, rad/s */
    double rotation[9];         /* a matrix by rows, from the axes of the point to global ones */
} lmb_point_motion;

/* Tells how a body ("crank") or one of its points ("crank.B") moves now, or a point that has an
 * offset from there in axes of the body (three numbers; NULL: none; not on bodies that deform). The
 * Jacobian, unless NULL, is 6 rows by as many columns as there are velocities: J v is the velocity
 * and, below, the angular velocity. */
LMB_API lmb_status lmb_simulation_point(lmb_simulation *simulation, const char *name,
                                        const double *offset, lmb_point_motion *out,
                                        double *jacobian);

/* Finds a force that numbers can be added to, or a driver that can be moved, and gives a handle for
 * that: one number for the effort of a motor, spring or torsion-spring, the components of the
 * vector of a force or torque, three numbers for a driver. */
LMB_API lmb_status lmb_simulation_input(lmb_simulation *simulation, const char *name, int *handle,
                                        int *size);

/* Adds these numbers to a force from now on until they are set again (0 at first); accelerations
 * and reactions become those with the new force, and integration begins anew where it changes. The
 * numbers of a driver are value, rate and acceleration of its coordinate now, from which it goes on
 * with that acceleration, instead of by its law; bodies follow at once if the value jumps. */
LMB_API lmb_status lmb_simulation_set_input(lmb_simulation *simulation, int handle,
                                            const double *values);

/* Puts the numbers of an input as they are now into values: what is added to a force; value, rate
 * and acceleration of a driver, given from outside or by its law. */
LMB_API lmb_status lmb_simulation_get_input(lmb_simulation *simulation, int handle, double *values);

/* The name of number i, from 0, of the forces and drivers of the model that can be inputs of the
 * analysis; NULL after the last. */
LMB_API const char *lmb_simulation_input_name(const lmb_simulation *simulation, int i);

/* A function that a simulation calls at its steps; it returns 0, or another number to stop. It may
 * read channels, points and numbers of the simulation and set inputs, but not move it on. */
typedef int lmb_step_hook(void *user, lmb_simulation *simulation);

/* Has two functions (either may be NULL) called before each step of the integrator, which may then
 * be tried several times, and after each that is accepted; in kinematics and inverse dynamics,
 * before and after each call that moves on. */
LMB_API lmb_status lmb_simulation_on_step(lmb_simulation *simulation, lmb_step_hook *before,
                                          lmb_step_hook *accepted, void *user);

/* Keeps the simulation as it is now, inputs included; fails with the integrator 'ida', whose memory
 * cannot be saved. */
LMB_API lmb_status lmb_simulation_save(lmb_simulation *simulation, lmb_snapshot **out);

/* Puts a simulation where a snapshot of it, or of another one of the same model and analysis, was
 * taken; from there it goes on to the last bit as that one did. */
LMB_API lmb_status lmb_simulation_restore(lmb_simulation *simulation, const lmb_snapshot *snapshot);

/* Puts a simulation back to its start, as lmb_simulation_new has made it, inputs included; handles
 * and hooks stay. This also works with the integrator 'ida'. */
LMB_API lmb_status lmb_simulation_rewind(lmb_simulation *simulation);

/* Frees a snapshot, or does nothing with NULL; the simulation may be gone before. */
LMB_API void lmb_snapshot_free(lmb_snapshot *snapshot);

#ifdef __cplusplus
}
#endif
#endif
