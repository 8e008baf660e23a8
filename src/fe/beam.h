/* Beams: their axes and the forces in their sections. */
#ifndef LMB_FE_BEAM_H
#define LMB_FE_BEAM_H

#include "fe/element.h"

/* Forces and moments in a section, in the beam's axes, on the side whose outer normal is x. A
 * planar beam has N, Vy and Mz. Files have the six numbers in this order. */
typedef struct lmb_section_forces {
    double N, Vy, Vz; /* normal and shear forces */
    double T, My, Mz; /* torque and bending moments */
} lmb_section_forces;

/* The axes of a section: x along a vector, y as near to a direction as it can be; where that is
 * zero, level (across the global z), or the global y for a beam nearly along z. False: the
 * direction is along the beam. */
bool lmb_section_axes(vec3 along, vec3 y_axis, mat3 *axes);

/* The axes of a beam: x from its first node to its second, y as near to the section's y_axis as it
 * can be. False: the beam has no length, or y_axis is along it. */
bool lmb_beam_axes(const lmb_element_data *e, mat3 *axes, double *length);

/* Forces at the two ends for displacements of the nodes in global axes (6 or 12 numbers); or, with
 * `inertia`, those that accelerate the mass of the beam, for such accelerations. `columns` of such
 * numbers stand one after the other; the ends of each are `apart` from those before. */
void lmb_beam_forces(const lmb_element_data *e, bool inertia, int columns, const double *u,
                     lmb_section_forces *ends, size_t apart);

/* Accelerations of a rigid motion about the origin: of its translation along x, y, z; its angular
 * acceleration about them; and the products wx^2, wy^2, wz^2, wx wy, wy wz, wz wx of its angular
 * velocity, w x (w x r). */
enum { LMB_CARRIED_TURN = 3, LMB_CARRIED_SPIN = 6, LMB_CARRIED = 12 };

/* The forces of a unit of one of them in a beam with its origin at a place. */
void lmb_beam_carried_forces(const lmb_element_data *e, vec3 origin, int motion,
                             lmb_section_forces ends[2]);

/* --- fields within a beam --------------------------------------------------------------------- */

/* Displacement and rotation of a node in global axes; zero where it has no degree of freedom. */
typedef struct lmb_nodal {
    vec3 u, theta;
} lmb_nodal;

/* A section of a beam, and what the motions of the two nodes do there. */
typedef struct lmb_beam_section {
    mat3 axes;           /* of the beam */
    double length;       /* of the beam */
    vec3 x;              /* place */
    double mass;         /* per length */
    mat3 inertia;        /* rotary inertia per length, global axes, as in the mass matrix */
    double polar_radius; /* sqrt((Iy + Iz) / A) */
    double linear[2];    /* shape functions of stretching and torsion, */
    double v[2][4];      /* of deflections in the x-y and x-z plane (v1, s1, v2, s2), */
    double turn[2][4];   /* of the rotations that belong to them, */
    double slope[2][4];  /* and the derivatives of the deflections along the beam */
} lmb_beam_section;

/* What happens at a section, in global axes but for the last. */
typedef struct lmb_section_motion {
    vec3 u, theta;
    vec3 along; /* beam axes: twist per length times the polar radius, dv/dx, dw/dx */
} lmb_section_motion;

/* The section at s = 0 (first node) to 1 (second); false if the beam has no axes. */
bool lmb_beam_section_at(const lmb_element_data *e, double s, lmb_beam_section *out);

lmb_section_motion lmb_beam_motion(const lmb_beam_section *section, const lmb_nodal ends[2]);

/* Takes the motions of both nodes out of a column of displacements of the element. */
void lmb_beam_ends(const lmb_element_data *e, const double *u, lmb_nodal ends[2]);

/* The functions `matrices` and `gradients` of beams. */
void lmb_beam_matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                       double *M);
void lmb_beam_planar_matrices(const lmb_element_tables *tables, const lmb_element_data *e,
                              double *K, double *M);
void lmb_beam_gradients(const lmb_element_tables *tables, const lmb_element_data *e, int columns,
                        const double *u, const double *load, lmb_gradients *out);

/* Points and weights of Gauss on 0 ... 1, exact for polynomials of degree 7. */
enum { LMB_BEAM_POINTS = 4 };
extern const double lmb_beam_point[LMB_BEAM_POINTS], lmb_beam_weight[LMB_BEAM_POINTS];

/* Bending in one plane, of displacement and slope at both ends (v1, s1, v2, s2), 4 x 4 by columns:
 * stiffness and mass of a beam with bending stiffness EI and shear parameter phi = 12 EI / (k G A
 * L^2), mass per length, and rotary inertia per length. */
void lmb_beam_bending_stiffness(double EI, double length, double phi, double *K);
void lmb_beam_bending_mass(double mass, double rotary, double length, double phi, double *M);

/* That parameter; a shear factor k of 0 makes it 0. */
double lmb_beam_shear_parameter(const lmb_material *material, double A, double second_moment,
                                double factor, double length);

/* The shape functions at s = x / L, 0 to 1: of the deflection, of the turn of the section, and of
 * the derivative of the deflection. */
void lmb_beam_bending_shapes(double s, double length, double phi, double v[4], double turn[4],
                             double slope[4]);

#endif
