/* The table of channels while it is made. */
#ifndef LMB_CHANNELS_CHANNEL_LIST_H
#define LMB_CHANNELS_CHANNEL_LIST_H

#include "base/names.h"
#include "base/workers.h"
#include "channels/chain.h"
#include "channels/channels.h"
#include "channels/line_record.h"
#include "elements/beam_sections.h"

/* Computes the numbers of a channel of an item: a body, point, joint, coordinate, ... by its
 * number; `part` says which of several channels that one function computes. */
typedef void lmb_getter(lmb_channels *c, const lmb_state *state, int item, int part, double *out);

/* Where the numbers of a channel come from. */
typedef struct lmb_channel_source {
    lmb_getter *get; /* NULL: by the chain, or if that has no `inner`, put into the row otherwise */
    int item, part;
    const lmb_chain *chain; /* how its numbers depend on the state; NULL: by differences */
    int at;                 /* where its numbers start in the row */
    int used;               /* by what: LMB_BY_SENSOR, LMB_BY_EVENT, LMB_BY_ROW, LMB_BY_OBJECTIVE,
                               LMB_BY_HANDLE; and LMB_OF_ITEM */
} lmb_channel_source;

/* LMB_BY_ROW: a row of results, or what is made of one. LMB_OF_ITEM: it is computed from one item
 * of the state alone, so that any thread may. */
enum {
    LMB_BY_SENSOR = 1,
    LMB_BY_EVENT = 2,
    LMB_BY_ROW = 4,
    LMB_BY_OBJECTIVE = 8,
    LMB_OF_ITEM = 16,
    LMB_BY_HANDLE = 32
};

struct lmb_channels {
    lmb_arena *arena;
    lmb_context *context; /* while it is being made */
    unsigned known;       /* lmb_known */
    const lmb_model *model;
    lmb_channel *channels;
    lmb_channel_source *sources;
    lmb_names names; /* of the channels */
    bool listing;    /* they are not in the dictionary yet */
    int count;
    int size;
    int *stored; /* stored_count: the channels that are stored; NULL: all (select.c) */
    int stored_count;
    lmb_channel *stored_channels;
    double *packed;               /* their numbers */
    const lmb_expr **expressions; /* of the sensors, then of the events */
    int expression_count, first_event;
    int more_at;                 /* where the numbers of a mode start in the row, */
    int sensor_at, event_at;     /* and those of sensors and events */
    int user;                    /* what is being compiled: LMB_BY_SENSOR, LMB_BY_EVENT */
    const lmb_counter *counter;  /* the counters that it can use */
    int events_need;             /* what must be evaluated for the events, */
    int objectives_need;         /* and for the objectives: */
    const lmb_expr **objectives; /* objective_count, one after the other as they were added, */
    double *objective_values;    /* and their values */
    int objective_count;
    struct lmb_link *links; /* link_count: the numbers that objectives depend on (chain.h), */
    int link_count;
    double *y; /* y_room: the numbers y of all links; behind them, room for y of one link, twice */
    int y_count;
    size_t y_room;
    double *weights;         /* objective_count x y_room: dg/dy */
    lmb_jet *objective_jets; /* objective_count: room */
    int *needed; /* needed_count: the channels that they need, those of their sensors included */
    int needed_count;
    int *wanted; /* wanted_count: those that somebody reads one by one, and what these need */
    int wanted_count;
    bool expressions_wanted; /* sensors or events are among them */
    lmb_workers *workers;    /* that share the channels of many bodies; NULL: none */
    struct {
        int marker, joint; /* -1: none yet at this instant */
        bool total;
        lmb_frame acceleration;
        vec3 wrench[2];
    } last; /* what was found for the channel before */
    struct {
        bool known; /* at this instant */
        lmb_balance of_bodies;
        double elastic; /* of forces too */
    } energies;
    double *row;
    lmb_jet *variables;
    lmb_beam_section_state *sections; /* room for those of the nodes of a body, */
    int section_room, sections_of;    /* and of which they are at this instant; -1: none */
    struct lmb_probed *probed;        /* probes of beams with large deformation */
    int probed_count;
    lmb_recovery *recovery;
    lmb_line_record *lines; /* NULL: nothing to record */
    lmb_run_record *record; /* NULL: no flexible bodies, or nothing to record */
};

/* Whether the numbers of a channel are computed from a state. */
bool lmb_channel_is_computed(const lmb_channel_source *from);

/* Adds a channel "item.name" (without one of the two the other alone) with so many numbers, which
 * have letters or are counted. Out of memory is remembered by the arena. */
void lmb_channels_add(lmb_channels *c, const char *item, const char *name, int size,
                      const char *components, const lmb_channel_source *from, const char *unit,
                      const char *doc);

/* The numbers of a channel: those of what a force reports (lmb_shape_of), a quaternion, three
 * grids of a rosette, or as many as an item has. */
enum { LMB_QUATERNION = LMB_TURN + 1, LMB_GRIDS, LMB_COUNTED };

/* What a channel needs besides what an analysis knows (lmb_known). */
enum {
    LMB_IN_PLANE = 1 << 8,
    LMB_IN_SPACE = 1 << 9,
    LMB_TURNS = 1 << 10,    /* an item that turns */
    LMB_DRIVEN = 1 << 11,   /* a joint with a driver */
    LMB_DEFORMS = 1 << 12,  /* a body with modes */
    LMB_STORES = 1 << 13,   /* a body that stores elastic energy */
    LMB_NODES = 1 << 14,    /* a body with nodes along a line; the channel is over these */
    LMB_ON_LINE = 1 << 15,  /* a node of such a body */
    LMB_STRESSED = 1 << 16, /* a body whose sections are known */
    LMB_DAMPED = 1 << 17,   /* a body that loses energy */
};

/* A channel of a kind of items: a line of a table that ends with {0}. */
typedef struct lmb_listed {
    const char *name; /* %s: what the item is told apart by */
    int shape;
    const char *unit, *doc; /* in the doc %s is the same */
    unsigned needs;         /* lmb_known and the above */
    lmb_getter *get;
    int part;
    const char *linear; /* the unit for an item that does not turn; NULL: the same */
    const lmb_chain *chain;
} lmb_listed;

/* What a table is used for. */
typedef struct lmb_item {
    const char *name;
    int number;
    unsigned has;           /* of what channels need, besides what is the same for all */
    const char *of;         /* %s; NULL: none */
    int counted;            /* numbers of an LMB_COUNTED */
    int nodes;              /* of an LMB_NODES */
    const lmb_chain *chain; /* of channels whose line in the table has none */
    int part;               /* added to that of the table */
} lmb_item;

/* Adds the channels of a table whose needs an item has. */
void lmb_channels_add_all(lmb_channels *c, const lmb_listed *table, lmb_item item);

/* Adds the channels that the model has in such an analysis: all but sensors and events' values. */
void lmb_channels_list_model(lmb_channels *c);

/* Adds the channels of a body and of its points (body_channels.c). */
void lmb_channels_list_body(lmb_channels *c, int body);

/* Adds those of a probe of a whole member of a framework. */
void lmb_channels_list_member(lmb_channels *c, int probe);

/* Adds those of a body with nodes along a line, and of a point on one of these. */
void lmb_channels_list_line(lmb_channels *c, int body);
void lmb_channels_list_line_point(lmb_channels *c, int point);

/* Tables of the channels of a probe on a beam: section forces, and stresses of fibres. */
extern const lmb_listed lmb_section_channels[], lmb_fibre_channels[];

/* Those of the probes of such a body (beam_probes.c). */
void lmb_channels_list_line_probes(lmb_channels *c, int body);

/* Strains and section forces at all nodes of such a body, found once per instant; and what belongs
 * to the velocities of their rates: in an analysis of modes none. */
const lmb_beam_section_state *lmb_channels_sections(lmb_channels *c, const lmb_state *state,
                                                    int body);
const double *lmb_channels_rates(const lmb_channels *c, const lmb_state *state, int body);

/* Parts of a section: four vectors; from LMB_SECTION_STRESS on the stresses of
 * lmb_fibre_stress_part; from LMB_SECTION_N on the single forces N, Vy, Vz, T, My, Mz. */
enum {
    LMB_SECTION_STRAIN,
    LMB_SECTION_CURVATURE,
    LMB_SECTION_FORCE,
    LMB_SECTION_MOMENT,
    LMB_SECTION_STRESS,
    LMB_SECTION_N = LMB_SECTION_STRESS + 4
};

/* How many numbers a part has; stores strain, curvature, force or moment, and returns how many. */
int lmb_section_size(const lmb_channels *c, int part);
int lmb_put_section(const lmb_state *state, const lmb_beam_section_state *x, int part, double *out);

/* Marks the coordinates of the body that is the item. */
void lmb_reach_body(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks);

/* The chain of a number of a section of an exact beam, at a node or a probe: y are strains and
 * section forces. `outer` takes NULL for df/dy if only the value is wanted. */
enum { LMB_SECTION_NUMBERS = 12 };
void lmb_section_inner(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y);
double lmb_section_outer(lmb_channels *c, const lmb_number *n, const double *y, double *by);
void lmb_section_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                       const double *weights, lmb_slopes *out);
#define LMB_SECTION_CHAIN                                                                          \
    .count = LMB_SECTION_NUMBERS, .inner = lmb_section_inner, .outer = lmb_section_outer,          \
    .slope = lmb_section_slope

/* The chain of a number of a body with modes, at a probe or a place of lmb_stress_state: y are
 * stresses or section forces. `stress` (without df/dy if `by` is NULL) is von Mises' one, of a
 * probe on beams also another part of lmb_fibre_stress_part. */
void lmb_recovered_inner(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y);
void lmb_recovered_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                         const double *weights, lmb_slopes *out);
double lmb_recovered_stress(lmb_channels *c, const lmb_number *n, const double *y, double *by);
bool lmb_recovered_is_loaded(const lmb_channels *c, const lmb_number *n);
#define LMB_RECOVERED                                                                              \
    .count = LMB_STRESSES, .inner = lmb_recovered_inner, .slope = lmb_recovered_slope,             \
    .beyond = lmb_recovered_is_loaded

/* The channels of a stress tensor: von Mises stress, then its components, by two chains. */
#define LMB_TENSOR(whole, component, chain, chain_of_part)                                         \
    {                                                                                              \
        {"", LMB_SCALAR, "Pa", whole, 0, NULL, LMB_STRESSES, NULL, &chain},                        \
            {"xx", LMB_SCALAR, "Pa", component, 0, NULL, LMB_SXX, NULL, &chain_of_part},           \
            {"yy", LMB_SCALAR, "Pa", component, 0, NULL, LMB_SYY, NULL, &chain_of_part},           \
            {"zz", LMB_SCALAR, "Pa", component, 0, NULL, LMB_SZZ, NULL, &chain_of_part},           \
            {"xy", LMB_SCALAR, "Pa", component, 0, NULL, LMB_SXY, NULL, &chain_of_part},           \
            {"yz", LMB_SCALAR, "Pa", component, 0, NULL, LMB_SYZ, NULL, &chain_of_part},           \
            {"zx", LMB_SCALAR, "Pa", component, 0, NULL, LMB_SZX, NULL, &chain_of_part}, {0},      \
    }

/* Forgets numbers that were found for several channels of the last instant. */
void lmb_channels_next_instant(lmb_channels *c);

/* Adds the channels of an interface point of a body with modes (interface_channels.c). */
void lmb_channels_list_interface(lmb_channels *c, int point);

/* Adds those that are recovered from deformations, and instruments. */
void lmb_channels_list_recovered(lmb_channels *c);

/* Adds the channels of an instrument (instrument_channels.c). */
void lmb_channels_list_instrument(lmb_channels *c, int sensor);

/* Compute the acceleration of a marker in its own axes: minus gravity if `gravity`, else relative
 * to the ground. */
void lmb_put_acceleration(const lmb_state *state, int marker, bool gravity, double *out);

/* A vector in the axes of a frame. */
vec3 lmb_to_local(const lmb_frame *axes, vec3 v);

/* Stores a vector, or one of turning: all of it in space; x and y, or z, in the plane. */
void lmb_put_vector(const lmb_state *state, vec3 v, double *out);
void lmb_put_turn(const lmb_state *state, vec3 v, double *out);

#endif
