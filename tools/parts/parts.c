/* The parts by name. */
#include "parts.h"

#include <string.h>

const part *part_find(const char *name)
{
    static const part *const parts[] = {&part_clapper, &part_hub, &part_boom};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i]->name, name) == 0)
            return parts[i];
    return NULL;
}
