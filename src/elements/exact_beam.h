/* A geometrically exact beam as it is in its undeformed shape: nodes with frames along a curve,
 * elements of `order` + 1 nodes that follow each other, stiffness at the points of Gauss and mass
 * at the nodes. It says nothing of a motion.
 *
 * Element e has the nodes e p, e p + 1, ..., e p + p (p the order) at the Gauss-Lobatto points of
 * its arc length; a closed beam ends at its first node. Axis x of a node's frame is along the
 * curve, y and z are those of its section. Strains are gamma (stretch, shear along y and z) and
 * kappa (twist, bending about y and z); stiffness and mass are 6 x 6 by columns in this order. In
 * the plane gamma_z, kappa_x and kappa_y are not used.
 *
 * A beam with corners has the same axes at all its nodes, so that no rotation jumps within an
 * element; stiffness and inertia are turned into these axes. */
#ifndef LMB_ELEMENTS_EXACT_BEAM_H
#define LMB_ELEMENTS_EXACT_BEAM_H

#include "base/arena.h"
#include "frames/frame.h"

struct lmb_section;

enum { LMB_BEAM_HIGHEST_ORDER = 3, LMB_BEAM_NODES = LMB_BEAM_HIGHEST_ORDER + 1 };

/* Of a section: mass per length, its centre (y, z in section axes; x is 0), inertia per length
 * about the origin of the frame in section axes. */
typedef struct lmb_beam_inertia {
    double mass;
    vec3 centre;
    mat3 inertia;
} lmb_beam_inertia;

/* A named place along a beam, not necessarily a node, where results are reported. */
typedef struct lmb_beam_probe {
    const char *name;
    int element;
    double x;                          /* -1 ... 1 along the element */
    mat3 axes;                         /* of the section in those of the frame there */
    const struct lmb_section *section; /* NULL: the beam is given by matrices alone */
} lmb_beam_probe;

typedef struct lmb_exact_beam {
    int dimension, order;
    int element_count;
    int node_count;            /* elements x order, and one more unless it is closed */
    bool closed;               /* the last element ends at the first node */
    lmb_frame *nodes;          /* node_count: undeformed, in the axes of the body */
    double *lengths;           /* element_count: arc lengths */
    double *stiffness;         /* element_count x order x 36: at the points of Gauss */
    lmb_beam_inertia *inertia; /* node_count: lumped, no longer per length but whole */
    double damping;            /* s: stresses of strain rates are this times the stiffness */
    double *places;            /* node_count: arc lengths from the start */

    /* for results and drawing */
    struct lmb_section *sections; /* node_count; NULL: the beam is given by matrices alone */
    mat3 *section_axes;           /* element_count x order: the axes of the section at the points of
                                     Gauss in those of the frame there; NULL: they are the same */
    lmb_beam_probe *probes;
    int probe_count;

    const struct lmb_beam_element *elements; /* element_count: see lmb_exact_beam_prepare */
} lmb_exact_beam;

/* The node number i (0 to order) of an element. */
static inline int lmb_exact_beam_node(const lmb_exact_beam *b, int element, int i)
{
    int node = element * b->order + i;
    return node == b->node_count ? 0 : node;
}

/* Makes the elements (elements/beam_element.h) of a beam whose other numbers are there; false: out
 * of memory. */
bool lmb_exact_beam_prepare(lmb_exact_beam *beam, lmb_arena *arena);

/* Mass, centre of mass and inertia about that, of the undeformed beam in the axes of the body. */
void lmb_exact_beam_mass(const lmb_exact_beam *beam, double *mass, vec3 *centre, mat3 *inertia);

/* Gauss-Lobatto points and weights (order + 1 of each) and points and weights of Gauss (order), on
 * -1 ... 1. */
extern const double lmb_lobatto_points[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_NODES];
extern const double lmb_lobatto_weights[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_NODES];
extern const double lmb_gauss_points[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_HIGHEST_ORDER];
extern const double lmb_gauss_weights[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_HIGHEST_ORDER];

/* Lagrange's functions of the Lobatto points and their derivatives at x in -1 ... 1. */
void lmb_beam_shapes(int order, double x, double N[LMB_BEAM_NODES], double dN[LMB_BEAM_NODES]);

#endif
