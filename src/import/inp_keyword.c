/* Lines and keywords of Abaqus and CalculiX: *NAME, KEY=VALUE, KEY. A line that ends with a comma
 * goes on in the next one; ** begins a comment. */
#include "import/inp_keyword.h"

#include <ctype.h>
#include <string.h>

bool lmb_inp_is(lmb_word word, const char *text)
{
    for (int i = 0;; i++, text++) {
        while (i < word.length && word.start[i] == ' ')
            i++;
        while (*text == ' ')
            text++;
        if (i == word.length || !*text)
            return i == word.length && !*text;
        if (toupper((unsigned char)word.start[i]) != toupper((unsigned char)*text))
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

bool lmb_inp_line(lmb_scan *scan)
{
    while (lmb_scan_line(scan)) {
        lmb_word line = lmb_scan_text(scan);
        scan->now = line.start;
        if (line.length > 0 && !lmb_word_begins(line, "**"))
            return true;
    }
    return false;
}

bool lmb_inp_data(lmb_scan *scan)
{
    if (!lmb_inp_line(scan))
        return false;
    if (*scan->now != '*')
        return true;
    lmb_scan_again(scan);
    return false;
}

lmb_inp_keyword lmb_inp_read(lmb_scan *scan)
{
    lmb_inp_keyword k = {0};
    lmb_word field = {"", 0};
    scan->now++;
    lmb_scan_field(scan, &k.name);
    do {
        while (lmb_scan_field(scan, &field)) {
            if (field.length == 0)
                continue;
            if (k.count == LMB_INP_PARAMETERS) {
                lmb_scan_fail(scan, "a keyword has more than %d parameters", LMB_INP_PARAMETERS);
                break;
            }
            const char *equals = memchr(field.start, '=', (size_t)field.length);
            int length = equals ? (int)(equals - field.start) : field.length;
            lmb_word value = {"", 0};
            if (equals)
                value = lmb_inp_unquoted((lmb_word){equals + 1, field.length - length - 1});
            k.keys[k.count] = lmb_word_trim((lmb_word){field.start, length});
            k.values[k.count++] = value;
        }
    } while (scan->end > scan->line && scan->end[-1] == ',' && lmb_inp_data(scan));
    return k;
}

const lmb_word *lmb_inp_parameter(const lmb_inp_keyword *k, const char *key)
{
    for (int i = 0; i < k->count; i++)
        if (lmb_inp_is(k->keys[i], key))
            return &k->values[i];
    return NULL;
}

lmb_word lmb_inp_need(lmb_scan *scan, const lmb_inp_keyword *k, const char *key)
{
    const lmb_word *found = lmb_inp_parameter(k, key);
    if (found && found->length > 0)
        return *found;
    lmb_scan_fail(scan, "*%.*s has no %s=", k->name.length, k->name.start, key);
    return (lmb_word){"", 0};
}
