/* Models with all kinds of bodies, joints and forces, random points and axes, in random states: for
 * tests of derivatives, which hold anywhere. */
#ifndef TESTS_RANDOM_MODELS_H
#define TESTS_RANDOM_MODELS_H

#include "limber/limber.h"
#include "system/equations.h"

/* A number between -1 and 1. */
double random_number(void);

/* What the bodies A and B of the models to come are: rigid or flexible, both also in natural
 * coordinates, of a kind that only tests know (strut.h), or exact beams of several nodes. */
typedef enum random_kind {
    RANDOM_RIGID,
    RANDOM_FLEXIBLE,
    RANDOM_NATURAL,
    RANDOM_NATURAL_FLEXIBLE,
    RANDOM_STRUT,
    RANDOM_KINDS, /* of one or two nodes */
    RANDOM_EXACT_BEAM = RANDOM_KINDS,
    RANDOM_ALL_KINDS
} random_kind;
extern random_kind random_bodies;

/* A model with a joint of a kind between two ends, such as "[A.a, B.b]"; free the text or compile
 * it, which frees it. Or the model itself, with a driver on every coordinate of that joint. */
char *random_model_text(const lmb_joint_type *type, int dimension, const char *between);
lmb_model *compile_random(char *text);
lmb_model *driven_random_model(const lmb_joint_type *type, int dimension, const char *between);

/* Calls a function for each kind of joint in each dimension that it has, between several ends, on
 * bodies of all kinds. */
void for_each_random_joint(void (*visit)(const lmb_joint_type *type, int dimension,
                                         const char *between));

/* The size of a coordinate: modal ones are measured by how far the ends move and turn. */
double unit_of(const lmb_body *body, int coordinate);

/* A state with random velocities, accelerations, multipliers and first-order states; flexible
 * bodies are bent. */
lmb_state *random_state(const lmb_model *model);

/* The state moved along d by eps (velocities along w, time by tau). */
lmb_state *moved_state(const lmb_state *from, const double *d, double eps, const double *w,
                       double tau);

#endif
