/* A geometrically exact beam as the model file describes it, and how it becomes an lmb_exact_beam.
 */
#ifndef LMB_MODEL_EXACT_BEAM_PART_H
#define LMB_MODEL_EXACT_BEAM_PART_H

#include "elements/exact_beam.h"
#include "fe/beam_curve.h"
#include "model/beam_keys.h"

/* What the sections of a beam are at a place along it. */
typedef struct lmb_beam_station {
    double at; /* 0 to 1: part of the arc length */
    double twist;
    lmb_place place;                /* for messages */
    bool shaped;                    /* it has a section */
    lmb_section_given section;      /* which */
    const double *stiffness, *mass; /* 6 x 6, in place of those of section and material; or NULL */
} lmb_beam_station;

typedef struct lmb_exact_part {
    lmb_flexible_part part; /* name, place, material, number of elements, interfaces, masses */
    lmb_beam_curve curve;
    vec3 y_axis;
    lmb_place y_place; /* of that key, for messages */
    int order;
    lmb_beam_station *stations; /* ascending, at least one */
    int station_count;
    double damping;
} lmb_exact_part;

/* Reads the keys of a body with `beam: {deformation: large}`. */
lmb_status lmb_exact_part_read(const lmb_body_build *body, lmb_exact_part *out);

/* The section at a part of the arc length: stiffness (6 x 6), inertia per length, and its shape
 * where it has one. */
typedef struct lmb_beam_properties {
    double stiffness[36], twist;
    lmb_beam_inertia inertia;
    lmb_section section;
} lmb_beam_properties;

void lmb_exact_part_properties(const lmb_exact_part *part, lmb_context *context, double at,
                               lmb_beam_properties *out);

/* Makes the beam, in an arena; nodes[i] (room for all interfaces of the part) becomes the node of
 * interface i. */
lmb_status lmb_exact_part_build(const lmb_exact_part *part, lmb_context *context, lmb_arena *arena,
                                lmb_exact_beam **out, int *nodes);

/* The probes of a beam, as the key `probes` of its body has them. */
lmb_status lmb_exact_probes_read(const lmb_body_build *body, const lmb_exact_part *part,
                                 lmb_exact_beam *beam);

/* The axes of a section turned about their x axis. */
mat3 lmb_twisted_axes(const mat3 *axes, double angle);

/* All of that: the beam of a body, with the names and nodes of its interfaces. */
typedef struct lmb_exact_interfaces {
    int count;
    const char **names;
    int *nodes;
} lmb_exact_interfaces;

lmb_status lmb_exact_beam_read(const lmb_body_build *body, lmb_exact_beam **out,
                               lmb_exact_interfaces *interfaces);

/* Builds a body with such a beam: its operations, its mass, its points. */
lmb_status lmb_exact_beam_body(lmb_body_build *body);

#endif
