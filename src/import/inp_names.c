/* Names, and tables of keywords of Abaqus and CalculiX. */
#include "import/inp_names.h"

#include <string.h>

#include "base/text.h"
#include "fe/element.h"

bool lmb_inp_is(lmb_word word, const char *text)
{
    for (int i = 0;; i++, text++) {
        while (i < word.length && word.start[i] == ' ')
            i++;
        while (*text == ' ')
            text++;
        if (i == word.length || !*text)
            return i == word.length && !*text;
        if (lmb_to_upper(word.start[i]) != lmb_to_upper(*text))
            return false;
    }
}

lmb_word lmb_inp_unquoted(lmb_word word)
{
    word = lmb_word_trim(word);
    if (word.length > 1 && *word.start == '"' && word.start[word.length - 1] == '"')
        return (lmb_word){word.start + 1, word.length - 2};
    return word;
}

lmb_word lmb_inp_local_name(lmb_word name)
{
    name = lmb_inp_unquoted(name);
    for (int i = name.length - 1; i > 0; i--)
        if (name.start[i] == '.')
            return (lmb_word){name.start + i + 1, name.length - i - 1};
    return name;
}

lmb_inp_type lmb_inp_find_type(lmb_word name)
{
    static const lmb_inp_type types[] = {
        {"C3D4", LMB_TET4, 4, false},       {"C3D10", LMB_TET10, 10, false},
        {"C3D10M", LMB_TET10, 10, false},   {"C3D10HS", LMB_TET10, 10, false},
        {"C3D10T", LMB_TET10, 10, false},   {"C3D8", LMB_HEX8, 8, false},
        {"C3D8I", LMB_HEX8, 8, false},      {"C3D8R", LMB_HEX8, 8, true},
        {"C3D20", LMB_HEX20, 20, false},    {"C3D20R", LMB_HEX20, 20, true},
        {"B31", LMB_BEAM, 2, false},        {"B31R", LMB_BEAM, 2, true},
        {"MASS", LMB_POINT_MASS, 1, false}, {"ROTARYI", LMB_POINT_MASS, 1, false},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (lmb_word_is(name, types[i].name))
            return types[i];

    /* surface elements and rods, which mesh generators write to define sets: family and number of
     * nodes */
    static const char *const families[] = {"T3D", "CPS", "CPE", "SFM3D", "M3D", "STRI", "S"};
    lmb_inp_type found = {"surface or rod", LMB_ELEMENT_KINDS, 0, false};
    for (size_t i = 0; i < sizeof families / sizeof *families && !found.nodes; i++) {
        int length = (int)strlen(families[i]);
        if (lmb_word_begins(name, families[i]) && name.length > length &&
            strchr("234689", name.start[length]))
            found.nodes = name.start[length] - '0';
    }
    return found;
}

bool lmb_inp_directions(unsigned *held, lmb_word first, lmb_word last)
{
    static const struct {
        const char *name;
        const char *directions;
    } words[] = {{"ENCASTRE", "123456"}, {"PINNED", "123"}, {"XSYMM", "156"},  {"YSYMM", "246"},
                 {"ZSYMM", "345"},       {"XASYMM", "234"}, {"YASYMM", "135"}, {"ZASYMM", "126"}};
    int from, to;
    *held = 0;
    if (lmb_word_integer(first, &from)) {
        if (!lmb_word_integer(last, &to))
            to = from;
        for (int d = from < 1 ? 1 : from; d <= to && d <= LMB_DIRECTIONS; d++)
            *held |= LMB_BIT(d - 1);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *d = words[i].directions; *d && lmb_word_is(first, words[i].name); d++)
            *held |= LMB_BIT(*d - '1');
    return *held != 0;
}

void lmb_inp_skip(lmb_inp_skipped *skipped, lmb_scan *scan, lmb_arena *scratch, lmb_word keyword)
{
    static const char *const harmless[] = {"HEADING",      "PREPRINT",     "END PART", "ASSEMBLY",
                                           "END ASSEMBLY", "END INSTANCE", "RESTART"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (lmb_inp_is(keyword, harmless[i]))
            return;
    char *bare = (char *)lmb_scan_copy(scan, scratch, keyword);
    size_t length = 0;
    for (int i = 0; bare && i < keyword.length; i++)
        if (keyword.start[i] != ' ')
            bare[length++] = keyword.start[i];
    if (!bare || lmb_names_find(&skipped->names, bare, length))
        return;
    bare[length] = 0;
    skipped->names.fold = true;
    const char *copy = lmb_scan_copy(scan, scratch, keyword);
    if (copy && lmb_scan_append(scan, &skipped->list, &copy, sizeof copy))
        lmb_scan_place_name(scan, scratch, &skipped->names, bare, skipped->list.count - 1);
}

const char *lmb_inp_list_skipped(const lmb_inp_skipped *skipped, lmb_arena *arena)
{
    enum { MOST = 20 };
    const char *const *names = skipped->list.data;
    size_t count = skipped->list.count;
    const char *text = count ? "" : NULL;
    for (size_t i = 0; i < count && i < MOST && text; i++)
        text = lmb_text_format(arena, "%s%s*%s", text, i ? ", " : "", names[i]);
    if (text && count > MOST)
        text = lmb_text_format(arena, "%s and %zu others", text, count - MOST);
    return text;
}
