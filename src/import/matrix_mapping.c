/* Which node and direction each equation belongs to.
 *
 *   Ansys       a title, then lines of equation, node, UX UY UZ ROTX ROTY or ROTZ
 *   CalculiX    lines of node.direction, as 12.1
 *   a table     lines of equation, node, direction, the direction being 1 to 6 or a word of Ansys
 *
 * Nodes may be in any order. Equations ascend from 1. */
#include "import/matrix_draft.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const directions[LMB_DIRECTIONS] = {"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};

void lmb_mapping_free(lmb_mapping *mapping)
{
    lmb_list_free(&mapping->equations);
    lmb_numbers_free(&mapping->places);
}

const char *lmb_mapping_name(const lmb_mapping *mapping, int equation, char *text, size_t room)
{
    const lmb_equation *e = (const lmb_equation *)mapping->equations.data + equation;
    snprintf(text, room, "node %d, %s", e->node, directions[e->direction]);
    return text;
}

static void add_equation(lmb_mapping *mapping, lmb_scan *scan, int node, int direction)
{
    lmb_equation e = {node, direction, scan->number};
    lmb_scan_place_number(scan, &mapping->places, node * LMB_DIRECTIONS + direction,
                          mapping->equations.count);
    lmb_scan_append(scan, &mapping->equations, &e, sizeof e);
}

static lmb_status check_node(lmb_scan *scan, int node)
{
    if (node < 1 || node > INT_MAX / LMB_DIRECTIONS - 1)
        lmb_scan_fail(scan, "a node has the number %d", node);
    return scan->status;
}

int lmb_mapping_place(lmb_mapping *mapping, lmb_scan *scan, int node, int direction)
{
    check_node(scan, node);
    if (direction < 0 || direction >= LMB_DIRECTIONS)
        lmb_scan_fail(scan, "direction %d of node %d is not one of 1 to 6", direction + 1, node);
    if (scan->status)
        return -1;
    int place = lmb_numbers_find(&mapping->places, node * LMB_DIRECTIONS + direction);
    if (place >= 0)
        return place;
    if (mapping->complete)
        lmb_scan_fail(scan, "node %d, %s: the stiffness has no such degree of freedom", node,
                      directions[direction]);
    else
        add_equation(mapping, scan, node, direction);
    return (int)mapping->equations.count - 1;
}

static int find_direction(lmb_scan *scan, lmb_word word, int node)
{
    int number;
    if (lmb_word_integer(word, &number) && number >= 1 && number <= LMB_DIRECTIONS)
        return number - 1;
    for (int i = 0; i < LMB_DIRECTIONS; i++)
        if (lmb_word_is(word, directions[i]))
            return i;
    lmb_scan_fail(scan, "node %d has the degree of freedom '%.*s', which is not supported", node,
                  word.length < 20 ? word.length : 20, word.start);
    lmb_hint(scan->context, "UX, UY, UZ, ROTX, ROTY and ROTZ are");
    return 0;
}

/* One equation: three words, or one of CalculiX. */
static lmb_status read_line(lmb_mapping *mapping, lmb_scan *scan, lmb_word *words, int count)
{
    int expected = (int)mapping->equations.count + 1, equation = expected;
    const char *point = memchr(words[0].start, '.', (size_t)words[0].length);
    if (count == 1 && point) {
        int length = (int)(point - words[0].start);
        words[2] = (lmb_word){point + 1, words[0].length - length - 1};
        words[1] = (lmb_word){words[0].start, length};
    } else if (count < 3) {
        return lmb_scan_fail(scan, "expected equation, node and direction");
    } else {
        equation = lmb_scan_integer_of(scan, words[0], "the number of an equation");
    }
    int node = lmb_scan_integer_of(scan, words[1], "the number of a node");
    if (check_node(scan, node))
        return scan->status;
    int direction = find_direction(scan, words[2], node);
    if (equation != expected)
        return lmb_scan_fail(scan, "equation %d is not the next one, which is %d", equation,
                             expected);
    if (lmb_numbers_find(&mapping->places, node * LMB_DIRECTIONS + direction) >= 0)
        return lmb_scan_fail(scan, "node %d has two equations for %s", node, directions[direction]);
    add_equation(mapping, scan, node, direction);
    return scan->status;
}

lmb_status lmb_mapping_read(lmb_mapping *mapping, lmb_scan *scan)
{
    while (lmb_scan_line(scan)) {
        lmb_word words[4] = {{0}};
        int count = lmb_scan_words(scan, words, 4);
        if (count == 0)
            continue;
        /* a title has no equation in it */
        bool title = mapping->equations.count == 0 && words[0].length > 0 &&
                     !memchr("+-.0123456789", *words[0].start, 13);
        if (!title)
            read_line(mapping, scan, words, count);
    }
    if (mapping->equations.count == 0)
        lmb_scan_fail(scan, "the mapping has no equations");
    mapping->complete = true;
    return scan->status;
}
