/* The draft of a generated model: random numbers, entries of sections, bodies and joints. */
#ifndef TESTS_GENERATED_DRAFT_H
#define TESTS_GENERATED_DRAFT_H

#include <stdio.h>

#include "generated_models.h"
#include "integrate/motion.h"
#include "joints/joint.h"

enum { MOST_BODIES = 8, MOST_JOINTS = 16, MOST_ENTRIES = 64 };
typedef enum section_id {
    PARAMETERS,
    BODIES,
    JOINTS,
    DRIVERS,
    FORCES,
    SENSORS,
    EVENTS,
    INITIAL,
    ANALYSES,
    SECTIONS
} section_id;

/* Why a model is made, which its analyses and the forces that hold it follow from. */
typedef enum purpose { FREE, DRIVEN, HELD, PURPOSES } purpose;

typedef struct placed_body {
    char name[16];
    generated_body kind;
    mat3 R;
    vec3 a, b; /* its ends in global axes, in the plain form */
} placed_body;

typedef struct placed_joint {
    char name[16];
    const lmb_joint_type *type;
    bool coupled;  /* it is a wheel or a rack */
    bool grounded; /* its first end is on the ground */
} placed_joint;

/* In texts @ stands for the prefix of names. */
typedef struct draft {
    uint64_t state;
    const uint8_t *bytes, *end; /* choices that are taken first; then the state chooses */
    int dimension;
    generated_form form;
    purpose purpose;
    char *entries[SECTIONS][MOST_ENTRIES];
    int count[SECTIONS];
    FILE *out; /* the present entry */
    size_t size;
    placed_body bodies[MOST_BODIES];
    int body_count;
    placed_joint joints[MOST_JOINTS];
    int joint_count;
    bool latched;                     /* the first force acts only after an event */
    bool assembly;                    /* the first analysis has positions only */
    const lmb_integrator *integrator; /* of the present analysis; NULL: it has none */
} draft;

/* A number from 0 to count - 1. */
int draw(draft *g, int count);

/* One of the multiples of 0.01 from lo/100 to hi/100. */
double hundredths(draft *g, int lo, int hi);

/* A vector of the plain form in the form that is written, in global or in body axes. */
vec3 global(const draft *g, vec3 x);
vec3 local(const draft *g, vec3 x);

/* The same of an axial vector, such as a torque; in the plane its z alone counts. */
vec3 axial(const draft *g, vec3 x, bool is_global);

/* -1 for a joint angle in the mirrored form, else 1. */
double angle_sign(const draft *g, bool is_angle);

/* A point of the plain form in global axes, as it is in the form that is written. */
vec3 global_point(const draft *g, vec3 x);

mat3 draw_rotation(draft *g);
vec3 times(const mat3 *R, vec3 x);

/* Writes to the present entry. */
void put(draft *g, const char *format, ...) LMB_PRINTF(2, 3);

/* The shortest text that gives the number again; of a quantity in the form that is written. */
void put_number(draft *g, double x);
void put_quantity(draft *g, double x, const char *unit);
void put_vector(draft *g, vec3 x, const char *unit);

/* Write a law times the factor f(t): 1 + sin, or sin alone. */
void put_wave(draft *g, const char *before, int rate);

/* Starts an entry of a section, which `out` is then; and ends it. */
void begin_entry(draft *g, section_id section);
void end_entry(draft *g);

/* A quantity, as a parameter of its own or as it is. */
void put_parameter(draft *g, double x, const char *unit);

/* Write one of the words of a choice. Returns its number. */
int put_word(draft *g, const char *words);

bool is_rigid(generated_body kind);
bool is_exact(generated_body kind);
bool is_elastic(generated_body kind);

/* A body whose first end is at a place of the plain form. */
placed_body *put_body(draft *g, const char *name, generated_body kind, vec3 place);

/* An end of a body (NULL: the ground) at a place. */
void put_end(draft *g, const placed_body *body, bool first, vec3 place);

/* Whether a table has a key. */
bool has_field(const lmb_field *fields, const char *name);

/* Joins an end of A at a place (NULL: the ground there) to the first or last end of B. The axis is
 * that of A, in the plain form; `across` is perpendicular to it. */
void put_joint(draft *g, const lmb_joint_type *type, const placed_body *A, vec3 place,
               const placed_body *B, bool last, vec3 axis, vec3 across);

/* Gears and racks between joints that are there. */
void put_couplings(draft *g);

/* A chain or a tree from the ground; a closed chain ends on the ground. */
void put_mechanism(draft *g, int size, unsigned kinds, vec3 place);

#endif
