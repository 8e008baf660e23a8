/* Reads YAML with libfyaml's stream of events and builds the tree of nodes. The text is checked
 * before: libfyaml waits for ever on some texts that are not UTF-8. */
#include "read/tree.h"

#include <libfyaml.h>
#include <string.h>

#include "base/text.h"

/* Limits for a file whose aliases are written out: levels and nodes. */
enum { DEEPEST = 64, MOST_NODES = 10000000 };

typedef struct builder {
    lmb_context *context;
    lmb_arena *arena;
    const char *name; /* of the file */
    const char *text;
    struct fy_parser *parser;
    lmb_tree *root;
    lmb_tree *stack[DEEPEST];           /* open lists and maps */
    lmb_tree *key[DEEPEST];             /* the key that waits for its value */
    const char *name_of_value[DEEPEST]; /* the anchor at that key, or NULL */
    bool flow[DEEPEST];                 /* written in { } or [ ] */
    int before[DEEPEST];                /* nodes before it, aliases written out */
    int depth;
    lmb_tree *anchors; /* a map of the named nodes */
    int nodes;         /* so far */
    int written;       /* so far, aliases written out */
} builder;

static lmb_place place_at(const builder *b, const struct fy_mark *mark, int length)
{
    lmb_place place = {b->name, b->text, 1, 1, length};
    if (mark) {
        place.line = mark->line + 1;
        place.column = mark->column + 1;
    }
    return place;
}

/* Remembers a node under its anchor (&name), if it has one. */
static lmb_status name_node(builder *b, const char *name, lmb_tree *node)
{
    if (!name)
        return LMB_OK;
    int known = lmb_tree_find(b->anchors, name);
    if (known >= 0) {
        b->anchors->items[known] = node;
        return LMB_OK;
    }
    lmb_tree *key = lmb_tree_new(b->arena, LMB_TREE_TEXT, node->place);
    if (key)
        key->text = name;
    return key && lmb_tree_add(b->arena, b->anchors, key, node) ? LMB_OK
                                                                : lmb_fail_memory(b->context);
}

/* Whether the next node is a key. */
static bool expects_key(const builder *b)
{
    return b->depth > 0 && b->stack[b->depth - 1]->kind == LMB_TREE_MAP && !b->key[b->depth - 1];
}

/* Counts a node of a size, and the levels of those around it. */
static lmb_status count(builder *b, const lmb_tree *node, lmb_place place, int size)
{
    if (b->depth + node->height > DEEPEST)
        return lmb_fail_at(b->context, place, "nested more than %d deep", DEEPEST);
    if (size > MOST_NODES - b->written)
        return lmb_fail_at(b->context, place,
                           "the file has more than %d values, those that aliases stand for "
                           "among them",
                           MOST_NODES);
    b->written += size;
    if (b->depth > 0 && b->stack[b->depth - 1]->height <= node->height)
        b->stack[b->depth - 1]->height = node->height + 1;
    return LMB_OK;
}

/* Puts a finished or just opened node with its anchor (or NULL) where it belongs. An anchor at a
 * key names the value behind it. */
static lmb_status attach(builder *b, lmb_tree *node, const char *anchor)
{
    if (b->depth == 0) {
        b->root = node;
        return name_node(b, anchor, node);
    }
    lmb_tree *parent = b->stack[b->depth - 1];
    lmb_tree **key = &b->key[b->depth - 1];
    const char **value_name = &b->name_of_value[b->depth - 1];
    if (!expects_key(b)) {
        lmb_tree *name = *key; /* NULL in a list */
        *key = NULL;
        if (!lmb_tree_add(b->arena, parent, name, node))
            return lmb_fail_memory(b->context);
        lmb_status status = name ? name_node(b, *value_name, node) : LMB_OK;
        *value_name = NULL;
        return status ? status : name_node(b, anchor, node);
    }
    if (node->kind != LMB_TREE_TEXT)
        return lmb_fail_at(b->context, node->place, "a key must be a plain word");
    int twin = lmb_tree_find(parent, node->text);
    if (twin >= 0)
        return lmb_fail_at(b->context, node->place,
                           "'%s' is given twice; the first one is on line %d", node->text,
                           parent->keys[twin]->place.line);
    *key = node;
    *value_name = anchor;
    return LMB_OK;
}

/* The name of an anchor; NULL for none, and where the arena is out of memory. */
static const char *anchor_name(builder *b, struct fy_token *anchor)
{
    size_t length = 0;
    const char *text = anchor ? fy_token_get_text(anchor, &length) : NULL;
    return text ? lmb_text_copy(b->arena, text, length) : NULL;
}

/* Where a text stands; of a value left out, where its key is. */
static lmb_place scalar_place(const builder *b, struct fy_event *event, const char *text,
                              size_t length)
{
    if (b->depth > 0 && length == 0 && b->key[b->depth - 1])
        return b->key[b->depth - 1]->place;
    return place_at(b, fy_event_start_mark(event), lmb_text_characters(text, length));
}

/* In { } and [ ] a comma ends a value, also the comma between the arguments of a function. */
static lmb_status check_parentheses(builder *b, const lmb_tree *node, const struct fy_mark *end)
{
    int open = 0;
    for (const char *c = node->text; *c; c++)
        open += (*c == '(') - (*c == ')');
    if (open <= 0 || node->quoted || b->depth == 0 || !b->flow[b->depth - 1])
        return LMB_OK;
    lmb_fail_at(b->context, node->place, "'%s' has an unclosed '('", node->text);
    if (end && b->text[end->input_pos] == ',')
        lmb_hint(b->context, "in { } and [ ] a comma ends a value: write the expression in quotes");
    return LMB_BAD_INPUT;
}

static lmb_status add_scalar(builder *b, struct fy_event *event)
{
    struct fy_token *token = event->scalar.value;
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : "";
    if (memchr(text ? text : "", 0, length))
        return lmb_fail_at(b->context, place_at(b, fy_event_start_mark(event), 1),
                           "a zero character stands in a text");
    lmb_tree *node = lmb_tree_new(b->arena, LMB_TREE_TEXT, scalar_place(b, event, text, length));
    char *copy = node ? lmb_text_copy(b->arena, text ? text : "", length) : NULL;
    if (!copy)
        return lmb_fail_memory(b->context);
    node->text = copy;
    node->number = ++b->nodes;
    node->size = 1;
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    node->quoted = style != FYSS_PLAIN;
    const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    if (start && end)
        node->exact = start->line == end->line && end->input_pos - start->input_pos == length;
    if (style == FYSS_PLAIN && (strcmp(copy, "~") == 0 || strcmp(copy, "null") == 0))
        node->text = "";
    lmb_status status = check_parentheses(b, node, end);
    if (!status)
        status = count(b, node, node->place, 1);
    return status ? status : attach(b, node, anchor_name(b, event->scalar.anchor));
}

static lmb_status add_alias(builder *b, struct fy_event *event)
{
    size_t length = 0;
    const char *text = fy_token_get_text(event->alias.anchor, &length);
    char *name = lmb_text_copy(b->arena, text, length);
    if (!name)
        return lmb_fail_memory(b->context);
    lmb_place place = place_at(b, fy_event_start_mark(event), (int)length + 1);
    place.column -= place.column > 1; /* the mark is behind the '*' */
    lmb_tree *target = lmb_tree_get(b->anchors, name);
    if (!target)
        return lmb_fail_at(b->context, place, "'*%s' has no anchor '&%s' before it", name, name);
    for (int i = 0; i < b->depth; i++)
        if (b->stack[i] == target)
            return lmb_fail_at(b->context, place, "'*%s' would contain itself", name);
    lmb_status status = count(b, target, place, target->size);
    return status ? status : attach(b, target, NULL);
}

static lmb_status open_node(builder *b, struct fy_event *event, lmb_tree_kind kind)
{
    lmb_place place = place_at(b, fy_event_start_mark(event), 1);
    if (b->depth == DEEPEST)
        return lmb_fail_at(b->context, place, "nested more than %d deep", DEEPEST);
    lmb_tree *node = lmb_tree_new(b->arena, kind, place);
    if (!node)
        return lmb_fail_memory(b->context);
    node->number = ++b->nodes;
    struct fy_token *anchor =
        kind == LMB_TREE_MAP ? event->mapping_start.anchor : event->sequence_start.anchor;
    lmb_status status = count(b, node, place, 1);
    if (status || (status = attach(b, node, anchor_name(b, anchor))))
        return status;
    b->key[b->depth] = NULL;
    b->name_of_value[b->depth] = NULL;
    b->flow[b->depth] = fy_event_get_node_style(event) == FYNS_FLOW;
    b->before[b->depth] = b->written - 1;
    b->stack[b->depth++] = node;
    return LMB_OK;
}

/* Ends the innermost list or map; those around it become as high as it makes them. */
static void close_node(builder *b)
{
    lmb_tree *node = b->stack[--b->depth];
    node->size = b->written - b->before[b->depth];
    if (b->depth > 0 && b->stack[b->depth - 1]->height <= node->height)
        b->stack[b->depth - 1]->height = node->height + 1;
}

/* One event; *done is set at the end of the file. */
static lmb_status take(builder *b, struct fy_event *event, bool *done)
{
    switch (event->type) {
    case FYET_SCALAR:
        return add_scalar(b, event);
    case FYET_ALIAS:
        return add_alias(b, event);
    case FYET_MAPPING_START:
        return open_node(b, event, LMB_TREE_MAP);
    case FYET_SEQUENCE_START:
        return open_node(b, event, LMB_TREE_LIST);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        close_node(b);
        return LMB_OK;
    case FYET_DOCUMENT_START:
        if (b->root)
            return lmb_fail_at(b->context, place_at(b, fy_event_start_mark(event), 3),
                               "a second document begins here; a model file has only one");
        return LMB_OK;
    case FYET_STREAM_END:
        *done = true;
        return LMB_OK;
    default:
        return LMB_OK;
    }
}

/* Turns the first complaint of the YAML parser into a message of ours. */
static lmb_status report(builder *b)
{
    struct fy_diag *diag = fy_parser_get_diag(b->parser);
    void *iterator = NULL;
    struct fy_diag_error *error = diag ? fy_diag_errors_iterate(diag, &iterator) : NULL;
    lmb_place place = {b->name, b->text, 1, 1, 1};
    if (error && error->line > 0) {
        place.line = error->line;
        place.column = error->column > 0 ? error->column : 1;
    }
    const char *message = error && error->msg ? error->msg : "it cannot be read";
    lmb_fail_at(b->context, place, "this is not correct YAML: %s", message);
    if (strstr(message, "tab "))
        lmb_hint(b->context, "use blanks instead of tabs at the beginning of a line");
    else if (strstr(message, "quoted"))
        lmb_hint(b->context, "is a closing quote missing?");
    else if (strstr(message, "flow"))
        lmb_hint(b->context, "is a bracket '}' or ']' or a comma missing here or above?");
    fy_diag_unref(diag);
    return LMB_BAD_INPUT;
}

static lmb_status parse(builder *b)
{
    bool done = false;
    while (!done) {
        struct fy_event *event = fy_parser_parse(b->parser);
        if (!event)
            return report(b);
        lmb_status status = take(b, event, &done);
        fy_parser_event_free(b->parser, event);
        if (status)
            return status;
    }
    if (!b->root) {
        lmb_place place = {b->name, b->text, 1, 1, 1};
        return lmb_fail_at(b->context, place, "the file is empty");
    }
    return lmb_check_memory(b->context, b->arena);
}

/* The text must be UTF-8. Other control characters than tabs and ends of lines would only be
 * invisible. */
static lmb_status check_characters(const builder *b)
{
    lmb_place place = {b->name, b->text, 1, 1, 1};
    for (const char *c = b->text; *c;) {
        unsigned code;
        size_t length = lmb_utf8_scan(c, &code);
        if (length == 0) {
            lmb_fail_at(b->context, place, "byte %02X (hexadecimal) is not UTF-8 here",
                        (unsigned char)*c);
            return lmb_hint(b->context, "save the file in the encoding UTF-8");
        }
        bool control = code < ' ' || (code >= 0x7f && code < 0xa0 && code != 0x85);
        if ((control && !strchr("\t\r\n", *c)) || code == 0xfffe || code == 0xffff)
            return lmb_fail_at(b->context, place, "unexpected character with code %u", code);
        place.line += *c == '\n';
        place.column = *c == '\n' ? 1 : place.column + 1;
        c += length;
    }
    return LMB_OK;
}

/* What the YAML library would print on its own. */
static void ignore(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

lmb_status lmb_yaml_parse(lmb_tree **out, lmb_context *context, lmb_arena *arena, const char *name,
                          const char *text)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.output_fn = ignore;
    struct fy_diag *diag = fy_diag_create(&quiet);
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET, .diag = diag};
    builder b = {.context = context, .arena = arena, .name = name, .text = text};
    *out = NULL;
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    b.anchors = lmb_tree_new(arena, LMB_TREE_MAP, (lmb_place){0});
    b.parser = b.anchors && diag ? fy_parser_create(&config) : NULL;
    lmb_status status = b.parser ? check_characters(&b) : lmb_fail_memory(context);
    if (!status && fy_parser_set_string(b.parser, text, strlen(text)))
        status = lmb_fail_memory(context);
    if (!status)
        status = parse(&b);
    fy_parser_destroy(b.parser);
    fy_diag_destroy(diag); /* frees what was collected, which the parser does not */
    *out = b.root;
    if (b.root)
        b.root->number = b.nodes;
    return status;
}
