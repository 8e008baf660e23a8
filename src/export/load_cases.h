/* Loads of a flexible body as load cases for a finite element program.
 *
 * A result has what acts on the points of the body, how these are displaced, and how its frame and
 * its modes accelerate (lmb_load_cases). The files of the mesh complete that (lmb_load_body): nodal
 * inertia forces, couplings of the interface points, supports. A format is an lmb_load_writer. All
 * numbers are in SI units, in the axes and coordinates of the mesh. */
#ifndef LMB_EXPORT_LOAD_CASES_H
#define LMB_EXPORT_LOAD_CASES_H

#include <stdio.h>

#include "base/arena.h"
#include "base/span.h"
#include "import/units.h"
#include "limber/result.h"
#include "reduction/body_data.h"
#include "reduction/nodal_loads.h"

/* An interface point of the body. */
typedef struct lmb_load_point {
    const char *name;
    vec3 x;
} lmb_load_point;

/* Numbers of an instant: those of the points one after the other, then of the frame, then the
 * forces on the patches. */
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
    const char *checksum; /* of the files of the body; NULL: it has none */
    int dimension;
    int point_count, patch_count, mode_count, count; /* count: instants */
    lmb_load_point *points;
    const char **patches; /* their names */
    double *time;
    double *numbers; /* count x lmb_load_width */
    double *modes;   /* count x mode_count: second derivatives; NULL: 0 */
} lmb_load_cases;

static inline int lmb_load_width(const lmb_load_cases *c)
{
    return c->point_count * LMB_LOAD_NUMBERS + LMB_LOAD_FRAME + 3 * c->patch_count;
}

static inline const double *lmb_load_row(const lmb_load_cases *c, int instant)
{
    return c->numbers + (size_t)instant * (size_t)lmb_load_width(c);
}

/* The instants of load cases: those listed, or every n-th one of a span, or the one with the
 * largest stress. */
typedef struct lmb_load_choice {
    const double *at;
    int at_count;
    bool peak;
    int every; /* at least 1 */
    lmb_span span;
} lmb_load_choice;

/* Reads load cases from an analysis of a result. Free them with lmb_arena_free(cases->arena). */
lmb_status lmb_load_cases_read(lmb_load_cases **out, lmb_context *context, lmb_result *result,
                               int analysis, const char *body, const lmb_load_choice *choice);

/* --- the mesh --------------------------------------------------------------------------------- */

/* How an interface point takes hold of the nodes. */
typedef struct lmb_load_coupling {
    const char *name;        /* in capital letters: BODY_POINT */
    const lmb_interface *of; /* its nodes and tie */
    int reference;           /* number of its node in the FE model, new unless the tie is a node */
    int (*faces)[2];         /* numbers of elements and of their faces that its nodes make up */
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
    lmb_node_share *shares; /* patch x node: shares of a force on the patch */
    lmb_support supports[LMB_SUPPORTS];
    int next_element; /* a number that no element has, nor any larger one */
} lmb_load_body;

/* Reads the mesh of the body from the files of the model, and its modes from the cache (or reduces
 * it again). */
lmb_status lmb_load_body_read(lmb_load_body **out, lmb_context *context, lmb_result *result,
                              const lmb_load_cases *cases);
void lmb_load_body_free(lmb_load_body *body);

/* --- files ------------------------------------------------------------------------------------ */

/* A file that is being written: what its formats need. */
typedef struct lmb_load_file {
    FILE *out;
    lmb_arena *room; /* for one call */
    const lmb_load_cases *cases;
    const lmb_load_body *body;   /* NULL: the format needs no nodes */
    bool displacements;          /* interface points are moved instead of loaded */
    int instant;                 /* number of the present one, */
    const lmb_nodal_loads *load; /* and its nodal forces */
} lmb_load_file;

/* A format: begin, then step for each instant, then end (or NULL). */
typedef struct lmb_load_writer {
    const char *ending, *program;
    bool nodes; /* needs the nodes of the mesh */
    bool faces; /* couples averages by element faces */
    void (*begin)(const lmb_load_file *file);
    void (*step)(const lmb_load_file *file);
    void (*end)(const lmb_load_file *file);
} lmb_load_writer;

/* The format of a file by the ending of its name; NULL: there is none. */
const lmb_load_writer *lmb_load_writer_of(const char *path);

extern const lmb_load_writer lmb_load_inp, lmb_load_mac, lmb_load_bdf, lmb_load_vtu;

typedef struct lmb_load_summary {
    lmb_wrench removed; /* the largest resultant by its share, about the mass centre */
    double share;
} lmb_load_summary;

/* Writes load cases to a file; `body` is NULL for a format without nodes. Warns if the resultant
 * that was removed exceeds 2 % of the loads. */
lmb_status lmb_load_cases_write(lmb_load_summary *out, lmb_context *context,
                                const lmb_load_cases *cases, const lmb_load_body *body,
                                bool displacements, const char *path);

/* What formats share. */

/* A force, moment or place in the units of the mesh. */
vec3 lmb_load_force(const lmb_load_file *file, vec3 force);
vec3 lmb_load_moment(const lmb_load_file *file, vec3 moment);
vec3 lmb_load_length(const lmb_load_file *file, vec3 x);

/* Takes a vector at a node, in the units of the mesh: force or, if it `turns`, moment; with
 * displacements a translation or rotation. */
typedef void lmb_load_put(const lmb_load_file *file, int node, bool turns, vec3 value);

/* Call a function for the load on each interface point (or its motion, with `displacements`), and
 * for the inertia force and moment of each node that has one. */
void lmb_load_each_point(const lmb_load_file *file, lmb_load_put *put);
void lmb_load_each_node(const lmb_load_file *file, lmb_load_put *put);

#endif
