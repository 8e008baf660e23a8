/* Kinds of bodies as a model file knows them, and the keys that all bodies have: mass properties,
 * where a body starts and how fast.
 *
 * A new kind is a file with its operations (bodies/body.h), the table of its own keys, and a
 * function that makes its data of them. It is listed in an lmb_kinds (system/kinds.h). */
#ifndef LMB_BODIES_READ_H
#define LMB_BODIES_READ_H

#include "bodies/body.h"
#include "read/reader.h"

/* An orientation as it is given. */
typedef struct lmb_orientation {
    lmb_value angle, rotation, quaternion, axes;
} lmb_orientation;

/* The fields of an orientation that the member `turned` of a struct is read from. */
#define LMB_ORIENTATION_FIELDS(type, of)                                                           \
    {"angle", LMB_AT(type, turned.angle), LMB_FIELD_NUMBER, "rad",                                 \
     "In the plane: angle of its x axis from " of "."},                                            \
        {"rotation",                                                                               \
         LMB_AT(type, turned.rotation),                                                            \
         LMB_FIELD_TREE,                                                                           \
         "rad",                                                                                    \
         "In space: rotation vector (axis times angle) from " of ".",                              \
         .choices = "vector"},                                                                     \
    {                                                                                              \
        "quaternion", LMB_AT(type, turned.quaternion), LMB_FIELD_TREE, NULL,                       \
            "In space: unit quaternion, scalar first, from " of ".", .choices = "four"             \
    }

#define LMB_AXES_FIELD(type)                                                                       \
    {                                                                                              \
        "axes", LMB_AT(type, turned.axes), LMB_FIELD_TREE, NULL,                                   \
            "In space: two vectors, its x axis and one that its y axis is nearest to.",            \
            .choices = "axes"                                                                      \
    }

/* *given tells whether there was one; *angle gets the angle in the plane. */
lmb_status lmb_read_orientation(lmb_reader *reader, const lmb_orientation *orientation, mat3 *R,
                                bool *given, double *angle);

/* An inertia: one number in the plane; three, six or nine in space. It must be possible. */
lmb_status lmb_read_inertia(lmb_reader *reader, const lmb_value *value, mat3 *out);

/* What the keys that all bodies have are read into. */
typedef struct lmb_body_keys {
    lmb_value type, coordinates, mass, density, inertia, velocity, angular_velocity;
    vec3 position;
    lmb_orientation turned;
    const lmb_tree *shape, *points;
} lmb_body_keys;

/* Their fields; the words of the first one, `type`, are the names of the kinds. */
extern const lmb_field lmb_body_fields[];

/* What a body is built from. */
typedef struct lmb_body_build lmb_body_build;
struct lmb_body_build {
    lmb_reader *reader;
    const char *what;           /* "body 'crank'" */
    const lmb_tree *key, *node; /* its name and its map in the file */
    const struct lmb_body_type *type;
    lmb_body_keys common; /* what its mass, start and velocities were read from */
    void *keys;           /* what the fields of its kind were read into */
    lmb_body *body;       /* what is being built */

    /* Adds a named point: the number by which the body knows it (or -1) and where it is. */
    lmb_status (*point)(lmb_body_build *build, int number, const char *name, lmb_frame local);
};

typedef struct lmb_body_type {
    const char *name;                     /* `type: name` */
    const char *called;                   /* "rigid", "a particle": what it is, in messages */
    const char *doc;                      /* one sentence */
    const lmb_body_ops *planar, *spatial; /* its operations in the plane and in space */
    const lmb_body_ops *natural;          /* in natural coordinates, both; NULL: it has none */
    const lmb_field *fields;              /* besides the common ones, ends with {0}; NULL: none */
    size_t size;                          /* of what they fill, which becomes its `own` */

    /* a body that has one of its first so many fields is of this kind; it then has no word, and
     * `how` says so */
    int marks;
    const char *how;
    bool own_points; /* its named points are those that `build` adds, not `points` */

    /* Makes its data from its keys; NULL: there is nothing to do. */
    lmb_status (*build)(lmb_body_build *build);
} lmb_body_type;

extern const lmb_body_type lmb_body_type_rigid, lmb_body_type_particle;

static inline const lmb_body_ops *lmb_body_type_ops(const lmb_body_type *type, int dimension)
{
    return dimension == 2 ? type->planar : type->spatial;
}

/* Start, velocities and mass of a body of a kind, from the keys that all bodies have. */
lmb_status lmb_body_read_common(lmb_reader *reader, const lmb_body_type *type, const char *what,
                                const lmb_body_keys *keys, lmb_body *body);

#endif
