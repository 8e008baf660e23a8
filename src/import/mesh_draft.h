/* A mesh while its file is being read: nodes and elements by their numbers, sets by ranges. */
#ifndef LMB_IMPORT_MESH_DRAFT_H
#define LMB_IMPORT_MESH_DRAFT_H

#include "base/list.h"
#include "base/text.h"
#include "fe/element.h"
#include "import/scan.h"

/* What an element of a file is there for. */
typedef enum lmb_role {
    LMB_ROLE_BODY, /* it is a part of the body */
    LMB_ROLE_SET,  /* it only makes sets: points and surfaces */
    LMB_ROLE_LINE  /* a line: of the body, unless it lies in a surface or a volume */
} lmb_role;

enum { LMB_MOST_NODES = 27 }; /* of an element of a file */

typedef struct lmb_draft_element {
    lmb_element element;
    const char *type; /* the word of the file for it, for messages */
    const char *file;
    int line;
    int nodes;
    lmb_role role; /* of the body: a mistake if the kind is not supported */
} lmb_draft_element;

/* Where an element is in its file. */
static inline lmb_place lmb_draft_place(const lmb_draft_element *e)
{
    return (lmb_place){e->file, NULL, e->line, 0, 1};
}

/* Numbers from first to last. */
typedef struct lmb_draft_range {
    int first, last, step;
    bool elements; /* of elements, whose nodes are meant */
} lmb_draft_range;

typedef struct lmb_draft_set {
    const char *name;
    bool elements;   /* a set of elements: it may have the name of a set of nodes */
    lmb_list ranges; /* lmb_draft_range */
} lmb_draft_set;

typedef struct lmb_draft_node {
    int number;
    vec3 x;
} lmb_draft_node;

typedef struct lmb_mesh_draft {
    lmb_context *context;
    lmb_scan *scan;     /* the file that is being read: its status is that of the draft */
    lmb_arena *arena;   /* of the mesh */
    lmb_arena *scratch; /* until the draft is finished */
    const char *file;
    lmb_list nodes, elements, sets;       /* lmb_draft_node, ... */
    lmb_list connections;                 /* int: numbers of nodes */
    lmb_list materials, sections, masses; /* lmb_material, ... */
    lmb_names node_sets, element_sets;    /* places of sets by name */
    lmb_names material_names;
    lmb_numbers node_places, element_places;
    lmb_draft_set held[LMB_DIRECTIONS]; /* nodes that supports hold in each direction */
    const char *lost_support;           /* node or set of the first skipped support */
    bool own_axes;                      /* nodes have their own axes, which supports may refer to */
    bool fold;                          /* names are case-insensitive */
    bool reduced;                       /* there are elements with reduced integration */
    bool twins;                         /* a repeated element belongs to two sets */
} lmb_mesh_draft;

void lmb_draft_free(lmb_mesh_draft *draft);

/* Adds a node, which may be there already at the same place. This and what follows fails in the
 * draft's scan. */
lmb_status lmb_draft_add_node(lmb_mesh_draft *draft, int number, const double x[3]);

/* Adds an element; material, section and mass are -1 at first. LMB_ELEMENT_KINDS is a kind that is
 * not supported. `type` must outlive the draft. */
lmb_status lmb_draft_add_element(lmb_mesh_draft *draft, lmb_element_kind kind, lmb_role role,
                                 const char *type, int number, int count, const int *nodes);

/* The set of a name, or NULL. Good until the next set is made. */
lmb_draft_set *lmb_draft_find_set(const lmb_mesh_draft *draft, lmb_word name, bool elements);

/* Adds a range to the set of a name, which is made if need be; one of step 0 is empty. */
lmb_status lmb_draft_add_range(lmb_mesh_draft *draft, lmb_word set, bool elements,
                               lmb_draft_range range);
lmb_status lmb_draft_add_to_set(lmb_mesh_draft *draft, lmb_word set, bool elements, int number);

/* Copies what is in another set (of elements or not) to a set that is there already. */
void lmb_draft_include_set(lmb_mesh_draft *draft, lmb_word into, bool elements, lmb_word name,
                           bool of_elements);

/* Hold a set of nodes in some directions (LMB_BIT), or the nodes from the number `first` to `last`
 * in steps of `step`. A support of an unknown set is skipped and noted. */
void lmb_draft_hold(lmb_mesh_draft *draft, lmb_word first, int last, int step, unsigned directions);

/* Note a skipped support. Callers that use supports warn of it. */
void lmb_draft_lose_support(lmb_mesh_draft *draft, lmb_word name);

/* Remove all supports read so far. */
void lmb_draft_release(lmb_mesh_draft *draft);

/* The place of a material, or -1 (names near to its own are tried if nearest is not NULL); and that
 * of a new one. */
int lmb_draft_find_material(const lmb_mesh_draft *draft, lmb_word name, lmb_nearest *nearest);
int lmb_draft_add_material(lmb_mesh_draft *draft, lmb_word name);

/* Goes through what there is of a range: start with {range}; false at the end. */
typedef struct lmb_draft_walk {
    lmb_draft_range range;
    long long next;
} lmb_draft_walk;
bool lmb_draft_next(const lmb_mesh_draft *draft, lmb_draft_walk *walk, int *place);

/* Makes the mesh: finds nodes by their numbers and makes all sets sets of nodes. */
lmb_status lmb_draft_finish(lmb_mesh_draft *draft, lmb_mesh **out);

/* The formats of meshes; each fills a draft. */
lmb_status lmb_read_gmsh(lmb_mesh_draft *draft);
lmb_status lmb_read_inp(lmb_mesh_draft *draft);
lmb_status lmb_read_cdb(lmb_mesh_draft *draft);
lmb_status lmb_read_nwrite(lmb_mesh_draft *draft);
lmb_status lmb_read_node_table(lmb_mesh_draft *draft);

#endif
