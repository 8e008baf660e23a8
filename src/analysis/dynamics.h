/* Forward dynamics: the motion of a mechanism under forces. */
#ifndef LMB_ANALYSIS_DYNAMICS_H
#define LMB_ANALYSIS_DYNAMICS_H

#include "analysis/mobility.h"
#include "integrate/motion.h"

typedef struct lmb_events lmb_events;

/* Who is asked before each step and after each accepted one, also where an event cuts it short; a
 * status other than LMB_OK ends the motion. */
typedef struct lmb_step_watch {
    lmb_status (*before)(void *user);
    lmb_status (*after)(void *user);
    void *user;
} lmb_step_watch;

typedef struct lmb_dynamics {
    lmb_solver *solver;
    lmb_rank rank;
    lmb_motion *motion;
    lmb_events *events;    /* NULL for none */
    lmb_step_watch *watch; /* or NULL */
} lmb_dynamics;

/* Assembles at an instant and finds velocities that fit the joints, the drivers and what the model
 * prescribes; a contradiction is reported with its body. */
lmb_status lmb_dynamics_new(lmb_dynamics **out, lmb_context *context, const lmb_model *model,
                            double start, const lmb_integration *options);

/* The same from a state: its instant, its velocities, what is switched off in it. The state is
 * copied. */
lmb_status lmb_dynamics_from(lmb_dynamics **out, lmb_context *context, const lmb_state *initial,
                             const lmb_integration *options);
void lmb_dynamics_free(lmb_dynamics *dynamics);

/* Integrates to a later instant, in as many steps as the tolerance asks for; to the present one
 * nothing happens. Events happen on the way; it stays where one stops it. */
lmb_status lmb_dynamics_advance(lmb_dynamics *dynamics, double t);

/* Whether an event has stopped it. */
bool lmb_dynamics_stopped(const lmb_dynamics *dynamics);

/* Saves or restores all that it needs to go on to the last bit; as many numbers at any time. */
void lmb_dynamics_pack(lmb_dynamics *dynamics, lmb_pack *pack);

/* After something was switched in its state (system/switch.h): closes joints that were switched on,
 * lets velocities jump as in an impact without rebound, and starts the integration anew. */
lmb_status lmb_dynamics_switched(lmb_dynamics *dynamics);

/* After somebody has put other positions and velocities into its state: closes joints, from far
 * away if need be, makes velocities fit them as in an impact, and starts the integration anew. No
 * event happens by the jump. */
lmb_status lmb_dynamics_moved(lmb_dynamics *dynamics);

/* Forces were changed: accelerations and reactions anew, and the integration starts anew. */
lmb_status lmb_dynamics_pushed(lmb_dynamics *dynamics);

/* Watches the events that are not left out, from the present state of a motion on; NULL if there
 * are none. Which of them have happened is part of the state. */
lmb_status lmb_events_new(lmb_events **out, lmb_motion *motion);
void lmb_events_free(lmb_events *events);

/* Takes the sides of zero that their expressions are on as those from which they are watched. */
void lmb_events_look(lmb_events *events, lmb_state *state);

/* Integrates to an instant and lets events happen on the way; one may stop it before. The other
 * makes a step that does not go beyond that instant. */
lmb_status lmb_events_advance(lmb_dynamics *dynamics, double end);
lmb_status lmb_events_step(lmb_dynamics *dynamics, double end);

/* Finds where laws of forces and drivers jump, have a kink or a narrow peak, for adaptive steps to
 * end there. Warns if equal steps miss a pulse. */
lmb_status lmb_find_breaks(lmb_motion *motion, const lmb_analysis *analysis);

/* Find the breaks of active forces and drivers between two instants, without warnings. */
lmb_status lmb_find_breaks_between(lmb_motion *motion, double start, double end);

/* Return whether a law of an active force or driver has such an instant. */
bool lmb_laws_break(const lmb_state *state, double start, double end);

/* The highest angular frequency (rad/s) of the flexible bodies of a model, each by itself, and
 * whose it is; 0 without flexible bodies, -1 when out of memory. Joints and whatever they connect
 * only lower it. */
double lmb_highest_frequency(const lmb_model *model, const lmb_body **whose);

/* Warns if an explicit method cannot follow the vibrations of flexible bodies: if it will not stay
 * stable over an analysis, or will need very many steps for that. */
void lmb_warn_stability(lmb_context *context, const lmb_model *model, const lmb_analysis *analysis);

#endif
