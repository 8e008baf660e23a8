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

static lmb_status add_equation(lmb_mapping *mapping, const lmb_scan *scan, int node, int direction)
{
    lmb_equation *e = lmb_list_add(&mapping->equations, sizeof *e);
    int place = (int)mapping->equations.count - 1;
    if (!e || !lmb_numbers_add(&mapping->places, node * LMB_DIRECTIONS + direction, place))
        return lmb_fail_memory(scan->context);
    *e = (lmb_equation){node, direction, scan->number};
    return LMB_OK;
}

static lmb_status check_node(const lmb_scan *scan, int node)
{
    if (node < 1 || node > INT_MAX / LMB_DIRECTIONS - 1)
        return lmb_scan_fail(scan, "a node has the number %d", node);
    return LMB_OK;
}

lmb_status lmb_mapping_place(lmb_mapping *mapping, const lmb_scan *scan, int node, int direction,
                             int *place)
{
    lmb_status status = check_node(scan, node);
    if (status)
        return status;
    if (direction < 0 || direction >= LMB_DIRECTIONS)
        return lmb_scan_fail(scan, "direction %d of node %d is not one of 1 to 6", direction + 1,
                             node);
    *place = lmb_numbers_find(&mapping->places, node * LMB_DIRECTIONS + direction);
    if (*place >= 0)
        return LMB_OK;
    if (mapping->complete)
        return lmb_scan_fail(scan, "node %d, %s: the stiffness has no such degree of freedom", node,
                             directions[direction]);
    *place = (int)mapping->equations.count;
    return add_equation(mapping, scan, node, direction);
}

static lmb_status find_direction(const lmb_scan *scan, lmb_word word, int node, int *direction)
{
    int number;
    if (lmb_word_integer(word, &number) && number >= 1 && number <= LMB_DIRECTIONS) {
        *direction = number - 1;
        return LMB_OK;
    }
    for (int i = 0; i < LMB_DIRECTIONS; i++)
        if (lmb_word_is(word, directions[i])) {
            *direction = i;
            return LMB_OK;
        }
    lmb_scan_fail(scan, "node %d has the degree of freedom '%.*s', which is not supported", node,
                  word.length < 20 ? word.length : 20, word.start);
    lmb_hint(scan->context, "UX, UY, UZ, ROTX, ROTY and ROTZ are");
    return LMB_BAD_INPUT;
}

/* One equation: three words, or one of CalculiX. */
static lmb_status read_line(lmb_mapping *mapping, const lmb_scan *scan, lmb_word *words, int count)
{
    int equation = 0, node = 0, direction = 0, expected = (int)mapping->equations.count + 1;
    const char *point = memchr(words[0].start, '.', (size_t)words[0].length);
    lmb_status status = LMB_OK;
    if (count == 1 && point) {
        int length = (int)(point - words[0].start);
        words[2] = (lmb_word){point + 1, words[0].length - length - 1};
        words[1] = (lmb_word){words[0].start, length};
        equation = expected;
    } else if (count < 3) {
        return lmb_scan_fail(scan, "expected equation, node and direction");
    } else {
        status = lmb_scan_integer_of(scan, words[0], "the number of an equation", &equation);
    }
    if (!status)
        status = lmb_scan_integer_of(scan, words[1], "the number of a node", &node);
    if (!status)
        status = check_node(scan, node);
    if (!status)
        status = find_direction(scan, words[2], node, &direction);
    if (status)
        return status;
    if (equation != expected)
        return lmb_scan_fail(scan, "equation %d is not the next one, which is %d", equation,
                             expected);
    if (lmb_numbers_find(&mapping->places, node * LMB_DIRECTIONS + direction) >= 0)
        return lmb_scan_fail(scan, "node %d has two equations for %s", node, directions[direction]);
    return add_equation(mapping, scan, node, direction);
}

lmb_status lmb_mapping_read(lmb_mapping *mapping, lmb_scan *scan)
{
    lmb_status status = LMB_OK;
    while (!status && lmb_scan_line(scan)) {
        lmb_word words[4] = {{0}};
        int count = 0;
        while (count < 4 && lmb_scan_word(scan, &words[count]))
            count++;
        if (count == 0)
            continue;
        /* a title has no equation in it */
        bool title = mapping->equations.count == 0 && words[0].length > 0 &&
                     !memchr("+-.0123456789", *words[0].start, 13);
        if (!title)
            status = read_line(mapping, scan, words, count);
    }
    if (!status && mapping->equations.count == 0)
        status = lmb_scan_fail(scan, "the mapping has no equations");
    mapping->complete = true;
    return status;
}
