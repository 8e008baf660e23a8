/* Forces of inertia on the nodes of an element that moves as a part of a rigid body. */
#ifndef LMB_FE_INERTIA_LOAD_H
#define LMB_FE_INERTIA_LOAD_H

#include "fe/element.h"

/* A force per mass f = gradient (x - origin), and a moment on sections and point masses with the
 * inertia J: the mean of (J e_a) x e_b and (J e_b) x e_a, minus J turning. */
typedef struct lmb_inertia_field {
    vec3 origin;
    mat3 gradient;
    int a, b;
    vec3 turning;
} lmb_inertia_field;

/* The centrifugal field of the product omega_a omega_b of a body that also turns with an angular
 * acceleration (for that product). */
lmb_inertia_field lmb_centrifugal_field(vec3 origin, int a, int b, vec3 acceleration);

/* The moment on an inertia. */
vec3 lmb_inertia_moment(const lmb_inertia_field *field, const mat3 *J);

/* Fills the forces on the degrees of freedom of an element. */
void lmb_inertia_load(const lmb_element_tables *tables, const lmb_element_data *e,
                      const lmb_inertia_field *field, double *load);

#endif
