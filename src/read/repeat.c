/* Repeated entries of a model file, written out before its sections are read.
 *
 *   bodies:
 *     bar{i}: {repeat: {i: [1, N]}, mass: 1, position: [i, 0]}
 *
 * becomes bar1, bar2, ... barN. {i}, {i + 1} in keys and texts are replaced by the number; i itself
 * is a name in the expressions of the entry (lmb_tree.counter). Places stay those of the template.
 * Out of memory is remembered by the arena and said at the end. */
#include <math.h>
#include <string.h>

#include "read/reader.h"

/* Entries are repeated down to the members of a framework: the file is level 0, a section 1, a body
 * 2, its points or its framework 3, nodes and members of that 4. */
enum { MOST_ENTRIES = 1000000, MOST_NODES = 40000000, LONGEST_NAME = 4096, DEEPEST = 4 };

/* One expansion of a tree. */
typedef struct expansion {
    lmb_reader *reader;
    int entries, nodes;
    int numbers; /* of nodes: those of the tree, then new ones */
} expansion;

static lmb_tree *copy_node(expansion *x, const lmb_tree *node, const lmb_counter *counter,
                           int level);

/* Whether an entry of a map at a level (0: the file, 1: a section) is to be repeated. Further down,
 * where `repeat` could be the name of a point, the name must have a counter. */
static bool is_template(const lmb_tree *map, int i, int level)
{
    const lmb_tree *item = map->items[i];
    return map->kind == LMB_TREE_MAP && item->kind == LMB_TREE_MAP && level > 0 &&
           lmb_tree_get(item, "repeat") && (level == 1 || strchr(map->keys[i]->text, '{'));
}

static bool has_template(const lmb_tree *node, int level)
{
    for (int i = 0; i < node->count && level <= DEEPEST; i++)
        if (is_template(node, i, level) || has_template(node->items[i], level + 1))
            return true;
    return false;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* The whole number that an expression between braces gives. */
static lmb_status evaluate(expansion *x, const lmb_tree *node, const char *text, size_t length,
                           const lmb_counter *counter, int *out)
{
    lmb_reader *r = x->reader;
    lmb_tree inner = {.kind = LMB_TREE_TEXT, .place = node->place, .exact = node->exact};
    double value;
    for (const lmb_counter *c = counter; c; c = c->outer)
        if (strlen(c->name) == length && strncmp(c->name, text, length) == 0) {
            *out = c->value;
            return LMB_OK;
        }
    inner.counter = counter;
    if (node->exact)
        inner.place.column += lmb_text_characters(node->text, (size_t)(text - node->text));
    inner.place.length = (int)length;
    inner.text = lmb_text_copy(r->arena, text, length);
    if (!inner.text || lmb_read_number(r, &inner, "{}", &value))
        return LMB_BAD_INPUT;
    if (value != floor(value) || fabs(value) > 1e9)
        return lmb_fail_at(r->context, inner.place, "{%s} must be a whole number, but is %g",
                           inner.text, value);
    *out = (int)value;
    return LMB_OK;
}

/* A text with what stands between braces replaced by numbers; NULL after a mistake. */
static const char *fill_in(expansion *x, const lmb_tree *node, const lmb_counter *counter)
{
    lmb_reader *r = x->reader;
    const char *out = "", *c = node->text;
    while (out && *c) {
        const char *brace = c + strcspn(c, "{"), *close = strchr(brace, '}');
        int number = 0, plain = (int)(brace - c);
        if (*brace && !close) {
            lmb_fail_at(r->context, node->place, "'}' is missing in '%.60s'", node->text);
            return NULL;
        }
        if (*brace && evaluate(x, node, brace + 1, (size_t)(close - brace - 1), counter, &number))
            return NULL;
        out = *brace ? lmb_text_format(r->arena, "%s%.*s%d", out, plain, c, number)
                     : lmb_text_format(r->arena, "%s%s", out, c);
        c = *brace ? close + 1 : brace;
        if (out && strlen(out) >= LONGEST_NAME) {
            lmb_fail_at(r->context, node->place, "this text is too long to be repeated");
            return NULL;
        }
    }
    return out;
}

/* A text, with its braces filled in inside a repeated entry. A number stays the same. */
static lmb_tree *copy_text(expansion *x, const lmb_tree *node, const lmb_counter *counter)
{
    static const char letters[] = "{ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    if (!counter || !strpbrk(node->text, letters))
        return (lmb_tree *)node; /* it is not written to */
    lmb_tree *copy = lmb_tree_new(x->reader->arena, LMB_TREE_TEXT, node->place);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->number = ++x->numbers;
    copy->counter = counter;
    if (!strchr(node->text, '{'))
        return copy;
    copy->exact = false;
    copy->text = fill_in(x, node, counter);
    return copy->text ? copy : NULL;
}

/* The same for a key, which no expression is in. */
static lmb_tree *copy_key(expansion *x, const lmb_tree *key, const lmb_counter *counter)
{
    return strchr(key->text, '{') ? copy_text(x, key, counter) : (lmb_tree *)key;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Adds an entry to a map; names must differ. */
static lmb_status add_entry(expansion *x, lmb_tree *map, lmb_tree *key, lmb_tree *item)
{
    lmb_reader *r = x->reader;
    if (!map || !key || !item)
        return LMB_BAD_INPUT;
    if (lmb_tree_find(map, key->text) >= 0) {
        lmb_fail_at(r->context, key->place, "the name '%s' is there already", key->text);
        return lmb_hint(r->context, "a repeated name needs its counter, as in 'bar{i}'");
    }
    return lmb_tree_add(r->arena, map, key, item) ? LMB_OK : LMB_BAD_INPUT;
}

static lmb_status fail_many(expansion *x, const lmb_tree *key)
{
    return lmb_fail_at(x->reader->context, key->place, "'%s' makes more than %d entries", key->text,
                       MOST_ENTRIES);
}

/* One entry of a template: all its keys but `repeat`. */
static lmb_status add_copy(expansion *x, lmb_tree *map, const lmb_tree *key, const lmb_tree *item,
                           const lmb_counter *counter)
{
    lmb_reader *r = x->reader;
    if (++x->entries > MOST_ENTRIES)
        return fail_many(x, key);
    lmb_tree *copy = lmb_tree_new(r->arena, LMB_TREE_MAP, item->place);
    for (int i = 0; copy && i < item->count; i++)
        if (strcmp(item->keys[i]->text, "repeat") != 0 &&
            add_entry(x, copy, copy_key(x, item->keys[i], counter),
                      copy_node(x, item->items[i], counter, 3)))
            return LMB_BAD_INPUT;
    return add_entry(x, map, copy_key(x, key, counter), copy);
}

/* The two ends of a range of whole numbers. */
static lmb_status read_range(expansion *x, const lmb_tree *name, const lmb_tree *range,
                             const lmb_counter *counter, int ends[2])
{
    lmb_reader *r = x->reader;
    if (range->kind != LMB_TREE_LIST || range->count != 2)
        return lmb_fail_at(r->context, range->place,
                           "the range of '%s' must be two whole numbers, [first, last]",
                           name->text);
    for (int i = 0; i < 2; i++) {
        double value;
        lmb_tree *end = copy_text(x, range->items[i], counter);
        if (!end || lmb_read_number(r, end, name->text, &value))
            return LMB_BAD_INPUT;
        if (value != floor(value) || fabs(value) > 1e9)
            return lmb_fail_at(r->context, end->place,
                               "the range of '%s' needs whole numbers, not %g", name->text, value);
        ends[i] = (int)value;
    }
    return LMB_OK;
}

/* Writes a template out for all values of its counters from number `k` on. */
static lmb_status expand(expansion *x, lmb_tree *map, const lmb_tree *key, const lmb_tree *item,
                         int k, const lmb_counter *outer)
{
    lmb_reader *r = x->reader;
    const lmb_tree *ranges = lmb_tree_get(item, "repeat");
    if (ranges->kind != LMB_TREE_MAP || ranges->count == 0) {
        lmb_fail_kind(r, ranges, "repeat", "a map of counters and their ranges");
        return lmb_hint(r->context, "for example 'repeat: {i: [1, 10]}'");
    }
    if (k == ranges->count)
        return add_copy(x, map, key, item, outer);
    int ends[2];
    const lmb_tree *name = ranges->keys[k];
    if (lmb_check_name(r, name, "counter"))
        return LMB_BAD_INPUT;
    if (lmb_expr_is_reserved(name->text) || strchr(name->text, '-'))
        return lmb_fail_at(r->context, name->place, "'%s' cannot be the name of a counter",
                           name->text);
    if (read_range(x, name, ranges->items[k], outer, ends))
        return LMB_BAD_INPUT;
    if ((double)ends[1] - ends[0] >= MOST_ENTRIES)
        return fail_many(x, key);
    for (int i = ends[0]; i <= ends[1]; i++) {
        lmb_counter *counter = lmb_arena_alloc(r->arena, 1, sizeof *counter);
        if (!counter)
            return LMB_BAD_INPUT;
        *counter = (lmb_counter){name->text, i, outer};
        if (expand(x, map, key, item, k + 1, counter))
            return LMB_BAD_INPUT;
    }
    return LMB_OK;
}

/* A copy of a tree in which repeated entries are written out; NULL after a mistake. */
static lmb_tree *copy_node(expansion *x, const lmb_tree *node, const lmb_counter *counter,
                           int level)
{
    lmb_reader *r = x->reader;
    if (!counter && (node->kind == LMB_TREE_TEXT || level > DEEPEST))
        return (lmb_tree *)node;   /* nothing below is repeated; it is not written to */
    if (++x->nodes > MOST_NODES) { /* aliases of aliases grow fast */
        lmb_fail_at(r->context, node->place, "the repeated entries are too large");
        return NULL;
    }
    if (node->kind == LMB_TREE_TEXT)
        return copy_text(x, node, counter);
    lmb_tree *copy = lmb_tree_new(r->arena, node->kind, node->place);
    bool fine = copy;
    if (copy)
        copy->number = ++x->numbers;
    for (int i = 0; fine && i < node->count; i++) {
        const lmb_tree *item = node->items[i];
        if (node->kind == LMB_TREE_LIST) {
            lmb_tree *part = copy_node(x, item, counter, level + 1);
            fine = part && lmb_tree_add(r->arena, copy, NULL, part);
        } else if (is_template(node, i, level)) {
            fine = !expand(x, copy, node->keys[i], item, 0, counter);
        } else {
            fine = !add_entry(x, copy, copy_key(x, node->keys[i], counter),
                              copy_node(x, item, counter, level + 1));
        }
    }
    return fine ? copy : NULL;
}

const lmb_tree *lmb_repeat(lmb_reader *r, const lmb_tree *root)
{
    if (!has_template(root, 0))
        return root;
    expansion x = {.reader = r, .numbers = root->number};
    lmb_tree *whole = copy_node(&x, root, NULL, 0);
    if (whole)
        whole->number = x.numbers;
    lmb_check_memory(r->context, r->arena);
    return whole;
}
