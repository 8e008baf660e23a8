/* Stresses of a flexible body from its modal coordinates.
 *
 * At the places of solids (nodes) sigma = sum eta_m sigma_m; in the ends of beam elements the
 * section forces, and from them the stresses of the extreme fibres. Section forces are those of the
 * deformation of the elements and those that accelerate their mass against free fall, without which
 * loads spread over an element (weight, inertia) would be missing half of it. Both are counted as
 * places: the nodes of solids first, then two ends a line. Everything is linear in the modal
 * coordinates but von Mises' stress and the extreme fibres.
 *
 * Stresses of solids include the part of the static response to the loads p of the body that its
 * modes do not represent (reduction/residual.h): sigma = sum eta_m sigma_m + sum p_j sigma_j. */
#ifndef LMB_CHANNELS_STRESS_STATE_H
#define LMB_CHANNELS_STRESS_STATE_H

#include "channels/stress_rows.h"
#include "fe/stress.h"
#include "system/model.h"

/* `e` has the lmb_stress_columns coordinates of stresses: modal coordinates, then the loads p.
 * `inertia` has the accelerations of the body: of its frame (LMB_CARRIED of fe/beam.h, the first
 * less gravity), then of the modes. It is NULL if they are unknown or the body has no beams. */
typedef struct lmb_deformation {
    const double *e, *inertia;
} lmb_deformation;

/* Puts the accelerations together: of the frame less gravity, its angular velocity and
 * acceleration, all in body axes, and of the modes. */
void lmb_carried_motion(vec3 a, vec3 w, vec3 wd, const double *modes, int count, double *out);

typedef struct lmb_stress_state {
    const struct lmb_body_data *data;
    int modes, places;
    int *node;    /* places: index of the node of the body */
    double *e;    /* columns + LMB_CARRIED + modes: coordinates of the stresses below */
    bool known;   /* the stresses below are computed */
    double *size; /* lmb_stress_sizes */
    lmb_stress_coordinates lanes; /* the coordinates in the first lane */
    double *ends;                 /* section forces N Vy Vz T My Mz of the ends of lines */
    double *mises;                /* places */
    int worst;                    /* place of the largest stress */
} lmb_stress_state;

/* NULL: out of memory. A body without stresses has no places. */
lmb_stress_state *lmb_stress_state_new(lmb_arena *arena, const struct lmb_body_data *data);

/* Finds von Mises' stress at all places, unless these coordinates were the last ones. */
void lmb_stress_state_find(lmb_stress_state *state, lmb_deformation now);

/* Compute the part of the stress at a place of a solid that comes from the loads p. */
void lmb_stress_of_loads(const struct lmb_body_data *data, const double *e, int place,
                         double out[LMB_STRESSES]);

/* Return the share of the loads p in the stress at a place of a solid: the von Mises stress of
 * their part of the tensor over `mises`. Returns 0 in beams. */
double lmb_stress_correction(const struct lmb_body_data *data, const double *e, int place,
                             double mises);

/* Whether a body can have stresses. */
bool lmb_has_stress(const struct lmb_body_data *data);

/* The six numbers of a probe, stresses of solids or section forces of beams, the mean of its
 * places; and the derivatives of weights . numbers by the modal coordinates and by the
 * accelerations (NULL: none), `modes` and LMB_CARRIED + modes. */
void lmb_probe_numbers(const lmb_probe *probe, const struct lmb_body_data *data,
                       lmb_deformation now, double out[LMB_STRESSES]);
void lmb_probe_slopes(const lmb_probe *probe, const struct lmb_body_data *data,
                      const double weights[LMB_STRESSES], double *by_eta, double *by_inertia);

/* The section of a line of a body. */
lmb_section lmb_line_section_of(const struct lmb_body_data *data, int line);

/* Strains of a stress in a material: those of shear are tensor components, half of the angles. */
void lmb_strain_of(const double stress[LMB_STRESSES], double E, double nu,
                   double out[LMB_STRESSES]);

/* A symmetric tensor (in the order of stresses) in other axes: a^T T b of two directions. */
double lmb_tensor_along(const double tensor[LMB_STRESSES], vec3 a, vec3 b);

#endif
