/* A flexible body as the model file describes it: where its finite element model comes from, its
 * interface points, and how it is reduced.
 *
 * Reading goes in two stages. lmb_read_part evaluates all keys but opens no file; what it gives,
 * together with the contents of the files, decides about the reduced body and so is the key of the
 * cache (store/body_file.h). lmb_part_build reads the files, finds nodes and assembles; it is left
 * out where the cache has the body. */
#ifndef LMB_MODEL_FLEXIBLE_PART_H
#define LMB_MODEL_FLEXIBLE_PART_H

#include "base/sha256.h"
#include "fe/mesh.h"
#include "model/builder.h"
#include "import/units.h"
#include "reduction/body_data.h"

typedef enum lmb_part_source {
    LMB_PART_BEAM,
    LMB_PART_MESH,
    LMB_PART_MATRICES,
    LMB_PART_MODAL, /* numbers, without nodes */
    LMB_PART_FRAMEWORK,
    LMB_PART_ARRAYS /* of the program */
} lmb_part_source;

/* The files that matrices come from; a mesh is the first one. */
enum {
    LMB_PART_STIFFNESS,
    LMB_PART_MASS,
    LMB_PART_DAMPING,
    LMB_PART_MAPPING,
    LMB_PART_NODES,
    LMB_PART_FILES
};

/* How nodes are found. */
typedef enum lmb_anchor_kind {
    LMB_ANCHOR_NODE,  /* by number */
    LMB_ANCHOR_NAMED, /* by the name of a set of one node */
    LMB_ANCHOR_AT,    /* the node at a place */
    LMB_ANCHOR_START, /* of a beam */
    LMB_ANCHOR_END,
    LMB_ANCHOR_SET,  /* a named set */
    LMB_ANCHOR_LIST, /* a list of numbers */
    LMB_ANCHOR_RADIUS,
    LMB_ANCHOR_SELECTION, /* by geometry */
    LMB_ANCHOR_GIVEN      /* of a modal body: its modes are given */
} lmb_anchor_kind;

/* An interface point, or a point mass. */
typedef struct lmb_anchor {
    const char *name;
    lmb_place place; /* for messages */
    lmb_anchor_kind kind;
    int node;                          /* LMB_ANCHOR_NODE */
    vec3 at;                           /* the place, or the point that is tied */
    bool at_given;                     /* else the middle of the nodes */
    const char *set;                   /* LMB_ANCHOR_SET, LMB_ANCHOR_NAMED */
    int *list;                         /* LMB_ANCHOR_LIST: numbers of nodes */
    int list_count;                    /* how many */
    double radius;                     /* LMB_ANCHOR_RADIUS */
    lmb_node_selection *selection;     /* LMB_ANCHOR_SELECTION */
    lmb_tie tie;                       /* LMB_TIE_NODE for a single node */
    lmb_point_mass of;                 /* of a point mass */
    double *displacements, *rotations; /* LMB_ANCHOR_GIVEN: modes x 3 */
} lmb_anchor;

typedef struct lmb_flexible_part {
    const char *name; /* of the body */
    lmb_place place;  /* of the key beam, mesh, matrices, modal, framework or arrays */
    int dimension;
    lmb_part_source source;
    lmb_beam_line line;                /* LMB_PART_BEAM */
    struct lmb_modal_numbers *numbers; /* LMB_PART_MODAL */
    struct lmb_framework *framework;   /* LMB_PART_FRAMEWORK */
    const lmb_attached *attached;      /* LMB_PART_ARRAYS */
    const char *files[LMB_PART_FILES]; /* mesh, or those of matrices */
    const lmb_units *units;
    bool units_given;
    double mesh_size;      /* element size of geometry, units of the file; 0: default of gmsh */
    int mesh_order;        /* order of the elements for geometry, 1 or 2 */
    double mesh_seconds;   /* s, time limit of gmsh */
    lmb_material material; /* for elements without material; E = 0: none */
    struct lmb_material_change *changes; /* change_count: changes of the materials of the file */
    int change_count;
    bool shapes_only; /* lmb_part_reduce may leave stresses out if the body is cached */
    lmb_anchor *interfaces, *masses;
    int interface_count, mass_count;
    lmb_reduction reduction;
    char checksum[LMB_SHA256_TEXT]; /* checksum of its files; "" before lmb_part_sum */
    char *settings;                 /* all settings as text, one key per line */
    size_t settings_used, settings_room;

    /* what lmb_part_build makes */
    lmb_arena *arena;
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_interface *points; /* interface_count */
} lmb_flexible_part;

/* Nodes to find one in: of a mesh, of matrices, or of a reduced body, whose places count from an
 * origin. */
typedef struct lmb_nodes {
    const char *body;
    const vec3 *x;
    const int *number;
    int count;
    vec3 origin;
} lmb_nodes;

/* Return the nodes of a body that is named so in messages. */
lmb_nodes lmb_nodes_of(const char *body, const lmb_body_data *data);

/* The node of a number of the file, or at a place in the coordinates of the mesh. */
lmb_status lmb_nodes_number(const lmb_nodes *nodes, lmb_context *context, lmb_place place,
                            double number, int *out);
lmb_status lmb_nodes_at(const lmb_nodes *nodes, lmb_context *context, lmb_place place, vec3 at,
                        int *out);

/* The named one, as a set of one node. */
lmb_status lmb_nodes_named(lmb_context *context, const char *body, int set_count,
                           const lmb_node_set *sets, lmb_place place, const char *name, int *out);

/* Whether the value of a key `node` is a name: neither a number nor an expression of parameters. */
bool lmb_is_node_name(const lmb_reader *reader, const lmb_tree *node);

/* Gives the messages since `from` that name no place in a file the place of a key. */
void lmb_give_place(lmb_context *context, size_t from, lmb_place place);

/* What damping is read into, where it is a map. */
typedef struct lmb_damping_keys {
    const lmb_tree *ratio;
    double mass, stiffness;
} lmb_damping_keys;

/* What an interface point is read into. */
typedef struct lmb_interface_keys {
    lmb_value node, at, point, radius, tie;
    const lmb_tree *nodes, *displacements, *rotations;
    lmb_selection_keys selection;
} lmb_interface_keys;

/* Adds to the settings; what is said there decides which cached body is the right one. Out of
 * memory is remembered by the arena of the reader, which lmb_read_part looks at. */
void lmb_part_note(lmb_reader *reader, lmb_flexible_part *part, const char *format, ...)
    LMB_PRINTF(3, 4);

/* Whether its matrices are given rather than assembled of elements. */
bool lmb_part_has_matrices(const lmb_flexible_part *part);

/* Reads a map and notes it. */
lmb_status lmb_part_read(lmb_reader *reader, lmb_flexible_part *part, const lmb_tree *node,
                         const lmb_field *fields, const char *what, void *out);

/* Reads the keys `interfaces` and `masses`. */
lmb_status lmb_part_read_anchors(lmb_reader *reader, lmb_flexible_part *part,
                                 const lmb_tree *interfaces, const lmb_tree *masses);

/* Read the key `patches` for unit loads on the patches, and add it to the settings. */
lmb_status lmb_part_read_patches(lmb_reader *reader, lmb_flexible_part *part,
                                 const lmb_tree *section);

static inline bool lmb_is_whole(double x, double least, double most)
{
    return x == floor(x) && x >= least && x <= most;
}

/* What the keys of a flexible body are read into. */
typedef struct lmb_flexible_keys {
    const lmb_tree *beam, *mesh, *matrices, *modal, *framework, *arrays; /* one of them */
    const lmb_tree *interfaces, *masses, *reduction, *damping, *probes, *patches, *modes,
        *modes_velocity;
    int coupling; /* 1: constant */
    bool quadratic_velocity, rigid;
} lmb_flexible_keys;

extern const lmb_body_type lmb_body_type_flexible;

/* A flexible body has no keys that belong to rigid bodies, or to another source. */
lmb_status lmb_part_check_keys(lmb_reader *reader, const lmb_tree *node,
                               const lmb_flexible_keys *keys, const char *name);

/* Reads the keys of a flexible body; the part lives as long as the reader and its tree. */
lmb_status lmb_read_part(const lmb_body_build *body, lmb_flexible_part *out);

/* Reads its files, finds the nodes of its points and assembles its matrices. */
lmb_status lmb_part_build(lmb_flexible_part *part, lmb_context *context);

/* Read the mesh, or the matrices, of a part from files without assembling matrices. Fills `mesh`
 * and `points`; for matrices also `model`. */
lmb_status lmb_part_read_mesh(lmb_flexible_part *part, lmb_context *context);

/* Compute the checksum of the contents of its files, unless already known. The checksum is "" for a
 * part without files. */
lmb_status lmb_part_sum(lmb_flexible_part *part, lmb_context *context);

/* Frees what lmb_part_build made. */
void lmb_part_free(lmb_flexible_part *part);

/* The reduced body of a part: from the cache beside the model file, or computed and kept there.
 * *cached tells which. Without `use_cache` the cache is left alone. */
lmb_status lmb_part_reduce(lmb_flexible_part *part, lmb_context *context, const char *model_file,
                           bool use_cache, lmb_body_data **out, bool *cached);

/* --- a body given by its modal matrices and integrals, without a finite element model --------- */

/* The numbers of the key `modal`; names are those of bodies/modal.h. */
typedef struct lmb_modal_numbers {
    int modes;
    double mass;
    vec3 centre;
    mat3 inertia;      /* about the origin of the body */
    double *M, *K, *C; /* modes x modes; C is NULL if there is none */
    double *D, *E0;    /* modes x 3 */
    double *E1;        /* modes x modes x 3 */
    double *J1;        /* modes x 6: xx, yy, zz, xy, xz, yz */
    double *J2;        /* modes x modes x 6 */
} lmb_modal_numbers;

/* Reads the key `modal`. */
lmb_status lmb_read_modal(lmb_reader *reader, lmb_flexible_part *part, const lmb_tree *node);

/* Reads one of its interface points. */
lmb_status lmb_read_modal_interface(lmb_reader *reader, lmb_flexible_part *part,
                                    const lmb_entry *entry, lmb_anchor *out);

/* Reads so many numbers, in a list or lists of lists; zeros if `node` is NULL. */
lmb_status lmb_read_number_table(lmb_reader *reader, const lmb_tree *node, const char *name,
                                 size_t count, double **out);

/* Reads a symmetric matrix of n x n numbers: rows, or the numbers of its diagonal. */
lmb_status lmb_read_symmetric(lmb_reader *reader, const lmb_tree *node, const char *name, int n,
                              double **out);

/* Makes the reduced body of what was read, in the arena of `data`. */
lmb_status lmb_modal_reduce(const lmb_flexible_part *part, lmb_context *context,
                            lmb_body_data *data);

/* --- by itself -------------------------------------------------------------------------------- */

/* The flexible bodies of a model file, without the mechanism around them. */
typedef struct lmb_flexible_parts {
    lmb_arena *arena;
    lmb_flexible_part *parts;
    int count;
} lmb_flexible_parts;

/* They need the spec as long as they live. */
lmb_status lmb_flexible_parts_read(lmb_flexible_parts **out, lmb_context *context,
                                   const lmb_spec *spec);
void lmb_flexible_parts_free(lmb_flexible_parts *parts);

/* The part of a name, or the only one if that is NULL. */
lmb_status lmb_flexible_part_find(lmb_flexible_parts *parts, lmb_context *context, const char *name,
                                  lmb_flexible_part **out);

#endif
