/* The settings of a flexible body as text, by which a cached one is found. */
#include <string.h>

#include "model/flexible_part.h"

lmb_status lmb_part_note(lmb_reader *r, lmb_flexible_part *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = lmb_text_vformat(r->arena, format, args);
    va_end(args);
    size_t length = text ? strlen(text) : 0;
    if (text && p->settings_used + length >= p->settings_room) {
        size_t room = 2 * (p->settings_used + length) + 256;
        char *grown = lmb_arena_grow(r->arena, p->settings, p->settings_used, room, 1);
        if (!grown)
            return lmb_fail_memory(r->context);
        p->settings = grown;
        p->settings_room = room;
    }
    if (!text)
        return lmb_fail_memory(r->context);
    memcpy(p->settings + p->settings_used, text, length + 1);
    p->settings_used += length;
    return LMB_OK;
}

/* Notes the values of a table; nodes are noted by the code that reads them. */
static lmb_status note_fields(lmb_reader *r, lmb_flexible_part *p, const char *what,
                              const lmb_field *fields, const lmb_value *values)
{
    lmb_status status = LMB_OK;
    for (int k = 0; fields[k].name && !status; k++) {
        const lmb_value *v = &values[k];
        bool numbers = fields[k].type == LMB_FIELD_VECTOR || fields[k].type == LMB_FIELD_NUMBERS;
        bool number = fields[k].type == LMB_FIELD_NUMBER || fields[k].type == LMB_FIELD_FLAG;
        if (number && (v->given || v->number != 0))
            status = lmb_part_note(r, p, "%s.%s: %.17g\n", what, fields[k].name, v->number);
        else if (numbers && v->given)
            for (int i = 0; i < v->size && !status; i++)
                status = lmb_part_note(r, p, "%s.%s.%d: %.17g\n", what, fields[k].name, i + 1,
                                       v->numbers[i]);
        else if (fields[k].type != LMB_FIELD_TREE && v->given)
            status = lmb_part_note(r, p, "%s.%s: %s\n", what, fields[k].name, v->text);
    }
    return status;
}

lmb_status lmb_part_read(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                         const lmb_field *fields, const char *what, void *out)
{
    lmb_value values[LMB_MOST_FIELDS];
    lmb_status status = lmb_read_values(r, node, fields, what, NULL, values);
    lmb_fill_fields(fields, values, out);
    return status ? status : note_fields(r, p, what, fields, values);
}
