/* Names of parts of a channel. */
#include "channels/component.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"

int lmb_channel_nodes(const lmb_channel *c)
{
    int letters = (int)strlen(c->components);
    return letters > 0 && c->size > letters ? c->size / letters : 1;
}

int lmb_channel_columns(const lmb_channel *c)
{
    return c->size / lmb_channel_nodes(c);
}

/* A number from 1 to `most` at the start of a text, minus one; *end is what follows. -1: none. */
static int counted(const char *text, int most, const char **end)
{
    char *after;
    long number = text[0] >= '1' && text[0] <= '9' ? strtol(text, &after, 10) : 0;
    if (number < 1 || number > most)
        return -1;
    *end = after;
    return (int)number - 1;
}

bool lmb_channel_part_of(const lmb_channel *c, const char *words, lmb_channel_part *out)
{
    int nodes = lmb_channel_nodes(c), columns = lmb_channel_columns(c);
    const char *rest = words;
    *out = (lmb_channel_part){0, nodes, 0, columns};
    if (!c->components[0]) { /* numbers without letters */
        out->columns = 1;
        out->column = columns > 1 ? counted(words, columns, &rest) : -1;
        return out->column >= 0 && !*rest;
    }
    int node = nodes > 1 ? counted(words, nodes, &rest) : -1;
    if (node >= 0) {
        out->node = node;
        out->nodes = 1;
        if (!*rest)
            return true;
        if (*rest++ != '.')
            return false;
    }
    const char *letter = rest[0] && !rest[1] ? strchr(c->components, rest[0]) : NULL;
    out->column = letter ? (int)(letter - c->components) : -1;
    out->columns = 1;
    return letter && out->column < columns;
}

/* The words of a part are one or two, "x" or "7.x". */
int lmb_channel_find(const lmb_names *names, const void *channels, size_t size, const char *name,
                     lmb_channel_part *part)
{
    const char *end = name + strlen(name);
    for (int words = 0; words <= 2; words++) {
        const lmb_named *found = lmb_names_find(names, name, (size_t)(end - name));
        const lmb_channel *c =
            found ? (const void *)((const char *)channels + (size_t)found->index * size) : NULL;
        if (c && words == 0)
            *part = (lmb_channel_part){0, lmb_channel_nodes(c), 0, lmb_channel_columns(c)};
        if (c && (words == 0 || lmb_channel_part_of(c, end + 1, part)))
            return found->index;
        do
            end--;
        while (end > name && *end != '.');
        if (end <= name)
            return -1;
    }
    return -1;
}

const char *lmb_component_name(const lmb_channel *c, int index, char text[16])
{
    int columns = lmb_channel_columns(c);
    text[0] = 0;
    if (lmb_channel_nodes(c) > 1)
        lmb_snprintf(text, 16, ".%d.%c", index / columns + 1, c->components[index % columns]);
    else if (index < (int)strlen(c->components))
        lmb_snprintf(text, 16, ".%c", c->components[index]);
    else if (c->size > 1)
        lmb_snprintf(text, 16, ".%d", index + 1);
    return text;
}
