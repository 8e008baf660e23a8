/* The states that analyses begin from. A state is kept from the instant at which it is computed
 * until the analysis that begins from it ends, so that a checkpoint of many analyses has few. */
#include "run/initial_states.h"

#include "analysis/analysis.h"
#include "run/run.h"

/* An analysis of the run, and the analyses that begin from it as a list. */
typedef struct entry {
    lmb_state *state;  /* that it begins from, or NULL */
    int number;        /* in the run; -1: it does not run */
    int first, sister; /* the first analysis that begins from it, the next that begins from the same
                          one; -1: none */
} entry;

struct lmb_initial_states {
    const lmb_model *model;
    entry *entries;     /* analysis_count */
    size_t state_count; /* numbers of a state */
};

lmb_status lmb_initial_states_new(lmb_initial_states **out, lmb_context *context, lmb_arena *arena,
                                  const lmb_model *m, const char *const *names)
{
    size_t count = (size_t)m->analysis_count;
    lmb_pack one = {.mode = LMB_PACK_COUNT};
    lmb_initial_states *s = lmb_arena_alloc(arena, 1, sizeof *s);
    entry *entries = lmb_arena_alloc(arena, count + 1, sizeof *entries);
    lmb_state *state = lmb_state_new(m);
    *out = NULL;
    if (!s || !entries || !state) {
        lmb_state_free(state);
        return lmb_fail_memory(context);
    }
    lmb_state_pack(state, &one);
    lmb_state_free(state);
    for (int i = 0, number = 0; i < m->analysis_count; i++) {
        bool runs = lmb_run_wants(names, m->analyses[i].name);
        int from = m->analyses[i].from;
        entries[i] = (entry){NULL, runs ? number++ : -1, -1, from < 0 ? -1 : entries[from].first};
        if (from >= 0)
            entries[from].first = i;
    }
    *s = (lmb_initial_states){m, entries, one.count};
    *out = s;
    return LMB_OK;
}

void lmb_initial_states_free(lmb_initial_states *s)
{
    for (int i = 0; s && i < s->model->analysis_count; i++)
        lmb_state_free(s->entries[i].state);
}

lmb_status lmb_initial_states_keep(lmb_initial_states *s, lmb_context *context,
                                   const lmb_analysis *analysis, const lmb_state *state)
{
    const lmb_analysis *all = s->model->analyses;
    int now = lmb_instant_at(analysis, state->t);
    for (int i = s->entries[analysis - all].first; i >= 0; i = s->entries[i].sister) {
        lmb_state **kept = &s->entries[i].state;
        bool later = *kept && !(analysis->kind->known & LMB_KNOWN_PATH); /* of a path: last */
        if (later || lmb_instant_at(analysis, all[i].start) != now)
            continue;
        if (!*kept && !(*kept = lmb_state_new(s->model)))
            return lmb_fail_memory(context);
        lmb_state_copy(*kept, state);
    }
    return LMB_OK;
}

const lmb_state *lmb_initial_states_find(const lmb_initial_states *s, const lmb_analysis *a)
{
    return s->entries[a - s->model->analyses].state;
}

void lmb_initial_states_drop(lmb_initial_states *s, const lmb_analysis *a)
{
    lmb_state **kept = &s->entries[a - s->model->analyses].state;
    lmb_state_free(*kept);
    *kept = NULL;
}

bool lmb_initial_states_pack(lmb_initial_states *s, int number, lmb_pack *pack)
{
    for (int i = 0; i < s->model->analysis_count; i++) {
        entry *e = &s->entries[i];
        int from = s->model->analyses[i].from;
        if (from < 0 || e->number < number || s->entries[from].number > number)
            continue;
        bool there = e->state != NULL;
        lmb_pack_flags(pack, &there, 1);
        if (there && !e->state && !(e->state = lmb_state_new(s->model)))
            return false;
        if (there)
            lmb_state_pack(e->state, pack);
        else
            lmb_pack_nothing(pack, s->state_count);
    }
    return true;
}
