/* Reads the configuration of the user, a map of a few keys. It is in the user's own folder alone: a
 * file beside a model may come from whoever made the model. */
#include "cli/config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "read/tree.h"

/* Its path; NULL: there is no such folder. */
static const char *config_path(lmb_arena *arena)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (folder && folder[0] == '/') /* others are to be ignored, says the XDG specification */
        return lmb_text_format(arena, "%s/limber/config.yaml", folder);
    return home && home[0] == '/' ? lmb_text_format(arena, "%s/.config/limber/config.yaml", home)
                                  : NULL;
}

static lmb_status read_switch(lmb_context *context, const lmb_tree *value, bool *out)
{
    const char *text = value->kind == LMB_TREE_TEXT ? value->text : "";
    *out = strcmp(text, "true") == 0;
    if (*out || strcmp(text, "false") == 0)
        return LMB_OK;
    return lmb_fail_at(context, value->place, "expected true or false");
}

static lmb_status read_seconds(lmb_context *context, const lmb_tree *value, double *out)
{
    const char *text = value->kind == LMB_TREE_TEXT ? value->text : "";
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end && isfinite(*out) && *out > 0)
        return LMB_OK;
    return lmb_fail_at(context, value->place, "expected a number of seconds above 0");
}

static lmb_status read_key(lmb_context *context, const lmb_tree *key, const lmb_tree *value,
                           lmb_config *out)
{
    if (strcmp(key->text, "trust") == 0)
        return read_switch(context, value, &out->trust);
    if (strcmp(key->text, "meshing_time") == 0)
        return read_seconds(context, value, &out->meshing_time);
    lmb_fail_at(context, key->place, "there is no key '%s' in the configuration", key->text);
    return lmb_hint(context, "there are trust and meshing_time");
}

lmb_status lmb_config_read(const lmb_arguments *a, lmb_config *out)
{
    char *text;
    lmb_tree *root;
    const char *path = config_path(a->arena);
    *out = (lmb_config){0};
    if (!path || access(path, F_OK) != 0)
        return lmb_check_memory(a->context, a->arena);
    lmb_status status = lmb_read_text(&text, a->context, a->arena, path);
    if (!status)
        status = lmb_yaml_parse(&root, a->context, a->arena, path, text);
    if (!status && root->kind != LMB_TREE_MAP)
        status = lmb_fail_at(a->context, root->place,
                             "the configuration is a map, 'KEY: VALUE' in each line, not %s",
                             lmb_tree_kind_name(root));
    for (int i = 0; !status && i < root->count; i++)
        status = read_key(a->context, root->keys[i], root->items[i], out);
    return status;
}
