/* Stresses of displacements: at the nodes of solids, and at the ends of beams.
 *
 * Stresses of solids are computed where they are most exact (superconvergent points), taken from
 * there to the nodes of each element, and averaged over the elements of one material that meet. */
#ifndef LMB_FE_STRESS_H
#define LMB_FE_STRESS_H

#include "fe/beam.h"

/* Where stresses are found: a place is a node as a part of one material. Nodes where materials
 * meet have several, as stresses may jump there. */
typedef struct lmb_stress {
    lmb_arena *arena;
    const lmb_fe_model *model;
    const lmb_element_tables *tables;
    int count;     /* places */
    int *node;     /* count */
    int *material; /* count */
    int *meeting;  /* count: how many elements are averaged */
    int *place;    /* connection_count: of each node of each solid, -1 for others */
} lmb_stress;

/* The model must have its mesh. Freed with lmb_arena_free(stress->arena). */
lmb_status lmb_stress_new(lmb_stress **out, lmb_context *context, const lmb_fe_model *model);

/* Stresses at all places, LMB_STRESSES each, for several displacements (model->n each): all that
 * depends on the shape of elements is computed once for all of them, so many modes are best asked
 * for together. False: out of memory. */
bool lmb_stress_nodal(const lmb_stress *stress, int columns, const double *u, double *out);

/* Von Mises' equivalent stress; and with its derivatives by the components, 0 where it is 0. */
double lmb_von_mises(const double stress[LMB_STRESSES]);
double lmb_von_mises_slope(const double stress[LMB_STRESSES], double by[LMB_STRESSES]);

/* Section forces at both ends of a beam element for several displacements (model->n each), or
 * (inertia) those that accelerate its mass; the ends of each are `apart` from those before. */
void lmb_stress_beam(const lmb_stress *stress, int element, bool inertia, int columns,
                     const double *u, lmb_section_forces *ends, size_t apart);

/* Stresses of the extreme fibres of a section. */
typedef struct lmb_fibre_stress {
    double greatest, least; /* along the beam, of all fibres */
    double torsion;         /* greatest shear stress of torsion */
    double mises;           /* of the greatest magnitudes together */
} lmb_fibre_stress;

lmb_fibre_stress lmb_fibre_stress_of(const lmb_section *section, const lmb_section_forces *forces);

/* One of these stresses (0: von Mises', 1: greatest, 2: least, 3: of torsion) with its derivatives
 * by N, Vy, Vz, T, My and Mz (NULL: not wanted). Where a magnitude is 0, its derivative is taken as
 * 0. */
double lmb_fibre_stress_part(const lmb_section *section, const lmb_section_forces *forces, int part,
                             double by[6]);

#endif
