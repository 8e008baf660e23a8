/* The skin of a flexible body: what is drawn and exported of it.
 *
 * Nodes on its surface or on its beams, in the axes of the body and from the origin of its frame;
 * triangles and lines between them; and for each mode the displacement and, where there are
 * stresses, the stress at each node. With the modal coordinates eta a node is at
 *
 *   x + sum eta_j shape_j        with the stress        sum e_j stress_j
 *
 * In general e is eta. For bodies with stiffening, beams or residual stresses e is the channel
 * BODY.stress_coordinates. It has the coordinates of the modes, then the unit loads
 * (reduction/residual.h) and the accelerations that stresses of beams depend on. Beams with a known
 * section are drawn by their outer surface, other beams as lines.
 *
 * Where sections of a beam carry it (carrier_count > 0) there are no modes: a node of the skin is
 * at r + R x with place and axes of its section, and has the stresses of its fibre for the section
 * forces there. Sections are at nodes of the beam (channels BODY.nodes and BODY.nodes_quaternion or
 * BODY.nodes_angle) and between them, at u = 0 ... 1 of a span from node a to node b of length l:
 *
 *   r = (1 + 2u)(1 - u)^2 r_a + u^2 (3 - 2u) r_b + l u (1 - u)^2 t_a - l u^2 (1 - u) t_b
 *   R = R_a exp(u log(R_a^T R_b))
 *
 * with the tangents t = R t0 of the curve, so that it is smooth whatever the order of elements is.
 *
 * A result file has the skins of its flexible bodies below /model/skins, so that `report` and
 * `export` need nothing else. */
#ifndef LMB_SCENE_SKIN_H
#define LMB_SCENE_SKIN_H

#include <hdf5.h>

#include "elements/exact_beam.h"
#include "store/body_file.h"

enum { LMB_SKIN_STRESSES = 6 }; /* xx yy zz xy yz zx */

/* Of a section that carries others: place and quaternion in the axes of the body at rest. Of a
 * fibre: normal stress of a normal force and of moments about y and z, shear stress of a torque,
 * each per unit. Of a span: l; t0 at both ends in the axes of these nodes; a quaternion that takes
 * the section forces of its second node to the axes of its own sections, which before a corner are
 * not those that the node has. */
enum { LMB_CARRIER_NUMBERS = 7, LMB_FIBRE_NUMBERS = 4, LMB_SPAN_NUMBERS = 11 };

typedef struct lmb_skin {
    const char *name; /* of the body */
    int node_count, triangle_count, line_count, mode_count;
    float *nodes;      /* node x 3 */
    int *triangles;    /* triangle x 3 */
    int *lines;        /* line x 2 */
    double *frequency; /* mode: Hz */
    float *shapes;     /* mode x node x 3 */
    float *stresses;   /* (modes, then further_count) x nodes x LMB_SKIN_STRESSES; NULL if there are
                          none */
    int further_count; /* number of unit loads and accelerations */

    /* where sections of a beam carry the skin */
    int carrier_count; /* 0: its modes move it */
    float *carriers;   /* carrier x LMB_CARRIER_NUMBERS */
    int *carrier;      /* node: which, its place is in the axes of this */
    float *fibres;     /* node x LMB_FIBRE_NUMBERS; NULL for no stresses */
    int span_count;
    int *ends;    /* span x 2: nodes of the beam */
    float *spans; /* span x LMB_SPAN_NUMBERS */
    int *span;    /* carrier: which it is in, */
    float *along; /* and where: u */
} lmb_skin;

/* Makes room for the numbers of a skin whose counts are known, or fails; with stresses or without.
 */
bool lmb_skin_allocate(lmb_skin *skin, lmb_arena *arena, bool stresses);

/* Puts a node of the skin that moves with a node of the body, at the end of an arm from there:
 * its place, and its shapes of the modes and of the basis (if the skin has room for it). */
void lmb_skin_carry(lmb_skin *skin, const lmb_reduced *reduced, int node, vec3 arm, size_t to);

/* The skin of a reduced body; it lives in the arena. With the columns of the basis as further
 * modes, to look at one by one: of solids they have von Mises' stress only, as the component xx. */
lmb_status lmb_skin_of(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                       const lmb_body_data *body, bool with_basis);

/* The skin of a body with nodes along a beam: the outline of its section, carried by its nodes. */
lmb_status lmb_skin_of_line(lmb_skin *out, lmb_arena *arena, lmb_context *context, const char *name,
                            const lmb_exact_beam *beam);

/* How many nodes of a beam carry it. */
int lmb_skin_beam_nodes(const lmb_skin *skin);

/* The frame of a carrier, and N, My, Mz and T there, of frames and section forces N, Vy, Vz, T, My,
 * Mz of all nodes of the beam. */
lmb_frame lmb_skin_carrier(const lmb_skin *skin, int carrier, const lmb_frame *nodes);
void lmb_skin_section(const lmb_skin *skin, int carrier, const double *nodes,
                      double out[LMB_FIBRE_NUMBERS]);

/* Leaves so many nodes at most, for drawing; what is new lives in the arena. */
lmb_status lmb_skin_thin(lmb_skin *skin, lmb_arena *arena, lmb_context *context, int most);

/* Writes a skin into an open HDF5 file; false on failure. */
bool lmb_skin_write(hid_t file, const lmb_skin *skin);

/* All skins of an open result file; they live in the arena. The path is for messages. */
lmb_status lmb_skins_read(lmb_skin **out, int *count, lmb_arena *arena, lmb_context *context,
                          hid_t file, const char *path);

#endif
