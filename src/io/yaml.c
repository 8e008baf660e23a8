/* Reads YAML with libfyaml's stream of events and builds the tree of nodes. */
#include "io/yaml.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { DEEPEST = 64 };
static const long largest_file = 64L << 20;

typedef struct builder {
    lmb_context *context;
    lmb_arena *arena;
    const char *name, *text;
    struct fy_parser *parser;
    lmb_node *root;
    lmb_node *stack[DEEPEST]; /* open lists and maps */
    lmb_node *key[DEEPEST];   /* the key that waits for its value */
    int depth;
    lmb_node *anchors; /* a map of the named nodes */
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

/* Puts a finished or just opened node where it belongs. */
static lmb_status attach(builder *b, lmb_node *node)
{
    if (b->depth == 0) {
        b->root = node;
        return LMB_OK;
    }
    lmb_node *parent = b->stack[b->depth - 1];
    lmb_node **key = &b->key[b->depth - 1];
    if (parent->kind == LMB_NODE_LIST)
        return lmb_node_add(b->arena, parent, NULL, node) ? LMB_OK : lmb_fail_memory(b->context);
    if (*key) {
        lmb_node *name = *key;
        *key = NULL;
        return lmb_node_add(b->arena, parent, name, node) ? LMB_OK : lmb_fail_memory(b->context);
    }
    if (node->kind != LMB_NODE_TEXT)
        return lmb_fail_at(b->context, node->place, "a key must be a plain word");
    int twin = lmb_node_find(parent, node->text);
    if (twin >= 0)
        return lmb_fail_at(b->context, node->place,
                           "'%s' is given twice; the first one is on line %d", node->text,
                           parent->keys[twin]->place.line);
    *key = node;
    return LMB_OK;
}

static lmb_status add_scalar(builder *b, struct fy_event *event)
{
    struct fy_token *token = event->scalar.value;
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : "";
    if (memchr(text ? text : "", 0, length))
        return lmb_fail_at(b->context, place_at(b, fy_event_start_mark(event), 1),
                           "a zero character stands in a text");
    lmb_node *node =
        lmb_node_new(b->arena, LMB_NODE_TEXT, place_at(b, fy_event_start_mark(event), (int)length));
    char *copy = node ? lmb_text_copy(b->arena, text ? text : "", length) : NULL;
    if (!copy)
        return lmb_fail_memory(b->context);
    node->text = copy;
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    node->quoted = style != FYSS_PLAIN;
    if (style == FYSS_PLAIN && (strcmp(copy, "~") == 0 || strcmp(copy, "null") == 0))
        node->text = "";
    return attach(b, node);
}

/* Remembers a node under its anchor (&name). */
static lmb_status name_anchor(builder *b, struct fy_token *anchor, lmb_node *node)
{
    if (!anchor)
        return LMB_OK;
    size_t length = 0;
    const char *text = fy_token_get_text(anchor, &length);
    lmb_node *key = lmb_node_new(b->arena, LMB_NODE_TEXT, node->place);
    char *copy = key ? lmb_text_copy(b->arena, text, length) : NULL;
    if (!copy)
        return lmb_fail_memory(b->context);
    key->text = copy;
    int known = lmb_node_find(b->anchors, copy);
    if (known >= 0)
        b->anchors->items[known] = node;
    else if (!lmb_node_add(b->arena, b->anchors, key, node))
        return lmb_fail_memory(b->context);
    return LMB_OK;
}

static lmb_status add_alias(builder *b, struct fy_event *event)
{
    size_t length = 0;
    const char *text = fy_token_get_text(event->alias.anchor, &length);
    char *name = lmb_text_copy(b->arena, text, length);
    if (!name)
        return lmb_fail_memory(b->context);
    lmb_place place = place_at(b, fy_event_start_mark(event), (int)length + 1);
    lmb_node *target = lmb_node_get(b->anchors, name);
    if (!target)
        return lmb_fail_at(b->context, place, "'*%s' has no anchor '&%s' before it", name, name);
    for (int i = 0; i < b->depth; i++)
        if (b->stack[i] == target)
            return lmb_fail_at(b->context, place, "'*%s' would contain itself", name);
    return attach(b, target);
}

static lmb_status open_node(builder *b, struct fy_event *event, lmb_node_kind kind)
{
    lmb_place place = place_at(b, fy_event_start_mark(event), 1);
    if (b->depth == DEEPEST)
        return lmb_fail_at(b->context, place, "nested more than %d deep", DEEPEST);
    lmb_node *node = lmb_node_new(b->arena, kind, place);
    if (!node)
        return lmb_fail_memory(b->context);
    lmb_status status = attach(b, node);
    if (status)
        return status;
    b->key[b->depth] = NULL;
    b->stack[b->depth++] = node;
    struct fy_token *anchor =
        kind == LMB_NODE_MAP ? event->mapping_start.anchor : event->sequence_start.anchor;
    return name_anchor(b, anchor, node);
}

/* One event; *done is set at the end of the document. */
static lmb_status take(builder *b, struct fy_event *event, bool *done)
{
    switch (event->type) {
    case FYET_SCALAR: {
        lmb_status status = add_scalar(b, event);
        lmb_node *parent = b->depth ? b->stack[b->depth - 1] : NULL;
        if (status || !event->scalar.anchor || !parent || parent->count == 0)
            return status;
        return name_anchor(b, event->scalar.anchor, parent->items[parent->count - 1]);
    }
    case FYET_ALIAS:
        return add_alias(b, event);
    case FYET_MAPPING_START:
        return open_node(b, event, LMB_NODE_MAP);
    case FYET_SEQUENCE_START:
        return open_node(b, event, LMB_NODE_LIST);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        b->depth--;
        return LMB_OK;
    case FYET_DOCUMENT_END:
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
    lmb_fail_at(b->context, place, "this is not YAML: %s",
                error && error->msg ? error->msg : "it cannot be read");
    if (strchr(b->text, '\t'))
        lmb_hint(b->context, "YAML wants blanks, not tabs, at the beginning of a line");
    if (diag)
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
    return LMB_OK;
}

lmb_status lmb_yaml_parse(lmb_node **out, lmb_context *context, lmb_arena *arena, const char *name,
                          const char *text)
{
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG};
    builder b = {.context = context, .arena = arena, .name = name, .text = text};
    *out = NULL;
    b.anchors = lmb_node_new(arena, LMB_NODE_MAP, (lmb_place){0});
    b.parser = b.anchors ? fy_parser_create(&config) : NULL;
    if (!b.parser)
        return lmb_fail_memory(context);
    lmb_status status =
        fy_parser_set_string(b.parser, text, strlen(text)) ? lmb_fail_memory(context) : parse(&b);
    fy_parser_destroy(b.parser);
    *out = b.root;
    return status;
}

lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    size_t room = 1 << 14, used = 0;
    char *text = lmb_arena_alloc(arena, room, 1);
    lmb_status status = text ? LMB_OK : lmb_fail_memory(context);
    while (!status) {
        used += fread(text + used, 1, room - used - 1, file);
        if (ferror(file))
            status = lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
        else if (used + 1 < room)
            break;
        else if ((long)used > largest_file)
            status = lmb_fail(context, LMB_BAD_INPUT,
                              "'%s' is larger than a model file can be "
                              "(%ld MiB)",
                              path, largest_file >> 20);
        else if (!(text = lmb_arena_grow(arena, text, used, 2 * room, 1)))
            status = lmb_fail_memory(context);
        else
            room *= 2;
    }
    fclose(file);
    if (!status && memchr(text, 0, used))
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    *out = text;
    return status;
}
