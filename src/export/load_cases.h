/* Loads of a flexible body as load cases for a finite element program.
 *
 * lmb_load_cases has the data of the result: loads and displacements of the interface points,
 * accelerations of the frame, and rates and accelerations of the modes. lmb_load_body adds data
 * from the mesh files: nodal inertia forces, couplings of the interface points and supports. An
 * lmb_load_writer writes one format. All numbers are in SI units, in the axes and coordinates of
 * the mesh. */
#ifndef LMB_EXPORT_LOAD_CASES_H
#define LMB_EXPORT_LOAD_CASES_H

#include <stdio.h>

#include "base/arena.h"
#include "base/span.h"
#include "import/units.h"
#include "limber/result.h"
#include "reduction/body_data.h"
#include "reduction/nodal_loads.h"

/* An interface point of the body */
typedef struct lmb_load_point {
    const char *name;
    vec3 x;
} lmb_load_point;

/* Numbers of an instant: LMB_LOAD_NUMBERS for each point, then LMB_LOAD_FRAME for the frame, then
 * the forces on the patches. */
enum {
    LMB_LOAD_FORCE,
    LMB_LOAD_TORQUE = 3,
    LMB_LOAD_MOVE = 6,
    LMB_LOAD_TURN = 9,
    LMB_LOAD_NUMBERS = 12
};
/* Of the point of the frame that is the origin of the mesh: acceleration less gravity; angular
 * velocity and acceleration. */
enum { LMB_LOAD_ACCELERATION, LMB_LOAD_SPIN = 3, LMB_LOAD_SPIN_RATE = 6, LMB_LOAD_FRAME = 9 };

typedef struct lmb_load_cases {
    lmb_arena *arena;
    const char *body, *analysis;
    const char *checksum; /* of the files of the body; NULL if it has no files */
    int dimension;
    int point_count, patch_count, mode_count, count; /* count: instants */
    lmb_load_point *points;
    const char **patches; /* names of the patches */
    double *time;
    double *numbers; /* count x lmb_load_width */
    double *modes;   /* count x (rates, accelerations), mode_count each; NULL if they are 0 */
} lmb_load_cases;

static inline int lmb_load_width(const lmb_load_cases *c)
{
    return c->point_count * LMB_LOAD_NUMBERS + LMB_LOAD_FRAME + 3 * c->patch_count;
}

static inline const double *lmb_load_row(const lmb_load_cases *c, int instant)
{
    return c->numbers + (size_t)instant * (size_t)lmb_load_width(c);
}

/* Selected instants: listed times, every n-th instant of a span, or the instant of the largest
 * stress. */
typedef struct lmb_load_choice {
    const double *at;
    int at_count;
    bool peak;
    int every; /* at least 1 */
    lmb_span span;
} lmb_load_choice;

/* Read load cases from an analysis of a result. Free them with lmb_arena_free(cases->arena). */
lmb_status lmb_load_cases_read(lmb_load_cases **out, lmb_context *context, lmb_result *result,
                               int analysis, const char *body, const lmb_load_choice *choice);

/* --- the mesh --------------------------------------------------------------------------------- */

/* Coupling of an interface point to its nodes */
typedef struct lmb_load_coupling {
    const char *name;        /* in capital letters: BODY_POINT */
    const lmb_interface *of; /* nodes and tie of the point */
    int reference;   /* node number of the reference node; a new number unless the point is a single
                        node */
    int (*faces)[2]; /* face_count: element and face numbers of the faces between its nodes */
    int face_count;
} lmb_load_coupling;

typedef struct lmb_load_body {
    lmb_arena *arena;
    struct lmb_spec *spec;
    struct lmb_flexible_parts *parts;
    lmb_body_data *data;
    const char *source; /* name of the mesh file */
    const lmb_units *units;
    const lmb_mesh *mesh;
    lmb_masses masses;
    lmb_load_coupling *couplings; /* one for each point */
    int coupling_count;
    lmb_node_share *shares; /* patches x nodes: share of each node in a force on the patch */
    lmb_support supports[LMB_SUPPORTS];
    int next_element; /* smallest number above all element numbers */
} lmb_load_body;

/* Read the mesh of the body from the files of the model, and its modes from the cache. Reduce the
 * body again if it is not cached. */
lmb_status lmb_load_body_read(lmb_load_body **out, lmb_context *context, lmb_result *result,
                              const lmb_load_cases *cases);
void lmb_load_body_free(lmb_load_body *body);

/* --- files ------------------------------------------------------------------------------------ */

/* State while a file is written */
typedef struct lmb_load_file {
    FILE *out;
    lmb_arena *room; /* scratch, valid during one call */
    const lmb_load_cases *cases;
    const lmb_load_body *body;   /* NULL if the format needs no nodes */
    bool displacements;          /* prescribe displacements of interface points instead of loads */
    int instant;                 /* index of the current instant */
    const lmb_nodal_loads *load; /* nodal forces of this instant */
} lmb_load_file;

/* A format: `begin`, then `step` for each instant, then `end` (may be NULL). */
typedef struct lmb_load_writer {
    const char *ending;
    bool nodes; /* the format needs the nodes of the mesh */
    bool faces; /* couples points with `tie: average` through element faces */
    void (*begin)(const lmb_load_file *file);
    void (*step)(const lmb_load_file *file);
    void (*end)(const lmb_load_file *file);
} lmb_load_writer;

/* Return the format for the extension of a file name, or NULL if there is none. */
const lmb_load_writer *lmb_load_writer_of(const char *path);

extern const lmb_load_writer lmb_load_inp, lmb_load_mac, lmb_load_bdf, lmb_load_vtu;

typedef struct lmb_load_summary {
    lmb_wrench removed; /* removed resultant about the mass centre, of the instant with the largest
                           share */
    double share;
} lmb_load_summary;

/* Write load cases to a file; `body` is NULL for a format without nodes. Warns if the removed
 * resultant exceeds 2 % of the loads. */
lmb_status lmb_load_cases_write(lmb_load_summary *out, lmb_context *context,
                                const lmb_load_cases *cases, const lmb_load_body *body,
                                bool displacements, const char *path);

/* Functions that all formats use */

/* Return a force, moment or position in the units of the mesh. */
vec3 lmb_load_force(const lmb_load_file *file, vec3 force);
vec3 lmb_load_moment(const lmb_load_file *file, vec3 moment);
vec3 lmb_load_length(const lmb_load_file *file, vec3 x);

/* Callback for a vector at a node, in the units of the mesh: a moment if `turns`, else a force.
 * With `displacements` the vector is a rotation or translation. */
typedef void lmb_load_put(const lmb_load_file *file, int node, bool turns, vec3 value);

/* Call `put` for the load on each interface point (with `displacements`: for its motion), or for
 * each nonzero nodal force and moment. */
void lmb_load_each_point(const lmb_load_file *file, lmb_load_put *put);
void lmb_load_each_node(const lmb_load_file *file, lmb_load_put *put);

#endif
