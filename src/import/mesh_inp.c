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
    if (!next_line(inp->scan))
        return false;
    if (*inp->scan->now != '*')
        return true;
    lmb_scan_again(inp->scan);
    return false;
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
    lmb_scan *s = inp->scan;
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
        if (s->end == s->line || s->end[-1] != ',')
            return LMB_OK;
        if (!lmb_inp_data(inp))
            return LMB_OK;
    }
}

const lmb_word *lmb_inp_parameter(const lmb_inp_keyword *keyword, const char *key)
{
    for (int i = 0; i < keyword->count; i++)
        if (lmb_inp_is(keyword->keys[i], key))
            return &keyword->values[i];
    return NULL;
}

lmb_status lmb_inp_need(lmb_inp *inp, const lmb_inp_keyword *keyword, const char *key,
                        lmb_word *value)
{
    const lmb_word *found = lmb_inp_parameter(keyword, key);
    if (!found || found->length == 0)
        return lmb_scan_fail(inp->scan, "*%.*s has no %s=", keyword->name.length,
                             keyword->name.start, key);
    *value = *found;
    return LMB_OK;
}

/* --- Nodes and elements --- */

static lmb_status add_to_set(lmb_inp *inp, lmb_word name, bool elements, lmb_draft_range range)
{
    lmb_draft_set *set = lmb_draft_set_of(inp->draft, name, elements);
    return set ? lmb_draft_add_range(inp->draft, set, range) : lmb_fail_memory(inp->scan->context);
}

static lmb_status read_nodes(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->scan;
    const lmb_word *set = lmb_inp_parameter(keyword, "NSET");
    const lmb_word *system = lmb_inp_parameter(keyword, "SYSTEM");
    if (system && !lmb_inp_is(*system, "R"))
        return lmb_scan_fail(s, "nodes in cylindrical or spherical coordinates are not supported");
    while (lmb_inp_data(inp)) {
        int number;
        double x[3] = {0};
        lmb_word field;
        lmb_status status = lmb_scan_integer(s, "the number of a node", &number);
        for (int i = 0; i < 3 && !status && lmb_scan_field(s, &field); i++)
            if (field.length > 0)
                status = lmb_scan_number_of(s, field, "a coordinate", &x[i]);
        if (!status)
            status = lmb_draft_add_node(inp->draft, s, number, v3(x[0], x[1], x[2]));
        if (!status && set)
            status = add_to_set(inp, *set, false, (lmb_draft_range){number, number, 1, false});
        if (status)
            return status;
    }
    return LMB_OK;
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
static lmb_status read_connection(lmb_inp *inp, int number, int need, int *nodes)
{
    lmb_scan *s = inp->scan;
    lmb_word field;
    for (int count = 0; count < need;) {
        if (!lmb_scan_field(s, &field)) {
            if (!lmb_inp_data(inp))
                return lmb_scan_fail(s, "element %d has %d of %d nodes", number, count, need);
            continue;
        }
        if (field.length == 0)
            continue;
        lmb_status status = lmb_scan_integer_of(s, field, "the node of an element", &nodes[count]);
        if (status)
            return status;
        count++;
    }
    return LMB_OK;
}

static lmb_status read_elements(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->scan;
    lmb_word name;
    lmb_status status = lmb_inp_need(inp, keyword, "TYPE", &name);
    if (status)
        return status;
    type t = find_type(name);
    if (t.nodes == 0) {
        lmb_scan_fail(s, "elements of type %.*s are not supported", name.length, name.start);
        lmb_hint(s->context, "supported are C3D4, C3D10, C3D8, C3D20 and their variants, B31, MASS "
                             "and ROTARYI");
        return LMB_BAD_INPUT;
    }
    const lmb_word *set = lmb_inp_parameter(keyword, "ELSET");
    inp->reduced = inp->reduced || t.reduced;
    while (!status && lmb_inp_data(inp)) {
        int number, nodes[LMB_MOST_NODES];
        status = lmb_scan_integer(s, "the number of an element", &number);
        if (!status)
            status = read_connection(inp, number, t.nodes, nodes);
        bool body = t.kind != LMB_ELEMENT_KINDS;
        lmb_draft_element element = {.element = {.kind = t.kind, .number = number},
                                     .type = t.name,
                                     .nodes = t.nodes,
                                     .supported = body,
                                     .role = body ? LMB_ROLE_BODY : LMB_ROLE_SET};
        if (!status)
            status = lmb_draft_add_element(inp->draft, s, &element, nodes);
        if (!status && set)
            status = add_to_set(inp, *set, true, (lmb_draft_range){number, number, 1, true});
    }
    return status;
}

/* --- Sets --- */

/* Copies what is in another set of this name, or in it behind the name of an instance. */
static lmb_status include_set(lmb_inp *inp, lmb_word into, bool elements, lmb_word name,
                              bool of_elements)
{
    const lmb_draft_set *other = lmb_draft_find_set(inp->draft, name, of_elements);
    if (!other)
        return lmb_scan_fail(inp->scan, "there is no set '%.*s' yet", name.length, name.start);
    size_t count = other->ranges.count;
    for (size_t i = 0; i < count; i++) {
        other = lmb_draft_find_set(inp->draft, name, of_elements); /* it may have moved */
        lmb_draft_range range = ((lmb_draft_range *)other->ranges.data)[i];
        lmb_status status = add_to_set(inp, into, elements, range);
        if (status)
            return status;
    }
    return LMB_OK;
}

static lmb_status add_member(lmb_inp *inp, lmb_word set, bool elements, lmb_word member)
{
    int number;
    member = unquoted(member);
    for (int i = member.length - 1; i > 0; i--)
        if (member.start[i] == '.') {
            member = (lmb_word){member.start + i + 1, member.length - i - 1};
            break;
        }
    if (lmb_word_integer(member, &number))
        return add_to_set(inp, set, elements, (lmb_draft_range){number, number, 1, elements});
    return include_set(inp, set, elements, member, elements);
}

static lmb_status read_range(lmb_inp *inp, lmb_word set, bool elements)
{
    lmb_scan *s = inp->scan;
    lmb_draft_range range = {.step = 1, .elements = elements};
    lmb_word field = {"", 0};
    lmb_status status = lmb_scan_integer(s, "the first number of a range", &range.first);
    if (!status)
        status = lmb_scan_integer(s, "the last number of a range", &range.last);
    if (!status && lmb_scan_field(s, &field) && field.length > 0)
        status = lmb_scan_integer_of(s, field, "the step of a range", &range.step);
    if (!status && (range.step < 1 || range.first < 1 || range.last < range.first))
        status = lmb_scan_fail(s, "a range from %d to %d with a step of %d is empty", range.first,
                               range.last, range.step);
    return status ? status : add_to_set(inp, set, elements, range);
}

static lmb_status read_set(lmb_inp *inp, const lmb_inp_keyword *keyword, bool elements)
{
    lmb_word set, field;
    lmb_status status = lmb_inp_need(inp, keyword, elements ? "ELSET" : "NSET", &set);
    const lmb_word *of = elements ? NULL : lmb_inp_parameter(keyword, "ELSET");
    bool generate = lmb_inp_parameter(keyword, "GENERATE") != NULL;
    if (!status && !lmb_draft_set_of(inp->draft, set, elements))
        status = lmb_fail_memory(inp->scan->context);
    if (!status && of && of->length > 0)
        status = include_set(inp, set, false, *of, true);
    while (!status && lmb_inp_data(inp)) {
        if (generate)
            status = read_range(inp, set, elements);
        else
            while (!status && lmb_scan_field(inp->scan, &field))
                if (field.length > 0)
                    status = add_member(inp, set, elements, field);
    }
    return status;
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
    lmb_scan *outer = inp->scan, inner;
    lmb_word name;
    lmb_status status = lmb_inp_need(inp, keyword, "INPUT", &name);
    if (status)
        return status;
    if (inp->depth >= 8)
        return lmb_scan_fail(outer, "files include each other more than 8 deep");
    char *path = beside(inp->draft->arena, outer->file, name);
    if (!path)
        return lmb_fail_memory(outer->context);
    status = lmb_scan_open(&inner, outer->context, path);
    if (status)
        return lmb_scan_fail(outer, "the file '%s' of *INCLUDE cannot be read", path);
    inp->scan = &inner;
    inp->depth++;
    status = read_file(inp);
    inp->depth--;
    inp->scan = outer;
    lmb_scan_close(&inner);
    return status;
}

/* Parts have numbers of their own, so there may be one only, and it may not be moved. */
static lmb_status read_assembly(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    if (lmb_inp_is(keyword->name, "PART") && ++inp->parts > 1)
        return lmb_scan_fail(inp->scan, "there is more than one *PART; one is supported");
    if (lmb_inp_is(keyword->name, "INSTANCE")) {
        if (++inp->instances > 1)
            return lmb_scan_fail(inp->scan, "there is more than one *INSTANCE; one is supported");
        if (lmb_inp_data(inp))
            return lmb_scan_fail(inp->scan, "an *INSTANCE that is moved is not supported");
    }
    return LMB_OK;
}

static bool is_one_of(lmb_word name, const char *const *list)
{
    for (; *list; list++)
        if (lmb_inp_is(name, *list))
            return true;
    return false;
}

/* Remembers a keyword that is not read, for one warning at the end. */
static lmb_status skip_keyword(lmb_inp *inp, lmb_word name)
{
    static const char *const harmless[] = {"HEADING",      "PREPRINT",     "END PART", "ASSEMBLY",
                                           "END ASSEMBLY", "END INSTANCE", "RESTART",  NULL};
    while (lmb_inp_data(inp))
        continue;
    if (is_one_of(name, harmless))
        return LMB_OK;
    const char **known = inp->unknown.data;
    for (size_t i = 0; i < inp->unknown.count; i++)
        if (lmb_inp_is(name, known[i]))
            return LMB_OK;
    const char **added = lmb_list_add(&inp->unknown, sizeof *added);
    char *copy = lmb_text_copy(inp->draft->arena, name.start, (size_t)name.length);
    if (!added || !copy)
        return lmb_fail_memory(inp->scan->context);
    *added = copy;
    return LMB_OK;
}

static lmb_status read_one(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    static const char *const assembly[] = {"PART", "INSTANCE", NULL};
    static const char *const moving[] = {"SYSTEM", "NGEN",  "NFILL",  "NCOPY",
                                         "NMAP",   "ELGEN", "ELCOPY", NULL};
    lmb_word name = keyword->name;
    bool done = false;
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
        return lmb_scan_fail(inp->scan, "*%.*s is not supported: write the nodes and elements out",
                             name.length, name.start);
    inp->over = lmb_inp_is(name, "STEP");
    if (inp->over)
        return LMB_OK;
    lmb_status status = lmb_inp_properties(inp, keyword, &done);
    return status || done ? status : skip_keyword(inp, name);
}

static lmb_status read_file(lmb_inp *inp)
{
    lmb_status status = LMB_OK;
    while (!status && !inp->over && next_line(inp->scan)) {
        lmb_inp_keyword keyword;
        if (*inp->scan->now != '*')
            return lmb_scan_fail(inp->scan, "expected a keyword, such as *NODE");
        status = read_keyword(inp, &keyword);
        if (!status)
            status = read_one(inp, &keyword);
    }
    return status;
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

lmb_status lmb_read_inp(lmb_mesh_draft *draft, lmb_scan *scan)
{
    lmb_inp inp = {.draft = draft, .scan = scan, .material = -1};
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
