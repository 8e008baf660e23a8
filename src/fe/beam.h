/* Beams: their axes and the forces in their sections. */
#ifndef LMB_FE_BEAM_H
#define LMB_FE_BEAM_H

#include "fe/element.h"

/* Forces and moments in a section, in the beam's axes, on the side whose outer normal is x. A
 * planar beam has N, Vy and Mz. */
typedef struct lmb_section_forces {
    double N, Vy, Vz; /* normal and shear forces */
    double T, My, Mz; /* torque and bending moments */
} lmb_section_forces;

/* The axes of a beam: x from its first node to its second, y as near to the section's y_axis as it
 * can be. False: the beam has no length, or y_axis is along it. */
bool lmb_beam_axes(const lmb_element_data *e, mat3 *axes, double *length);

/* Forces at the two ends for displacements of the nodes in global axes (6 or 12 numbers). */
void lmb_beam_forces(const lmb_element_data *e, const double *u, lmb_section_forces ends[2]);

/* Bending in one plane, of displacement and slope at both ends (v1, s1, v2, s2), 4 x 4 by columns:
 * stiffness and mass of a beam with bending stiffness EI and shear parameter phi = 12 EI / (k G A
 * L^2), mass a length, and rotary inertia a length. */
void lmb_beam_bending_stiffness(double EI, double length, double phi, double *K);
void lmb_beam_bending_mass(double mass, double rotary, double length, double phi, double *M);

#endif
