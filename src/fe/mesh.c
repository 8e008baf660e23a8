/* Questions about a mesh. */
#include "fe/mesh.h"

#include <string.h>

int lmb_element_nodes(lmb_element_kind kind)
{
    static const int nodes[LMB_ELEMENT_KINDS] = {1, 2, 2, 4, 10, 8, 20};
    return nodes[kind];
}

int lmb_mesh_node(const lmb_mesh *mesh, int number)
{
    for (int i = 0; i < mesh->node_count; i++)
        if (mesh->number[i] == number)
            return i;
    return -1;
}

const lmb_node_set *lmb_mesh_set(const lmb_mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->set_count; i++)
        if (strcmp(mesh->sets[i].name, name) == 0)
            return &mesh->sets[i];
    return NULL;
}
