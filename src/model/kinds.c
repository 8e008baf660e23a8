/* The built-in kinds, and tables of keys that depend on kinds. */
#include "model/kinds.h"

#include <string.h>

#include "analysis/analysis.h"
#include "integrate/motion.h"
#include "model/fields.h"
#include "model/flexible_part.h"
#include "system/saddle.h"

static const lmb_body_type *const bodies[] = {
    &lmb_body_type_rigid,
    &lmb_body_type_particle,
    &lmb_body_type_flexible,
    NULL,
};

const lmb_kinds lmb_kinds_default = {.bodies = bodies,
                                     .joints = lmb_joint_types,
                                     .forces = lmb_force_types,
                                     .solvers = lmb_saddle_kinds,
                                     .integrators = lmb_integrators,
                                     .analyses = lmb_analysis_kinds};

/* Adds a word to a list of them. */
static const char *add_word(lmb_arena *arena, const char *list, const char *word)
{
    return list ? lmb_text_format(arena, "%s%s%s", list, *list ? " " : "", word) : NULL;
}

lmb_field *lmb_body_table(lmb_arena *arena, const lmb_kinds *kinds, const lmb_body_type *own)
{
    const char *words = "";
    int count = lmb_field_count(lmb_body_fields), room = count + 1;
    for (int i = 0; kinds->bodies[i]; i++) {
        const lmb_body_type *t = kinds->bodies[i];
        room += t->fields ? lmb_field_count(t->fields) : 0;
        words = t->marks ? words : add_word(arena, words, t->name);
    }
    lmb_field *table = lmb_arena_alloc(arena, (size_t)room, sizeof *table);
    if (!table || !words)
        return NULL;
    memcpy(table, lmb_body_fields, (size_t)count * sizeof *table);
    table[0].choices = words;
    for (const lmb_field *f = own ? own->fields : NULL; f && f->name; f++)
        table[count++] = *f;
    for (int i = 0; kinds->bodies[i]; i++)
        for (const lmb_field *f = kinds->bodies[i]->fields; f && f->name; f++) {
            if (lmb_find_field(table, f->name))
                continue;
            table[count] = *f;
            table[count++].required = false;
        }
    return table;
}

lmb_field *lmb_analysis_table(lmb_arena *arena, const lmb_kinds *kinds)
{
    const char *analyses = "", *integrators = "";
    for (int i = 0; kinds->analyses[i]; i++)
        analyses = add_word(arena, analyses, kinds->analyses[i]->name);
    for (int i = 0; kinds->integrators[i]; i++)
        integrators = add_word(arena, integrators, kinds->integrators[i]->name);
    int count = lmb_field_count(lmb_analysis_fields);
    lmb_field *table = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *table);
    if (!table || !analyses || !integrators)
        return NULL;
    memcpy(table, lmb_analysis_fields, (size_t)count * sizeof *table);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, "type") == 0)
            table[i].choices = analyses;
        else if (strcmp(table[i].name, "integrator") == 0)
            table[i].choices = integrators;
    return table;
}
