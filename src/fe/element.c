/* The table of element kinds. */
#include "fe/element.h"

const lmb_element_type *lmb_element_type_of(lmb_element_kind kind)
{
    static const lmb_element_type *const types[LMB_ELEMENT_KINDS] = {
        [LMB_POINT_MASS] = &lmb_element_point_mass,
        [LMB_BEAM_PLANAR] = &lmb_element_beam_planar,
        [LMB_BEAM] = &lmb_element_beam,
        [LMB_TET4] = &lmb_element_tet4,
        [LMB_TET10] = &lmb_element_tet10,
        [LMB_HEX8] = &lmb_element_hex8,
        [LMB_HEX20] = &lmb_element_hex20,
    };
    return types[kind];
}

void lmb_element_gather(const lmb_mesh *mesh, int element, lmb_element_data *out)
{
    const lmb_element *e = &mesh->elements[element];
    int nodes = lmb_element_nodes(e->kind);
    out->kind = e->kind;
    for (int i = 0; i < nodes; i++)
        out->x[i] = mesh->x[mesh->connections[e->first + i]];
    out->material = e->material >= 0 ? mesh->materials[e->material] : (lmb_material){0};
    out->section = e->section >= 0 ? mesh->sections[e->section] : (lmb_section){0};
    out->mass = e->point_mass >= 0 ? mesh->masses[e->point_mass] : (lmb_point_mass){0};
}
