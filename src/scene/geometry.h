/* What is drawn of a model: shapes and points of its bodies, and signs of its joints and forces.
 *
 * It is made of a compiled model or of a rotor, kept with the result as JSON, and read back by this
 * reader alone:
 *
 *   {"dimension": 2, "length": 1.0, "gravity": [x, y, z],
 *    "bodies": [{"name", "kind", "modes_of", "mass", "shape": {"bar": {"length": 1}} or null,
 *                "points": {"A": [x, y, z]}}],
 *    "joints": [{"name", "type", "sign", "bodies": [0, 1], "at", "at_b", "axis": [x, y, z],
 *                "radius"}],
 *    "forces": [the same],
 *    "without": {"ANALYSIS": ["names of joints and forces that do not act in it"]},
 *    "events": [{"name", "release": ["names"], "latch": ["names"]}]}
 *
 * Bodies are numbered from the ground, 0; `at` and `axis` are given in the axes of the first body,
 * `at_b` in those of the second. */
#ifndef LMB_SCENE_GEOMETRY_H
#define LMB_SCENE_GEOMETRY_H

#include "bodies/shape.h"
#include "math/vec.h"
#include "system/model.h"

typedef struct lmb_drawn_body {
    const char *name, *kind;
    const char *modes_of; /* the body whose modal coordinates alone move it, or NULL */
    double mass;
    lmb_shape shape; /* its type is NULL where there is none */
    int point_count;
    const char **point_names; /* without the name of the body */
    vec3 *points;
} lmb_drawn_body;

/* A joint or a force between two bodies. */
typedef struct lmb_drawn_tie {
    const char *name, *type; /* such as "revolute", "spring" */
    const char *sign;        /* how it is drawn, see joints/joint.h; NULL: not at all */
    int body[2];
    vec3 at[2];    /* where it takes hold of each, in its axes */
    vec3 axis;     /* of a joint, in the axes of the first; else zero */
    double radius; /* of the shaft in a bearing, of the foot of a spring; 0: none */
} lmb_drawn_tie;

typedef struct lmb_drawn_names {
    int count;
    const char **list;
} lmb_drawn_names;

/* What an event switches, or what an analysis does without (`release` alone). */
typedef struct lmb_drawn_switch {
    const char *name; /* of the event or analysis */
    lmb_drawn_names release, latch;
} lmb_drawn_switch;

typedef struct lmb_geometry {
    int dimension;
    double length; /* a typical size */
    vec3 gravity;
    int body_count, joint_count, force_count, without_count, event_count;
    lmb_drawn_body *bodies; /* the first is the ground */
    lmb_drawn_tie *joints, *forces;
    lmb_drawn_switch *without, *events;
} lmb_geometry;

/* Room for as much as its counts say; false: out of memory. */
bool lmb_geometry_allocate(lmb_geometry *geometry, lmb_arena *arena);

/* Room for the points of a body; without memory it has none. */
void lmb_drawn_body_points(lmb_drawn_body *body, lmb_arena *arena, int count);

/* That of a model, in the arena, with names of the model; false: out of memory. */
bool lmb_geometry_of(lmb_geometry *out, lmb_arena *arena, const lmb_model *model);

/* The text that is kept with a result, to be freed; NULL: out of memory. */
char *lmb_geometry_text(const lmb_geometry *geometry);

/* Reads that text, also as earlier versions wrote it. The path is for messages. */
lmb_status lmb_geometry_read(lmb_geometry *out, lmb_context *context, lmb_arena *arena,
                             const char *path, const char *text);

/* Solids as triangles. */
typedef struct lmb_solid_mesh {
    int node_count, triangle_count;
    float *nodes;   /* node x 3 */
    int *triangles; /* triangle x 3, counterclockwise seen from outside */
} lmb_solid_mesh;

/* The solid of a body without a skin: its shape, with links to points outside of it, or links to
 * all of its points where it has none. False: out of memory. */
bool lmb_geometry_mesh(lmb_solid_mesh *out, lmb_arena *arena, const lmb_geometry *geometry,
                       int body);

#endif
