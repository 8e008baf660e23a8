/* Meshes of Abaqus and CalculiX: keywords that begin with a star, and lines of data.
 *
 * Nodes, elements and sets are read here, materials and sections in mesh_inp_parts.c. A keyword
 * line that ends with a comma goes on in the next one; so does the list of nodes of an element.
 * What comes after *STEP is about loads and results and is not read. */
#include "import/mesh_inp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool lmb_inp_is(lmb_word word, const char *text)
{
    int i = 0;
    for (;;) {
        while (i < word.length && word.start[i] == ' ')
            i++;
        while (*text == ' ')
            text++;
        if (i >= word.length || !*text)
            return i >= word.length && !*text;
        if (toupper((unsigned char)word.start[i++]) != toupper((unsigned char)*text++))
            return false;
    }
}

/* --- Lines --- */

/* The next line that is not a comment and not empty. */
static bool next_line(lmb_scan *scan)
{
    while (lmb_scan_line(scan)) {
        lmb_word line = lmb_word_trim((lmb_word){scan->line, (int)(scan->end - scan->line)});
        if (line.length > 0 && !lmb_word_begins(line, "**")) {
            scan->now = line.start;
            return true;
        }
    }
    return false;
}

bool lmb_inp_data(lmb_inp *inp)
{
    lmb_scan *s = inp->draft->scan;
    if (!next_line(s))
        return false;
    if (*s->now != '*')
        return true;
    lmb_scan_again(s);
    return false;
}

void lmb_inp_skip_data(lmb_inp *inp)
{
    while (lmb_inp_data(inp))
        continue;
}

static lmb_word unquoted(lmb_word word)
{
    word = lmb_word_trim(word);
    if (word.length > 1 && *word.start == '"' && word.start[word.length - 1] == '"')
        return (lmb_word){word.start + 1, word.length - 2};
    return word;
}

/* The keyword of a line and of those that it goes on in. */
static lmb_status read_keyword(lmb_inp *inp, lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->draft->scan;
    *keyword = (lmb_inp_keyword){0};
    lmb_word field = {"", 0};
    s->now++;
    lmb_scan_field(s, &keyword->name);
    for (;;) {
        while (lmb_scan_field(s, &field)) {
            if (field.length == 0)
                continue;
            if (keyword->count == LMB_INP_PARAMETERS)
                return lmb_scan_fail(s, "a keyword has more than %d parameters",
                                     LMB_INP_PARAMETERS);
            const char *equals = memchr(field.start, '=', (size_t)field.length);
            int length = equals ? (int)(equals - field.start) : field.length;
            lmb_word value = {"", 0};
            if (equals)
                value = unquoted((lmb_word){equals + 1, field.length - length - 1});
            keyword->keys[keyword->count] = lmb_word_trim((lmb_word){field.start, length});
            keyword->values[keyword->count++] = value;
        }
        if (s->end == s->line || s->end[-1] != ',' || !lmb_inp_data(inp))
            return s->status;
    }
}

const lmb_word *lmb_inp_parameter(const lmb_inp_keyword *keyword, const char *key)
{
    for (int i = 0; i < keyword->count; i++)
        if (lmb_inp_is(keyword->keys[i], key))
            return &keyword->values[i];
    return NULL;
}

lmb_word lmb_inp_need(lmb_inp *inp, const lmb_inp_keyword *keyword, const char *key)
{
    const lmb_word *found = lmb_inp_parameter(keyword, key);
    if (found && found->length > 0)
        return *found;
    lmb_scan_fail(inp->draft->scan, "*%.*s has no %s=", keyword->name.length, keyword->name.start,
                  key);
    return (lmb_word){"", 0};
}

/* --- Nodes and elements --- */

static lmb_status read_nodes(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->draft->scan;
    const lmb_word *set = lmb_inp_parameter(keyword, "NSET");
    const lmb_word *system = lmb_inp_parameter(keyword, "SYSTEM");
    if (system && !lmb_inp_is(*system, "R"))
        return lmb_scan_fail(s, "nodes in cylindrical or spherical coordinates are not supported");
    while (lmb_inp_data(inp)) {
        double x[3] = {0};
        lmb_word field;
        int number = lmb_scan_integer(s, "the number of a node");
        for (int i = 0; i < 3 && lmb_scan_field(s, &field); i++)
            lmb_scan_optional(s, field, "a coordinate", &x[i]);
        lmb_draft_add_node(inp->draft, number, x);
        if (set)
            lmb_draft_add_to_set(inp->draft, *set, false, number);
    }
    return s->status;
}

typedef struct type {
    const char *name;
    lmb_element_kind kind; /* LMB_ELEMENT_KINDS: makes sets only */
    int nodes;
    bool reduced;
} type;

/* Surfaces and rods, as meshing programs write them to make sets: names with a number of nodes. */
static int surface_nodes(lmb_word name)
{
    static const char *const families[] = {"T3D", "CPS", "CPE", "SFM3D", "M3D", "STRI", "S"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        int length = (int)strlen(families[i]);
        if (lmb_word_begins(name, families[i]) && name.length > length &&
            strchr("234689", name.start[length]))
            return name.start[length] - '0';
    }
    return 0;
}

/* What an element type is; one of no nodes is not supported. */
static type find_type(lmb_word name)
{
    static const type types[] = {
        {"C3D4", LMB_TET4, 4, false},       {"C3D10", LMB_TET10, 10, false},
        {"C3D10M", LMB_TET10, 10, false},   {"C3D10HS", LMB_TET10, 10, false},
        {"C3D10T", LMB_TET10, 10, false},   {"C3D8", LMB_HEX8, 8, false},
        {"C3D8I", LMB_HEX8, 8, false},      {"C3D8R", LMB_HEX8, 8, true},
        {"C3D20", LMB_HEX20, 20, false},    {"C3D20R", LMB_HEX20, 20, true},
        {"B31", LMB_BEAM, 2, false},        {"B31R", LMB_BEAM, 2, true},
        {"MASS", LMB_POINT_MASS, 1, false}, {"ROTARYI", LMB_POINT_MASS, 1, false},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (lmb_inp_is(name, types[i].name))
            return types[i];
    return (type){"surface or rod", LMB_ELEMENT_KINDS, surface_nodes(name), false};
}

/* The nodes of an element, on as many lines as it takes. */
static void read_connection(lmb_inp *inp, int number, int need, int *nodes)
{
    lmb_scan *s = inp->draft->scan;
    lmb_word field;
    for (int count = 0; count < need && !s->status;) {
        if (lmb_scan_field(s, &field)) {
            if (field.length > 0)
                nodes[count++] = lmb_scan_integer_of(s, field, "the node of an element");
        } else if (!lmb_inp_data(inp)) {
            lmb_scan_fail(s, "element %d has %d of %d nodes", number, count, need);
        }
    }
}

static lmb_status read_elements(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->draft->scan;
    lmb_word name = lmb_inp_need(inp, keyword, "TYPE");
    type t = find_type(name);
    if (!s->status && t.nodes == 0) {
        lmb_scan_fail(s, "elements of type %.*s are not supported", name.length, name.start);
        lmb_hint(s->context, "supported are C3D4, C3D10, C3D8, C3D20 and their variants, B31, MASS "
                             "and ROTARYI");
    }
    const lmb_word *set = lmb_inp_parameter(keyword, "ELSET");
    inp->reduced = inp->reduced || t.reduced;
    while (lmb_inp_data(inp)) {
        int number = lmb_scan_integer(s, "the number of an element"), nodes[LMB_MOST_NODES] = {0};
        read_connection(inp, number, t.nodes, nodes);
        lmb_role role = t.kind == LMB_ELEMENT_KINDS ? LMB_ROLE_SET : LMB_ROLE_BODY;
        lmb_draft_add_element(inp->draft, t.kind, role, t.name, number, t.nodes, nodes);
        if (set)
            lmb_draft_add_to_set(inp->draft, *set, true, number);
    }
    return s->status;
}

/* --- Sets --- */

/* Copies what is in another set of this name, or in it behind the name of an instance. */
static lmb_status include_set(lmb_inp *inp, lmb_word into, bool elements, lmb_word name,
                              bool of_elements)
{
    const lmb_draft_set *other = lmb_draft_find_set(inp->draft, name, of_elements);
    if (!other)
        return lmb_scan_fail(inp->draft->scan, "there is no set '%.*s' yet", name.length,
                             name.start);
    size_t count = other->ranges.count;
    for (size_t i = 0; i < count; i++) {
        other = lmb_draft_find_set(inp->draft, name, of_elements); /* it may have moved */
        lmb_draft_add_range(inp->draft, into, elements, ((lmb_draft_range *)other->ranges.data)[i]);
    }
    return inp->draft->scan->status;
}

static void add_member(lmb_inp *inp, lmb_word set, bool elements, lmb_word member)
{
    int number;
    member = unquoted(member);
    for (int i = member.length - 1; i > 0; i--)
        if (member.start[i] == '.') {
            member = (lmb_word){member.start + i + 1, member.length - i - 1};
            break;
        }
    if (lmb_word_integer(member, &number))
        lmb_draft_add_to_set(inp->draft, set, elements, number);
    else
        include_set(inp, set, elements, member, elements);
}

static void read_range(lmb_inp *inp, lmb_word set, bool elements)
{
    lmb_scan *s = inp->draft->scan;
    lmb_draft_range range = {.step = 1, .elements = elements};
    lmb_word field = {"", 0};
    range.first = lmb_scan_integer(s, "the first number of a range");
    range.last = lmb_scan_integer(s, "the last number of a range");
    if (lmb_scan_field(s, &field) && field.length > 0)
        range.step = lmb_scan_integer_of(s, field, "the step of a range");
    if (range.step < 1 || range.first < 1 || range.last < range.first)
        lmb_scan_fail(s, "a range from %d to %d with a step of %d is empty", range.first,
                      range.last, range.step);
    lmb_draft_add_range(inp->draft, set, elements, range);
}

static lmb_status read_set(lmb_inp *inp, const lmb_inp_keyword *keyword, bool elements)
{
    lmb_scan *s = inp->draft->scan;
    lmb_word set = lmb_inp_need(inp, keyword, elements ? "ELSET" : "NSET"), field;
    const lmb_word *of = elements ? NULL : lmb_inp_parameter(keyword, "ELSET");
    bool generate = lmb_inp_parameter(keyword, "GENERATE") != NULL;
    lmb_draft_add_range(inp->draft, set, elements, (lmb_draft_range){0});
    if (of && of->length > 0)
        include_set(inp, set, false, *of, true);
    while (lmb_inp_data(inp)) {
        if (generate)
            read_range(inp, set, elements);
        else
            while (lmb_scan_field(s, &field))
                if (field.length > 0)
                    add_member(inp, set, elements, field);
    }
    return s->status;
}

/* --- The file --- */

static lmb_status read_file(lmb_inp *inp);

/* The path of an included file: beside the one that includes it. */
static char *beside(lmb_arena *arena, const char *file, lmb_word name)
{
    const char *slash = strrchr(file, '/');
    int folder = slash && *name.start != '/' ? (int)(slash - file) + 1 : 0;
    return lmb_text_format(arena, "%.*s%.*s", folder, file, name.length, name.start);
}

static lmb_status read_include(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *outer = inp->draft->scan, inner;
    lmb_word name = lmb_inp_need(inp, keyword, "INPUT");
    if (inp->depth >= 8)
        lmb_scan_fail(outer, "files include each other more than 8 deep");
    if (outer->status)
        return outer->status;
    char *path = beside(inp->draft->arena, outer->file, name);
    if (!path)
        return outer->status = lmb_fail_memory(outer->context);
    if (lmb_scan_open(&inner, outer->context, path))
        return lmb_scan_fail(outer, "the file '%s' of *INCLUDE cannot be read", path);
    inp->draft->scan = &inner;
    inp->depth++;
    outer->status = read_file(inp);
    inp->depth--;
    inp->draft->scan = outer;
    lmb_scan_close(&inner);
    return outer->status;
}

/* Parts have numbers of their own, so there may be one only, and it may not be moved. */
static lmb_status read_assembly(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->draft->scan;
    if (lmb_inp_is(keyword->name, "PART") && ++inp->parts > 1)
        return lmb_scan_fail(s, "there is more than one *PART; one is supported");
    if (lmb_inp_is(keyword->name, "INSTANCE")) {
        if (++inp->instances > 1)
            return lmb_scan_fail(s, "there is more than one *INSTANCE; one is supported");
        if (lmb_inp_data(inp))
            return lmb_scan_fail(s, "an *INSTANCE that is moved is not supported");
    }
    return s->status;
}

static bool is_one_of(lmb_word name, const char *const *list)
{
    for (; *list; list++)
        if (lmb_inp_is(name, *list))
            return true;
    return false;
}

/* Remembers a keyword that is not read, for one warning at the end. */
static void skip_keyword(lmb_inp *inp, lmb_word name)
{
    static const char *const harmless[] = {"HEADING",      "PREPRINT",     "END PART", "ASSEMBLY",
                                           "END ASSEMBLY", "END INSTANCE", "RESTART",  NULL};
    lmb_inp_skip_data(inp);
    if (is_one_of(name, harmless))
        return;
    const char **known = inp->unknown.data;
    for (size_t i = 0; i < inp->unknown.count; i++)
        if (lmb_inp_is(name, known[i]))
            return;
    const char *copy = lmb_scan_copy(inp->draft->scan, inp->draft->arena, name);
    lmb_scan_append(inp->draft->scan, &inp->unknown, &copy, sizeof copy);
}

static lmb_status read_one(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    static const char *const assembly[] = {"PART", "INSTANCE", NULL};
    static const char *const moving[] = {"SYSTEM", "NGEN",  "NFILL",  "NCOPY",
                                         "NMAP",   "ELGEN", "ELCOPY", NULL};
    lmb_word name = keyword->name;
    if (lmb_inp_is(name, "NODE"))
        return read_nodes(inp, keyword);
    if (lmb_inp_is(name, "ELEMENT"))
        return read_elements(inp, keyword);
    if (lmb_inp_is(name, "NSET") || lmb_inp_is(name, "ELSET"))
        return read_set(inp, keyword, lmb_inp_is(name, "ELSET"));
    if (lmb_inp_is(name, "INCLUDE"))
        return read_include(inp, keyword);
    if (is_one_of(name, assembly))
        return read_assembly(inp, keyword);
    if (is_one_of(name, moving))
        return lmb_scan_fail(inp->draft->scan,
                             "*%.*s is not supported: write the nodes and elements out",
                             name.length, name.start);
    inp->over = lmb_inp_is(name, "STEP");
    if (!inp->over && !lmb_inp_properties(inp, keyword))
        skip_keyword(inp, name);
    return inp->draft->scan->status;
}

static lmb_status read_file(lmb_inp *inp)
{
    lmb_scan *s = inp->draft->scan;
    lmb_inp_keyword keyword;
    while (!inp->over && next_line(s)) {
        if (*s->now != '*')
            return lmb_scan_fail(s, "expected a keyword, such as *NODE");
        if (read_keyword(inp, &keyword) == LMB_OK)
            read_one(inp, &keyword);
    }
    return s->status;
}

/* Warnings about what was not read as it stands. */
static void warn(const lmb_inp *inp)
{
    lmb_context *context = inp->draft->context;
    const char **unknown = inp->unknown.data;
    const char *list = "";
    for (size_t i = 0; i < inp->unknown.count && list; i++)
        list = lmb_text_format(inp->draft->arena, "%s%s*%s", list, i ? ", " : "", unknown[i]);
    if (inp->unknown.count > 0)
        lmb_warn(context, "%s: keywords that are not read: %s", inp->draft->file, list ? list : "");
    if (inp->reduced)
        lmb_warn(context, "%s: elements with reduced integration are integrated fully",
                 inp->draft->file);
}

lmb_status lmb_read_inp(lmb_mesh_draft *draft)
{
    lmb_inp inp = {.draft = draft, .material = -1};
    draft->fold = true;
    lmb_status status = read_file(&inp);
    if (!status)
        status = lmb_inp_assign(&inp);
    if (!status)
        warn(&inp);
    lmb_list_free(&inp.unknown);
    lmb_list_free(&inp.assignments);
    return status;
}
