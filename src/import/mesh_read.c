/* Which format a mesh has, and tables of nodes. */
#include "import/mesh_read.h"

#include <string.h>

#include "base/text.h"
#include "import/mesh_draft.h"

typedef lmb_status read_function(lmb_mesh_draft *draft);

/* The function for the ending of a name, or NULL. */
static read_function *find_format(const char *path)
{
    static const struct {
        const char *ending;
        read_function *read;
    } formats[] = {{".msh", lmb_read_gmsh},         {".inp", lmb_read_inp},
                   {".cdb", lmb_read_cdb},          {".node", lmb_read_nwrite},
                   {".csv", lmb_read_node_table},   {".txt", lmb_read_node_table},
                   {".nodes", lmb_read_node_table}, {".dat", lmb_read_node_table}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (lmb_word_is(lmb_file_ending(path), formats[i].ending))
            return formats[i].read;
    return NULL;
}

lmb_status lmb_mesh_read(lmb_mesh **out, lmb_context *context, lmb_arena *arena, const char *path,
                         const lmb_units *units)
{
    *out = NULL;
    read_function *read = find_format(path);
    if (!read)
        return lmb_fail_hint(
            context,
            "names of meshes end with .msh (Gmsh), .inp (Abaqus, CalculiX) or .cdb "
            "(Ansys); tables of nodes with .node or .csv",
            "'%s': the format of the mesh is not known", path);
    const char *file = lmb_text_copy(arena, path, strlen(path));
    lmb_scan scan;
    lmb_status status = file ? lmb_scan_open(&scan, context, file) : lmb_fail_memory(context);
    if (status)
        return status;
    lmb_mesh_draft draft = {context, &scan, arena, lmb_arena_new(), .file = file};
    status = read(&draft);
    if (!status)
        status = lmb_draft_finish(&draft, out);
    if (!status && units)
        lmb_units_mesh(units, *out);
    lmb_draft_free(&draft);
    lmb_scan_close(&scan);
    return status;
}

/* --- Tables of nodes: number, x, y, z --- */

/* Numbers with decimal commas are separated by tabulators or semicolons. Lines that do not begin
 * with a digit are titles. A carriage return within a line is no blank, but a mistake. */
lmb_status lmb_read_node_table(lmb_mesh_draft *draft)
{
    lmb_scan *scan = draft->scan;
    while (lmb_scan_line(scan)) {
        lmb_word first;
        if (!lmb_scan_word(scan, &first) || first.length == 0 ||
            !strchr("0123456789", *first.start))
            continue;
        char copy[1000];
        size_t length = (size_t)(scan->end - scan->line);
        length = length < sizeof copy ? length : sizeof copy;
        bool comma = memchr(scan->line, '\t', length) || memchr(scan->line, ';', length);
        for (size_t i = 0; i < length; i++) {
            char c = scan->line[i];
            copy[i] = (char)(c == '\r' ? '?' : !comma ? c : c == ',' ? '.' : c == ';' ? ',' : c);
        }
        scan->now = copy;
        scan->end = copy + length;
        int number = lmb_scan_integer(scan, "the number of a node");
        double x[3];
        lmb_scan_numbers(scan, "a coordinate", x, 3);
        lmb_draft_add_node(draft, number, x);
    }
    return scan->status;
}

/* --- Nodes of NWRITE --- */

/* The number ends in column 8 or 9, and coordinates have 20 or 21 columns. Zeros are left out,
 * so that a line of fewer than four words is read by columns. */
lmb_status lmb_read_nwrite(lmb_mesh_draft *draft)
{
    lmb_scan *scan = draft->scan;
    while (lmb_scan_line(scan)) {
        lmb_word words[4] = {{0}};
        int count = lmb_scan_words(scan, words, 4);
        if (count == 0)
            continue;
        int width = (int)(words[0].start + words[0].length - scan->line);
        bool columns = count < 4 && (width == 8 || width == 9);
        double x[3] = {0};
        int number = lmb_scan_integer_of(scan, words[0], "the number of a node");
        for (int i = 0; i < 3; i++) {
            lmb_word word = words[i + 1];
            if (columns)
                word = lmb_scan_columns(scan, width + (width + 12) * i, width + 12);
            lmb_scan_optional(scan, word, "a coordinate", &x[i]);
        }
        lmb_draft_add_node(draft, number, x);
    }
    return scan->status;
}
