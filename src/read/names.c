/* Names of items, and of files beside the one that is read. */
#include <ctype.h>
#include <string.h>

#include "read/reader.h"

lmb_status lmb_check_name(lmb_reader *r, const lmb_tree *key, const char *what)
{
    const char *c = key->text;
    bool fine = isalpha((unsigned char)*c) || *c == '_';
    for (; *c; c++)
        fine = fine && (isalnum((unsigned char)*c) || *c == '_' || *c == '-');
    if (!fine) {
        lmb_fail_at(r->context, key->place, "'%s' cannot be the name of a%s %s", key->text,
                    strchr("aei", what[0]) ? "n" : "", what);
        lmb_hint(
            r->context,
            strchr(key->text, '{')
                ? "braces are for entries with the key 'repeat'"
                : "use letters (a to z, A to Z), digits, '_' and '-', beginning with a letter");
        return LMB_BAD_INPUT;
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
