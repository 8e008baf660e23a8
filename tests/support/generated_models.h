/* Valid models of all kinds, drawn from a seed: the same seed gives the same text on every machine.
 *
 * Joints, forces, drivers, instruments, integrators, analyses and begin kinds come from the tables
 * of the program, with their keys from the tables of fields. A model is a chain, a tree, a closed
 * loop or two mechanisms, built closed. Forms of a model are drawn with the same numbers. */
#ifndef TESTS_GENERATED_MODELS_H
#define TESTS_GENERATED_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec.h"

/* The kinds of bodies that a model may have; a mask has their bits. */
typedef enum generated_body {
    GENERATED_RIGID,
    GENERATED_PARTICLE,
    GENERATED_NATURAL,
    GENERATED_BEAM,
    GENERATED_STIFFENED,
    GENERATED_NATURAL_BEAM,
    GENERATED_FRAMEWORK,
    GENERATED_MESH, /* in space */
    GENERATED_MODAL,
    GENERATED_EXACT,
    GENERATED_CURVED,
    GENERATED_BODIES
} generated_body;
#define GENERATED_ALL ((1u << GENERATED_BODIES) - 1)

/* The differences of a form from the plain one, which is all zero. */
typedef struct generated_form {
    bool reversed;    /* entries and sections are in reverse order, except analyses */
    bool renamed;     /* all names have another prefix */
    bool substituted; /* parameters are replaced by their values */
    bool turned;      /* the whole model with gravity: x becomes generated_turn(x) + shift */
    bool mirrored;    /* x becomes -x; bodies are mirrored at a plane of their own axes */
    bool natural;     /* rigid and reduced bodies have natural coordinates */
    bool cut;         /* rigid bodies are two halves in the same place, with a fixed joint */
    bool still;       /* laws do not depend on time */
    bool written_out; /* entries with `repeat` are written out */
    double length, mass, time; /* factors of all quantities; 0: 1 */
    bool added;                /* with an unrelated clamped body `extra` */
    bool last;                 /* the last entry of its section, else the first */
    generated_body extra;
    double distance; /* of that body from the origin, m; 0: 3 m */
} generated_form;

/* The text of a model with up to `size` bodies; free it. Files are in tests/support. */
char *generated_model(uint64_t seed, int size, unsigned bodies, const generated_form *form);

/* The same. Each byte makes a choice, and the seed makes the choices after the last byte. */
char *generated_model_of_choices(const uint8_t *bytes, size_t length, uint64_t seed, int size,
                                 unsigned bodies, const generated_form *form);

/* The factor of quantities of a unit in a form. */
double generated_factor(const generated_form *form, const char *unit);

/* The unit of lengths or of angles where units have both, as "N or N m" and "N/m, N m/rad"; `room`
 * is for its text. NULL: "". */
const char *generated_unit(const char *units, bool angle, char *room, size_t size);

/* A vector in the turned form, and where the origin is there: moved across gravity, so that no
 * potential energy changes. */
vec3 generated_turn(int dimension, vec3 x);
vec3 generated_shift(int dimension);

/* The duration of motions, and the instant of events, in the plain form. */
extern const double generated_duration, generated_event;

/* The prefixes of names in the plain and in the renamed form, of the same length. */
extern const char generated_prefix[], generated_other_prefix[];

#endif
