/* Nodes of flexible bodies, found by number, by name and by place. */
#include <float.h>
#include <string.h>

#include "model/flexible_part.h"

bool lmb_is_node_name(const lmb_reader *r, const lmb_tree *node)
{
    if (node->kind != LMB_TREE_TEXT)
        return false;
    const char *text = node->text;
    size_t word = strcspn(text, "-");
    bool fine = lmb_is_letter(text[0]) || text[0] == '_';
    for (const char *c = text; *c; c++)
        fine = fine && (lmb_is_letter_or_digit(*c) || *c == '_' || *c == '-');
    for (int i = 0; i < r->parameter_count; i++) /* N, or N-1 with a parameter N */
        if (strlen(r->parameters[i].name) == word &&
            strncmp(r->parameters[i].name, text, word) == 0)
            return false;
    for (const lmb_counter *c = node->counter; c; c = c->outer)
        if (strlen(c->name) == word && strncmp(c->name, text, word) == 0)
            return false;
    return fine && !lmb_expr_is_reserved(text);
}

lmb_nodes lmb_nodes_of(const char *body, const lmb_body_data *d)
{
    const lmb_reduced *r = d->reduced;
    return (lmb_nodes){body, r->x, r->number, r->node_count, r->origin};
}

lmb_status lmb_nodes_number(const lmb_nodes *n, lmb_context *context, lmb_place place,
                            double number, int *out)
{
    int least = n->count ? n->number[0] : 0, most = least;
    for (*out = 0; *out < n->count; ++*out) {
        int k = n->number[*out];
        if (k == number)
            return LMB_OK;
        least = k < least ? k : least;
        most = k > most ? k : most;
    }
    lmb_fail_at(context, place, "body '%s' has no node %.10g", n->body, number);
    return lmb_hint(context, "its nodes have numbers from %d to %d", least, most);
}

lmb_status lmb_nodes_at(const lmb_nodes *n, lmb_context *context, lmb_place place, vec3 at,
                        int *out)
{
    vec3 from = v3_sub(at, n->origin);
    double best = DBL_MAX;
    *out = 0;
    for (int i = 0; i < n->count; i++) {
        double distance = v3_norm(v3_sub(n->x[i], from));
        if (distance < best) {
            best = distance;
            *out = i;
        }
    }
    if (best <= 1e-6 * v3_spread(n->x, n->count))
        return LMB_OK;
    lmb_fail_at(context, place, "body '%s' has no node at (%g, %g, %g)", n->body, at.x, at.y, at.z);
    if (n->count == 0)
        return LMB_BAD_INPUT;
    vec3 x = v3_add(n->x[*out], n->origin);
    return lmb_hint(context, "the nearest is node %d at (%.9g, %.9g, %.9g)", n->number[*out], x.x,
                    x.y, x.z);
}

lmb_status lmb_nodes_named(lmb_context *context, const char *body, int set_count,
                           const lmb_node_set *sets, lmb_place place, const char *name, int *out)
{
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; i < set_count; i++) {
        bool found = strcmp(sets[i].name, name) == 0;
        if (found && sets[i].count == 1) {
            *out = sets[i].nodes[0];
            return LMB_OK;
        }
        if (found)
            return lmb_fail_at(context, place, "'%s' of body '%s' has %d nodes, not one", name,
                               body, sets[i].count);
        if (sets[i].count == 1)
            lmb_nearest_try(&nearest, sets[i].name);
    }
    lmb_fail_at(context, place, "body '%s' has no node '%s'", body, name);
    return lmb_nearest_hint(context, &nearest);
}

lmb_status lmb_body_node(lmb_reader *r, const char *body, const lmb_body_data *d,
                         const lmb_value *v, int *out)
{
    const lmb_nodes all = lmb_nodes_of(body, d);
    lmb_node_set *sets = lmb_arena_alloc(r->arena, (size_t)d->set_count + 1, sizeof *sets);
    double number;
    if (!sets)
        return lmb_fail_memory(r->context);
    bool named = lmb_is_node_name(r, v->node) && d->set_count > 0;
    for (int i = 0; i < d->set_count; i++) {
        int first = d->set_start[i];
        sets[i] = (lmb_node_set){d->set_name[i], d->set_node + first, d->set_start[i + 1] - first};
        if (sets[i].count == 1 && v->node->kind == LMB_TREE_TEXT &&
            strcmp(sets[i].name, v->node->text) == 0)
            named = true;
    }
    if (named)
        return lmb_nodes_named(r->context, body, d->set_count, sets, v->place, v->node->text, out);
    lmb_status status = lmb_read_number(r, v->node, "node", &number);
    return status ? status : lmb_nodes_number(&all, r->context, v->place, number, out);
}
