/* The fields of an item: each by its kind, and unknown keys; sections of items, and their names. */
#include "read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static lmb_status check_range(lmb_reader *r, const lmb_field *f, const lmb_value *v)
{
    int count = f->type == LMB_FIELD_NUMBER ? 1 : v->size;
    const double *x = f->type == LMB_FIELD_NUMBER ? &v->number : v->numbers;
    double norm = 0;
    for (int i = 0; i < count; i++) {
        norm += fabs(x[i]);
        if ((f->range == LMB_POSITIVE && !(x[i] > 0)) || (f->range == LMB_NOT_NEGATIVE && x[i] < 0))
            return lmb_fail_at(r->context, v->place, "'%s' must be %s, but is %g", f->name,
                               f->range == LMB_POSITIVE ? "positive" : "zero or positive", x[i]);
    }
    if (f->range == LMB_NOT_ZERO && norm == 0)
        return lmb_fail_at(r->context, v->place, "'%s' must not be zero", f->name);
    return LMB_OK;
}

/* Takes the first word off a list separated by blanks: its length, or 0 at the end of the list. */
static size_t next_word(const char **list, const char **word)
{
    *word = *list;
    size_t length = *list ? strcspn(*list, " ") : 0;
    if (length)
        *list += length + ((*list)[length] == ' ');
    return length;
}

/* The same as a text of its own; NULL at its end, or out of memory. */
static const char *take_word(lmb_reader *r, const char **list)
{
    const char *word;
    size_t length = next_word(list, &word);
    return length ? lmb_text_copy(r->arena, word, length) : NULL;
}

/* The number of a word in a list, or -1. */
static int find_in_list(const char *list, const char *wanted)
{
    const char *word;
    size_t length, own = strlen(wanted);
    for (int i = 0; (length = next_word(&list, &word)) > 0; i++)
        if (length == own && strncmp(word, wanted, length) == 0)
            return i;
    return -1;
}

/* The word that is meant: the text, or what `if(condition, word, word)` chooses. */
static lmb_status find_word(lmb_reader *r, const lmb_tree *node, const char *name, const char **out)
{
    const char *text = node->text, *last = strrchr(text, ','), *first = last;
    while (first && first > text && *--first != ',')
        ;
    *out = text;
    if (strncmp(text, "if(", 3) != 0 || !last || *first != ',' || text[strlen(text) - 1] != ')')
        return LMB_OK;
    lmb_tree condition = *node;
    double value = 0;
    condition.number = 0;
    condition.text = lmb_text_copy(r->arena, text + 3, (size_t)(first - text) - 3);
    condition.place.column += 3;
    lmb_status status = lmb_check_memory(r->context, r->arena);
    if (status || (status = lmb_read_number(r, &condition, name, &value)))
        return status;
    const char *word = (value != 0 ? first : last) + 1;
    word += strspn(word, " ");
    *out = lmb_text_copy(r->arena, word, strcspn(word, " ,)"));
    return lmb_check_memory(r->context, r->arena);
}

/* One of the words of a choice, by number. */
static lmb_status read_choice(lmb_reader *r, const lmb_tree *node, const lmb_field *f, lmb_value *v)
{
    const char *rest = f->choices, *word, *known = "", *wanted;
    lmb_status status = find_word(r, node, f->name, &wanted);
    if (status)
        return status;
    int found = find_in_list(f->choices, wanted);
    if (found >= 0) {
        v->choice = found;
        return LMB_OK;
    }
    lmb_nearest nearest = lmb_nearest_start(wanted);
    for (v->choice = 0; (word = take_word(r, &rest)); v->choice++) {
        lmb_nearest_try(&nearest, word);
        known = lmb_text_format(r->arena, "%s%s%s", known,
                                v->choice == 0 ? ""
                                : *rest        ? ", "
                                               : " or ",
                                word);
    }
    if ((status = lmb_check_memory(r->context, r->arena)))
        return status;
    lmb_fail_at(r->context, node->place, "'%s' cannot be '%s', only %s", f->name, wanted, known);
    return lmb_nearest_hint(r->context, &nearest);
}

/* true or on, false or off, a parameter or an expression of some: zero is false. */
static lmb_status read_flag(lmb_reader *r, const lmb_tree *node, const lmb_field *f, lmb_value *v)
{
    v->number = strcmp(node->text, "true") == 0 || strcmp(node->text, "on") == 0;
    if (v->number || strcmp(node->text, "false") == 0 || strcmp(node->text, "off") == 0)
        return LMB_OK;
    if (strpbrk(node->text, "=<>!+*/("))
        return lmb_read_number(r, node, f->name, &v->number);
    for (int i = 0; i < r->parameter_count; i++)
        if (strcmp(r->parameters[i].name, node->text) == 0)
            return lmb_read_number(r, node, f->name, &v->number);
    return lmb_fail_at(r->context, node->place, "'%s' must be true or false, not '%s'", f->name,
                       node->text);
}

/* A choice or a flag, or any text as it is. */
static lmb_status read_word(lmb_reader *r, const lmb_tree *node, const lmb_field *f, lmb_value *v)
{
    lmb_uses uses;
    lmb_note before = lmb_note_start(r);
    lmb_status status = f->type == LMB_FIELD_CHOICE ? read_choice(r, node, f, v)
                        : f->type == LMB_FIELD_FLAG ? read_flag(r, node, f, v)
                                                    : LMB_OK;
    lmb_note_end(r, before, &uses);
    if (r->keep)
        r->keep->choices |= uses;
    return status;
}

static lmb_status read_value(lmb_reader *r, const lmb_tree *node, const lmb_field *f, lmb_value *v)
{
    v->given = true;
    v->place = node->place;
    v->node = node;
    v->text = node->text;
    lmb_status status = LMB_OK;
    if (f->dimension && f->dimension != r->dimension)
        return lmb_fail_at(r->context, node->place, "'%s' is for %s only", f->name,
                           f->dimension == 2 ? "models in the plane" : "models in space");
    switch (f->type) {
    case LMB_FIELD_NUMBER:
        status = lmb_read_number(r, node, f->name, &v->number);
        break;
    case LMB_FIELD_VECTOR:
        v->size = r->dimension;
        status = lmb_read_vector(r, node, f->name, v->size, v->numbers);
        break;
    case LMB_FIELD_NUMBERS:
        status = lmb_read_numbers(r, node, f->name, 9, v->numbers, &v->size);
        break;
    case LMB_FIELD_LAW:
        return lmb_read_law(r, node, f->name, &v->law);
    case LMB_FIELD_CHOICE:
    case LMB_FIELD_NAME:
    case LMB_FIELD_TEXT:
    case LMB_FIELD_FLAG:
        if (node->kind != LMB_TREE_TEXT || (!node->text[0] && !node->quoted))
            return lmb_fail_kind(r, node, f->name, "a word");
        return read_word(r, node, f, v);
    case LMB_FIELD_JOINTS:
        return r->hooks->refer(r, node, v);
    case LMB_FIELD_END:
    case LMB_FIELD_ENDS:
    case LMB_FIELD_TREE:
        return LMB_OK; /* read by their own code */
    }
    return status ? status : check_range(r, f, v);
}

/* Reports a key that does not exist; returns the field that it may be meant for, or NULL. */
static const char *unknown_key(lmb_reader *r, const lmb_tree *key, const lmb_field *fields,
                               const char *what, const char *skip)
{
    const char *known = "", *word;
    lmb_nearest nearest = lmb_nearest_start(key->text);
    lmb_fail_at(r->context, key->place, "%s has no key '%s'", what, key->text);
    for (const lmb_field *f = fields; f->name; f++) {
        lmb_nearest_try(&nearest, f->name);
        known = lmb_text_format(r->arena, "%s%s%s", known, f == fields ? "" : ", ", f->name);
    }
    if (skip && *skip)
        known = lmb_text_format(r->arena, "%s, %s", known, skip);
    while ((word = take_word(r, &skip)))
        lmb_nearest_try(&nearest, word);
    if (nearest.best)
        lmb_nearest_hint(r->context, &nearest);
    else if (known && *known)
        lmb_hint(r->context, "it may have %s", known);
    return nearest.best;
}

int lmb_field_count(const lmb_field *fields)
{
    int count = 0;
    while (fields[count].name)
        count++;
    return count;
}

const lmb_field *lmb_find_field(const lmb_field *fields, const char *name)
{
    for (const lmb_field *f = fields; f && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

lmb_status lmb_read_values(lmb_reader *r, const lmb_tree *map, const lmb_field *fields,
                           const char *what, const char *skip, lmb_value *values)
{
    lmb_status status = LMB_OK;
    const char *meant = NULL;
    int count = lmb_field_count(fields);
    for (int k = 0; k < count; k++)
        values[k] = (lmb_value){
            .place = map->place,
            .text = "",
            .number = fields[k].otherwise,
            .choice = fields[k].type == LMB_FIELD_CHOICE ? (int)fields[k].otherwise : 0};
    if (map->kind != LMB_TREE_MAP)
        return lmb_fail_at(r->context, map->place, "%s must be a map of keys, not %s", what,
                           lmb_tree_kind_name(map));
    for (int i = 0; i < map->count; i++) {
        const lmb_tree *key = map->keys[i];
        const lmb_field *f = lmb_find_field(fields, key->text);
        if (f && read_value(r, map->items[i], f, &values[f - fields])) {
            status = LMB_BAD_INPUT;
        } else if (!f && find_in_list(skip, key->text) < 0) {
            meant = unknown_key(r, key, fields, what, skip);
            status = LMB_BAD_INPUT;
        }
    }
    for (int k = 0; k < count; k++)
        if (fields[k].required && !values[k].given && meant != fields[k].name) {
            status =
                lmb_fail_at(r->context, map->place, "%s needs the key '%s'", what, fields[k].name);
            lmb_hint(r->context, "%s: %s", fields[k].name, fields[k].doc);
        }
    return status;
}

/* The value of a field, into its member of a struct. */
static void fill(const lmb_field *f, const lmb_value *v, void *member)
{
    if (f->size == sizeof *v) {
        *(lmb_value *)member = *v;
        return;
    }
    switch (f->type) {
    case LMB_FIELD_NUMBER:
        *(double *)member = v->number;
        break;
    case LMB_FIELD_FLAG:
        *(bool *)member = v->number != 0;
        break;
    case LMB_FIELD_VECTOR:
    case LMB_FIELD_NUMBERS:
        memcpy(member, v->numbers, f->size);
        break;
    case LMB_FIELD_CHOICE:
        *(int *)member = v->choice;
        break;
    case LMB_FIELD_LAW:
        *(const lmb_expr **)member = v->law;
        break;
    case LMB_FIELD_TEXT:
    case LMB_FIELD_NAME:
        *(const char **)member = v->given ? v->text : NULL;
        break;
    case LMB_FIELD_JOINTS:
        memcpy(member, v->items, sizeof v->items);
        break;
    case LMB_FIELD_END:
    case LMB_FIELD_ENDS:
    case LMB_FIELD_TREE:
        *(const lmb_tree **)member = v->node;
        break;
    }
}

void lmb_fill_fields(const lmb_field *fields, const lmb_value *values, void *out)
{
    for (int k = 0; fields[k].name; k++)
        if (fields[k].size)
            fill(&fields[k], &values[k], (char *)out + fields[k].offset);
}

lmb_status lmb_read_fields(lmb_reader *r, const lmb_tree *map, const lmb_field *fields,
                           const char *what, const char *skip, void *out)
{
    lmb_value values[LMB_MOST_FIELDS];
    lmb_status status = lmb_read_values(r, map, fields, what, skip, values);
    lmb_fill_fields(fields, values, out);
    return status;
}

lmb_status lmb_read_section(lmb_reader *r, const lmb_tree *section, const char *name,
                            const char *kind, const char *things, lmb_entry_function *read,
                            void *user)
{
    char text[96];
    lmb_status status = lmb_check_memory(r->context, r->arena);
    if (status || lmb_tree_is_empty(section))
        return status;
    if (section->kind != LMB_TREE_MAP) {
        r->incomplete = true;
        lmb_snprintf(text, sizeof text, "a map of names to %s", things);
        return lmb_fail_kind(r, section, name, text);
    }
    for (int i = 0; i < section->count; i++) {
        lmb_entry entry = {section->keys[i], section->items[i], text};
        lmb_snprintf(text, sizeof text, "%s '%.60s'", kind, entry.key->text);
        if (lmb_check_name(r, entry.key, kind) || read(r, &entry, user))
            status = LMB_BAD_INPUT;
    }
    return status;
}

lmb_place lmb_key_place(const lmb_tree *map, const char *key)
{
    const lmb_tree *value = lmb_tree_get(map, key);
    return value ? value->place : map->place;
}

/* --- names ------------------------------------------------------------------------------------ */

lmb_status lmb_check_name(lmb_reader *r, const lmb_tree *key, const char *what)
{
    const char *c = key->text;
    bool fine = lmb_is_letter(*c) || *c == '_';
    for (; *c; c++)
        fine = fine && (lmb_is_letter_or_digit(*c) || *c == '_' || *c == '-');
    if (!fine) {
        lmb_fail_at(r->context, key->place, "'%s' cannot be the name of a%s %s", key->text,
                    strchr("aei", what[0]) ? "n" : "", what);
        return lmb_hint(
            r->context,
            strchr(key->text, '{')
                ? "braces are for entries with the key 'repeat'"
                : "use letters (a to z, A to Z), digits, '_' and '-', beginning with a letter");
    }
    static const char *const reserved[] = {"ground", "time", "energy", "constraints", "model"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(key->text, reserved[i]) == 0) {
            lmb_fail_at(r->context, key->place, "the name '%s' is reserved", key->text);
            if (i == 0)
                lmb_hint(r->context, "the ground is always there; its points stand in the section "
                                     "'ground' of the model");
            return LMB_BAD_INPUT;
        }
    return LMB_OK;
}

const char *lmb_beside_file(lmb_reader *r, const char *path)
{
    const char *slash = strrchr(r->spec->file, '/');
    if (path[0] == '/' || !slash)
        return path;
    return lmb_text_format(r->arena, "%.*s/%s", (int)(slash - r->spec->file), r->spec->file, path);
}
