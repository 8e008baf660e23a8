/* Grouping of channels by quantities, and the table of channels. */
#include "result/quantities.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"
#include "channels/component.h"

#define TABLE "channels"

enum { LEAST_DEFLATED = 256 /* lines of a table that is worth it */ };

/* --- grouping --------------------------------------------------------------------------------- */

/* While channels are grouped: dictionaries of the quantities' words, with the newest data set of
 * each, and of the names of data sets. */
typedef struct grouping {
    lmb_arena *arena;
    lmb_quantities *out;
    lmb_names words, names;
    int *earlier; /* for each data set, the one before with the same word, or -1 */
} grouping;

/* The last word of a name. */
static const char *word_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot[1] ? dot + 1 : name;
}

static bool alike(const lmb_quantity *q, const lmb_channel *c)
{
    return q->columns == lmb_channel_columns(c) && strcmp(q->unit, c->unit) == 0 &&
           strcmp(q->components, c->components) == 0 && strcmp(q->doc, c->doc) == 0;
}

static char *copy(lmb_arena *arena, const char *text)
{
    return lmb_text_copy(arena, text, strlen(text));
}

/* A name that no other data set has. */
static const char *free_name(grouping *g, const char *word)
{
    const char *name = copy(g->arena, word);
    for (int n = 2; name && lmb_names_find(&g->names, name, strlen(name)); n++)
        name = lmb_text_format(g->arena, "%s_%d", word, n);
    return name;
}

/* Starts a data set for a channel. */
static int add_quantity(grouping *g, const char *word, const lmb_channel *c, int earlier)
{
    lmb_quantities *out = g->out;
    int index = out->count;
    out->list = lmb_arena_append(g->arena, out->list, index, sizeof *out->list);
    g->earlier = lmb_arena_append(g->arena, g->earlier, index, sizeof *g->earlier);
    const char *name = free_name(g, word);
    if (!name || !lmb_arena_fine(g->arena))
        return -1;
    out->list[index] = (lmb_quantity){
        name, copy(g->arena, c->unit), copy(g->arena, c->doc), copy(g->arena, c->components),
        0,    lmb_channel_columns(c)};
    g->earlier[index] = earlier;
    out->count++;
    lmb_names_add(&g->names, g->arena, name, 0, index);
    lmb_names_add(&g->words, g->arena, word, 0, index);
    return lmb_arena_fine(g->arena) ? index : -1;
}

bool lmb_quantities_of(lmb_quantities *out, lmb_arena *arena, int count,
                       const lmb_channel *channels)
{
    *out = (lmb_quantities){0};
    out->slots = lmb_arena_alloc(arena, (size_t)count, sizeof *out->slots);
    grouping g = {.arena = arena, .out = out};
    for (int i = 0; lmb_arena_fine(arena) && i < count; i++) {
        const char *word = word_of(channels[i].name);
        const lmb_named *newest = lmb_names_find(&g.words, word, strlen(word));
        int at = newest ? newest->index : -1, first = at;
        while (at >= 0 && !alike(&out->list[at], &channels[i]))
            at = g.earlier[at];
        if (at < 0 && (at = add_quantity(&g, word, &channels[i], first)) < 0)
            return false;
        out->slots[i] = (lmb_channel_slot){at, out->list[at].slots};
        out->list[at].slots += lmb_channel_nodes(&channels[i]);
    }
    return lmb_arena_fine(arena);
}

/* --- the table of channels -------------------------------------------------------------------- */

/* A line in memory: two texts of fixed lengths, then two numbers. */
typedef struct line_form {
    size_t name, set; /* bytes of the texts */
    size_t size;      /* and of a line */
} line_form;

static line_form form_of(size_t name, size_t set)
{
    name = name ? name : 1;
    set = set ? set : 1;
    return (line_form){name, set, name + set + 2 * sizeof(int32_t)};
}

static hid_t text_of(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* HDF5's type of a line, in the file and in memory alike. */
static hid_t type_of(line_form f)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, f.size), name = text_of(f.name), set = text_of(f.set);
    H5Tinsert(type, "name", 0, name);
    H5Tinsert(type, "set", f.name, set);
    H5Tinsert(type, "slot", f.name + f.set, H5T_STD_I32LE);
    H5Tinsert(type, "nodes", f.name + f.set + sizeof(int32_t), H5T_STD_I32LE);
    H5Tclose(name);
    H5Tclose(set);
    return type;
}

static void put_number(char *at, int value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)((uint32_t)value >> 8 * i);
}

static int get_number(const char *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value |= (uint32_t)(unsigned char)at[i] << 8 * i;
    return (int)value;
}

static char *lines_of(line_form f, int count, const lmb_channel *channels, const lmb_quantities *q)
{
    char *lines = lmb_calloc((size_t)count + 1, f.size);
    for (int i = 0; lines && i < count; i++) {
        char *line = lines + (size_t)i * f.size;
        const char *set = q->list[q->slots[i].quantity].name;
        memcpy(line, channels[i].name, strlen(channels[i].name));
        memcpy(line + f.name, set, strlen(set));
        put_number(line + f.name + f.set, q->slots[i].slot);
        put_number(line + f.name + f.set + sizeof(int32_t), lmb_channel_nodes(&channels[i]));
    }
    return lines;
}

bool lmb_channel_index_write(hid_t group, int count, const lmb_channel *channels,
                             const lmb_quantities *q)
{
    size_t name = 0, set = 0;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(channels[i].name);
        name = length > name ? length : name;
    }
    for (int i = 0; i < q->count; i++) {
        size_t length = strlen(q->list[i].name);
        set = length > set ? length : set;
    }
    line_form f = form_of(name, set);
    char *lines = lines_of(f, count, channels, q);
    hsize_t size = (hsize_t)count;
    hid_t type = type_of(f), space = H5Screate_simple(1, &size, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (count >= LEAST_DEFLATED && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        H5Pset_chunk(creation, 1, &size);
        H5Pset_deflate(creation, 1);
    }
    hid_t table = H5Dcreate2(group, TABLE, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool done = lines && table >= 0 &&
                (count == 0 || H5Dwrite(table, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, lines) >= 0);
    done = H5Dclose(table) >= 0 && done;
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    free(lines);
    return done;
}

/* The form of the lines of a table in a file; false: it is not such a table. */
static bool find_form(hid_t table, line_form *out)
{
    static const char *const members[] = {"name", "set", "slot", "nodes"};
    hid_t type = H5Dget_type(table);
    bool fine = H5Tget_class(type) == H5T_COMPOUND;
    size_t size[2] = {0, 0};
    for (int i = 0; fine && i < 4; i++) {
        int index = H5Tget_member_index(type, members[i]);
        hid_t member = index < 0 ? H5I_INVALID_HID : H5Tget_member_type(type, (unsigned)index);
        fine = H5Tget_class(member) == (i < 2 ? H5T_STRING : H5T_INTEGER) &&
               (i >= 2 || H5Tis_variable_str(member) == 0);
        if (fine && i < 2)
            size[i] = H5Tget_size(member);
        H5Tclose(member);
    }
    H5Tclose(type);
    *out = form_of(size[0], size[1]);
    return fine;
}

static bool parse(lmb_arena *arena, line_form f, const char *text, int count,
                  lmb_channel_line *lines)
{
    const char *last = "";
    for (int i = 0; i < count; i++) {
        const char *line = text + (size_t)i * f.size, *set = line + f.name;
        size_t length = strnlen(set, f.set);
        if (strncmp(last, set, length) != 0 || last[length])
            last = lmb_text_copy(arena, set, length);
        lines[i] =
            (lmb_channel_line){lmb_text_copy(arena, line, strnlen(line, f.name)), last,
                               get_number(set + f.set), get_number(set + f.set + sizeof(int32_t))};
        if (!lmb_arena_fine(arena))
            return false;
    }
    return true;
}

bool lmb_channel_index_read(hid_t group, lmb_arena *arena, int *count, lmb_channel_line **lines)
{
    hid_t table = H5Dopen2(group, TABLE, H5P_DEFAULT), space = H5Dget_space(table);
    line_form f = {0};
    hssize_t size = table >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool done = size >= 0 && size < INT32_MAX && find_form(table, &f) &&
                lmb_h5_fits(table, (hsize_t)size, f.size);
    char *text = done ? lmb_malloc((size_t)size * f.size + 1) : NULL;
    hid_t type = done ? type_of(f) : H5I_INVALID_HID;
    *count = done ? (int)size : 0;
    *lines = lmb_arena_alloc(arena, (size_t)*count, sizeof **lines);
    done = text && *lines &&
           (size == 0 || H5Dread(table, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0) &&
           parse(arena, f, text, *count, *lines);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(table);
    free(text);
    return done;
}
