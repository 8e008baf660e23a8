/* The built-in kinds, and tables of keys that depend on kinds. */
#include "model/kinds.h"

#include "analysis/analysis.h"
#include "analysis/begin.h"
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

/* Adds a word to the choices of a field and, unless it is NULL, what it means to its doc. */
static void add_choice(lmb_arena *arena, lmb_field *f, const char *word, const char *meaning)
{
    bool first = !f->choices;
    if (meaning)
        f->doc = lmb_text_format(arena, "%s%s%s: %s", f->doc, first ? "" : "; ", word, meaning);
    f->choices = first ? word : lmb_text_format(arena, "%s %s", f->choices, word);
}

lmb_field *lmb_body_table(lmb_arena *arena, const lmb_kinds *kinds, const lmb_body_type *own)
{
    int count = lmb_field_count(lmb_body_fields), room = count + 1;
    for (int i = 0; kinds->bodies[i]; i++)
        room += kinds->bodies[i]->fields ? lmb_field_count(kinds->bodies[i]->fields) : 0;
    lmb_field *table =
        lmb_arena_grow(arena, lmb_body_fields, (size_t)count, (size_t)room, sizeof *table);
    if (!table)
        return NULL;
    for (int i = 0; kinds->bodies[i]; i++)
        if (!kinds->bodies[i]->marks)
            add_choice(arena, &table[0], kinds->bodies[i]->name, NULL);
    for (const lmb_field *f = own ? own->fields : NULL; f && f->name; f++)
        table[count++] = *f;
    for (int i = 0; kinds->bodies[i]; i++)
        for (const lmb_field *f = kinds->bodies[i]->fields; f && f->name; f++) {
            if (lmb_find_field(table, f->name))
                continue;
            table[count] = *f;
            table[count++].required = false;
        }
    return lmb_arena_fine(arena) ? table : NULL;
}

lmb_field *lmb_analysis_table(lmb_arena *arena, const lmb_kinds *kinds, bool docs)
{
    size_t count = (size_t)lmb_field_count(lmb_analysis_fields);
    lmb_field *table = lmb_arena_grow(arena, lmb_analysis_fields, count, count + 1, sizeof *table);
    if (!table)
        return NULL;
    lmb_field *type = (lmb_field *)lmb_find_field(table, "type");
    lmb_field *integrator = (lmb_field *)lmb_find_field(table, "integrator");
    lmb_field *begin = (lmb_field *)lmb_find_field(table, "begin");
    for (int i = 0; kinds->analyses[i]; i++)
        add_choice(arena, type, kinds->analyses[i]->name, docs ? kinds->analyses[i]->doc : NULL);
    for (int i = 0; kinds->integrators[i]; i++)
        add_choice(arena, integrator, kinds->integrators[i]->name,
                   docs ? kinds->integrators[i]->doc : NULL);
    for (int i = 0; lmb_beginnings[i]; i++)
        add_choice(arena, begin, lmb_beginnings[i]->name, docs ? lmb_beginnings[i]->doc : NULL);
    lmb_field *const ended[] = {type, integrator, begin};
    for (size_t i = 0; docs && i < sizeof ended / sizeof *ended; i++)
        ended[i]->doc = lmb_text_format(arena, "%s.", ended[i]->doc);
    return lmb_arena_fine(arena) ? table : NULL;
}
