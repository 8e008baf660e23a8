/* Questions about a mesh. */
#include "fe/mesh.h"

#include <string.h>

const lmb_node_set *lmb_mesh_set(const lmb_mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->set_count; i++)
        if (strcmp(mesh->sets[i].name, name) == 0)
            return &mesh->sets[i];
    return NULL;
}
