/* What variants of a model take over. */
#include "read/memo.h"

#include <stdlib.h>
#include <string.h>

#include "read/reader.h"

/* --- notes ------------------------------------------------------------------------------------ */

lmb_note lmb_note_start(lmb_reader *r)
{
    lmb_note before = r->note;
    r->note = (lmb_note){0};
    return before;
}

bool lmb_note_end(lmb_reader *r, lmb_note before, lmb_uses *uses)
{
    bool pure = !r->note.beyond;
    *uses = r->note.uses;
    r->note.uses |= before.uses;
    r->note.beyond |= before.beyond;
    return pure;
}

/* --- parameters ------------------------------------------------------------------------------- */

/* Whether a text is no more than a number, of a value. */
static bool is_number(const char *text, double value)
{
    static const char characters[] = "+-.0123456789eE";
    if (!text[0] || text[strspn(text, characters)])
        return false;
    char *end;
    double x = lmb_strtod(text, &end);
    return !*end && memcmp(&x, &value, sizeof x) == 0; /* also the sign of zero */
}

/* The text of a parameter with an override or without; NULL: it is a list. */
static const char *text_of(const lmb_parameter *p, const char *override)
{
    bool text = p->node->kind == LMB_TREE_TEXT;
    return override ? override : text ? p->node->text : NULL;
}

/* Whether a parameter has the text that it has in the base, or is the number that it is there. */
static bool says_the_same(const lmb_parameter *p, const lmb_memo_parameter *k)
{
    const char *now = text_of(p, p->override), *then = text_of(p, k->override);
    if (!now || !then)
        return now == then;
    return strcmp(now, then) == 0 || (k->size == 1 && is_number(now, k->value[0]));
}

/* The parameters that may differ: those that say something else, and those made of them. */
static lmb_uses find_changed(const lmb_reader *r)
{
    const lmb_memo_parameter *kept = r->kept->parameters;
    lmb_uses changed = 0, before;
    for (int i = 0; i < r->parameter_count; i++)
        if (!says_the_same(&r->parameters[i], &kept[i]))
            changed |= lmb_use_of(i);
    do {
        before = changed;
        for (int i = 0; i < r->parameter_count; i++)
            if (kept[i].uses & changed)
                changed |= lmb_use_of(i);
    } while (changed != before);
    return changed;
}

lmb_status lmb_memo_begin(lmb_reader *r)
{
    if (r->kept) {
        r->changed = find_changed(r);
        if (r->kept->root_uses & r->changed)
            r->kept = NULL;
        else
            r->keep = NULL;
    }
    for (int i = 0; r->kept && i < r->parameter_count; i++) {
        lmb_parameter *p = &r->parameters[i];
        if (r->changed & lmb_use_of(i))
            continue;
        p->state = LMB_PARAMETER_DONE;
        p->size = r->kept->parameters[i].size;
        memcpy(p->value, r->kept->parameters[i].value, sizeof p->value);
    }
    if (r->keep)
        r->keep->parameters =
            lmb_arena_alloc(r->arena, (size_t)r->parameter_count, sizeof *r->keep->parameters);
    return lmb_check_memory(r->context, r->arena);
}

const lmb_tree *lmb_memo_root(lmb_reader *r, const lmb_tree *root)
{
    if (r->kept)
        return r->kept->root;
    lmb_note before = lmb_note_start(r);
    lmb_uses uses;
    root = lmb_repeat(r, root);
    bool pure = lmb_note_end(r, before, &uses);
    if (!r->keep || !root)
        return root;
    r->keep->root = root;
    r->keep->root_uses = uses;
    r->keep->spoiled |= !pure;
    r->keep->values = lmb_arena_alloc(r->arena, (size_t)root->number, sizeof *r->keep->values);
    r->keep->value_count = r->keep->values ? root->number : 0;
    return lmb_check_memory(r->context, r->arena) ? NULL : root;
}

/* --- what is taken ---------------------------------------------------------------------------- */

bool lmb_memo_holds(const lmb_reader *r, const lmb_memo_item *item)
{
    return item->known && !(item->uses & r->changed);
}

static const lmb_memo_value *value_of(const lmb_reader *r, const lmb_tree *node)
{
    if (!r->kept || node->number == 0 || node->number > r->kept->value_count)
        return NULL;
    const lmb_memo_value *v = &r->kept->values[node->number - 1];
    return v->uses & r->changed ? NULL : v;
}

const lmb_memo_value *lmb_memo_numbers(const lmb_reader *r, const lmb_tree *node)
{
    const lmb_memo_value *v = value_of(r, node);
    return v && v->size ? v : NULL;
}

const lmb_expr *lmb_memo_law(const lmb_reader *r, const lmb_tree *node, const lmb_law_scope *scope)
{
    const lmb_memo_value *v = value_of(r, node);
    if (!v || v->size || !v->law)
        return NULL;
    const lmb_law_scope *s = &v->scope;
    bool same = s->time == scope->time && s->speed == scope->speed &&
                s->channels == scope->channels && !s->coordinate == !scope->coordinate;
    return same && (!s->coordinate || strcmp(s->coordinate, scope->coordinate) == 0) ? v->law
                                                                                     : NULL;
}

/* --- what is kept ----------------------------------------------------------------------------- */

lmb_memo_value *lmb_memo_at(lmb_reader *r, const lmb_tree *node)
{
    bool kept = r->keep && node->number > 0 && node->number <= r->keep->value_count;
    return kept ? &r->keep->values[node->number - 1] : NULL;
}
