/* limber_parts: writes the mesh of a part for Gmsh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static int usage(void)
{
    fprintf(stderr, "Usage: limber_parts PART KIND SIZE FILE.msh\n"
                    "  PART   clapper, hub or boom\n"
                    "  KIND   tet4, tet10, hex8 or hex20\n"
                    "  SIZE   longest side of a cell in m, such as 0.2\n");
    return 2;
}

static lmb_element_kind kind_of(const char *word)
{
    static const struct {
        const char *word;
        lmb_element_kind kind;
    } kinds[] = {
        {"tet4", LMB_TET4}, {"tet10", LMB_TET10}, {"hex8", LMB_HEX8}, {"hex20", LMB_HEX20}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return kinds[i].kind;
    return LMB_ELEMENT_KINDS;
}

int main(int count, char **words)
{
    const part *wanted = count == 5 ? part_find(words[1]) : NULL;
    lmb_element_kind kind = wanted ? kind_of(words[2]) : LMB_ELEMENT_KINDS;
    double size = wanted ? strtod(words[3], NULL) : 0;
    if (kind == LMB_ELEMENT_KINDS || !(size > 0))
        return usage();
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh = NULL;
    lmb_status status = context ? wanted->solid(&mesh, context, kind, size) : LMB_SOLVER;
    if (!status)
        status = part_write(mesh, wanted->name, words[4], context);
    if (status && context)
        fprintf(stderr, "limber_parts: %s\n",
                lmb_message_at(context, lmb_message_count(context) - 1)->text);
    else if (!status)
        fprintf(stderr, "%s: %d nodes, %d elements\n", words[4], mesh->node_count,
                mesh->element_count);
    if (mesh)
        lmb_arena_free(mesh->arena);
    lmb_context_free(context);
    return (int)status;
}
