/* Patches of flexible bodies. The point of a patch moves as the mean of its nodes, and a force on
 * the point is spread over them. The reduction needs the patches to compute stresses under unit
 * loads. */
#include <string.h>

#include "bodies/flexible.h"
#include "model/fields.h"
#include "model/flexible_part.h"

#define KEY(member) LMB_KEY(lmb_place_keys, member)

const lmb_field lmb_patch_fields[] = {
    {KEY(node), LMB_FIELD_TREE, NULL, "The number or the name of a node.", .choices = "number"},
    {KEY(at), LMB_FIELD_VECTOR, "m",
     "Instead: where that node is, in the coordinates of the mesh."},
    {KEY(nodes), LMB_FIELD_TREE, NULL,
     "Instead: the name of a set of the file or of a member, a list of numbers, or all. Forces are "
     "spread over "
     "them evenly, by the length of beams and the area of surfaces between them.",
     .choices = "node_set"},
    LMB_SELECTION_FIELDS(lmb_place_keys),
    {0},
};

/* --- shares of nodes -------------------------------------------------------------------------- */

/* Compute the shares from the lines and triangles whose nodes are all marked. Without any, the
 * shares are equal. */
static void share_force(const lmb_body_data *d, const bool *wanted, lmb_node_share *shares)
{
    const lmb_reduced *r = d->reduced;
    double sum = 0;
    for (int i = 0; i < d->line_count; i++) {
        const int *k = d->lines + 2 * (size_t)i;
        vec3 along = v3_sub(r->x[k[1]], r->x[k[0]]);
        double h = v3_norm(along);
        if (!wanted[k[0]] || !wanted[k[1]])
            continue;
        for (int j = 0; j < 2; j++) {
            shares[k[j]].part += h / 2;
            shares[k[j]].lean = v3_axpy(shares[k[j]].lean, (j ? -h : h) / 12, along);
        }
        sum += h;
    }
    for (int i = 0; i < d->triangle_count; i++) {
        const int *k = d->triangles + 3 * (size_t)i;
        vec3 u = v3_sub(r->x[k[1]], r->x[k[0]]), v = v3_sub(r->x[k[2]], r->x[k[0]]);
        double area = v3_norm(v3_cross(u, v)) / 2;
        if (!wanted[k[0]] || !wanted[k[1]] || !wanted[k[2]])
            continue;
        for (int j = 0; j < 3; j++)
            shares[k[j]].part += area / 3;
        sum += area;
    }
    bool alone = sum == 0;
    for (int i = 0; i < r->node_count && alone; i++) {
        shares[i].part = wanted[i];
        sum += wanted[i];
    }
    for (int i = 0; i < r->node_count; i++)
        shares[i] = (lmb_node_share){shares[i].part / sum, v3_scale(1 / sum, shares[i].lean)};
}

/* Make the point of a patch, which moves as the mean of its nodes. */
static bool make_patch(lmb_builder *r, const lmb_body *b, const lmb_node_share *shares,
                       lmb_modal_point *out)
{
    const lmb_reduced *reduced = lmb_body_data_of(b)->reduced;
    size_t modes = (size_t)reduced->mode_count, nodes = (size_t)reduced->node_count;
    *out = (lmb_modal_point){.psi = lmb_arena_alloc(r->arena, modes, sizeof(vec3)),
                             .phi = lmb_arena_alloc(r->arena, modes, sizeof(vec3))};
    if (!out->psi || !out->phi)
        return false;
    for (size_t i = 0; i < nodes; i++) {
        double part = shares[i].part;
        out->p = v3_axpy(out->p, part, reduced->x[i]);
        for (size_t k = 0; part != 0 && k < modes; k++) {
            const double *u = reduced->shape + 3 * (k * nodes + i);
            const double *t = reduced->turn ? reduced->turn + 3 * (k * nodes + i) : NULL;
            out->psi[k] = v3_axpy(out->psi[k], part, v3(u[0], u[1], u[2]));
            if (!t)
                continue;
            vec3 theta = v3(t[0], t[1], t[2]);
            out->psi[k] = v3_add(out->psi[k], v3_cross(theta, shares[i].lean));
            out->phi[k] = v3_axpy(out->phi[k], part, theta);
        }
    }
    return true;
}

/* Compute the share of each node of a body in a force on a patch. */
static lmb_status find_shares(lmb_reader *r, const char *body, const lmb_body_data *d,
                              const lmb_place_keys *k, lmb_node_share *shares)
{
    size_t nodes = (size_t)d->reduced->node_count;
    bool *wanted = lmb_arena_alloc(r->arena, nodes + 1, sizeof *wanted);
    if (!wanted)
        return lmb_fail_memory(r->context);
    int found;
    lmb_status status = lmb_mark_place(r, body, d, k, wanted, &found);
    if (!status)
        share_force(d, wanted, shares);
    return status;
}

static lmb_status read_keys(lmb_reader *r, const lmb_entry *e, lmb_place_keys *k)
{
    if (lmb_read_fields(r, e->node, lmb_patch_fields, e->what, NULL, k))
        return LMB_BAD_INPUT;
    if (lmb_place_ways(k) != 1)
        return lmb_fail_at(r->context, e->key->place,
                           "give one of node, at and nodes, or select nodes by geometry");
    return LMB_OK;
}

/* --- unit loads on patches, for the reduction ------------------------------------------------- */

/* Patches of a part, for lmb_reduction */
typedef struct patch_list {
    lmb_reader reader;       /* a copy, because the part outlives the original reader */
    lmb_flexible_part *part; /* valid while the part is read */
    const char *part_name;
    lmb_place_keys *keys; /* patch_count of lmb_reduction */
} patch_list;

/* Add the nodes of a patch to the settings of the part: a name, a number or a list of numbers. */
static lmb_status note_nodes(lmb_reader *r, lmb_flexible_part *p, const lmb_place_keys *k)
{
    double number;
    const lmb_tree *node = k->node.given ? k->node.node : k->nodes.node;
    if (node->kind == LMB_TREE_TEXT && (k->nodes.given || lmb_is_node_name(r, node))) {
        lmb_part_note(r, p, "patch: %s\n", node->text);
        return LMB_OK;
    }
    bool list = node->kind == LMB_TREE_LIST;
    for (int i = 0; i < (list ? node->count : k->node.given); i++) {
        const lmb_tree *item = list ? node->items[i] : node;
        lmb_status status = lmb_read_number(r, item, "nodes", &number);
        if (status)
            return status;
        lmb_part_note(r, p, "%s%.17g\n", i ? "" : "patch:\n", number);
    }
    return LMB_OK;
}

static lmb_status note_patch(lmb_reader *reader, const lmb_entry *e, void *user)
{
    patch_list *list = user;
    lmb_place_keys *k = &list->keys[list->part->reduction.patch_count++];
    lmb_status status = read_keys(reader, e, k);
    if (status)
        return status;
    if (lmb_has_selection(&k->selection)) {
        lmb_node_selection selection;
        status = lmb_read_node_selection(reader, &k->selection, e->key->text, &selection);
        if (!status)
            lmb_part_note(reader, list->part, "patch: %s\n",
                          lmb_selection_text(reader->arena, &selection));
        return status;
    }
    if (k->at.given)
        lmb_part_note(reader, list->part, "patch: %.17g %.17g %.17g\n", k->at.vector.x,
                      k->at.vector.y, k->at.vector.z);
    return k->at.given ? LMB_OK : note_nodes(reader, list->part, k);
}

static lmb_status share_patch(void *user, lmb_context *c, const lmb_body_data *d, int patch,
                              lmb_node_share *out)
{
    patch_list *list = user;
    list->reader.context = c;
    return find_shares(&list->reader, list->part_name, d, &list->keys[patch], out);
}

lmb_status lmb_part_read_patches(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *section)
{
    patch_list *list = lmb_arena_alloc(r->arena, 1, sizeof *list);
    lmb_place_keys *keys =
        lmb_arena_alloc(r->arena, (size_t)lmb_tree_count(section) + 1, sizeof *keys);
    if (!list || !keys)
        return lmb_fail_memory(r->context);
    *list = (patch_list){*r, p, p->name, keys};
    p->reduction.share_patch = share_patch;
    p->reduction.patches = list;
    return lmb_read_section(r, section, "patches", "patch", "places", note_patch, list);
}

/* --- the key of a body ------------------------------------------------------------------------ */

/* Output of the points of patches */
typedef struct patches {
    const lmb_body *body;
    lmb_modal_point *next;
} patches;

static lmb_status read_patch(lmb_reader *reader, const lmb_entry *e, void *user)
{
    lmb_builder *r = (lmb_builder *)reader;
    patches *p = user;
    const lmb_body_data *d = lmb_body_data_of(p->body);
    lmb_place_keys k;
    lmb_node_share *shares =
        lmb_arena_alloc(r->arena, (size_t)d->reduced->node_count + 1, sizeof *shares);
    if (!shares)
        return lmb_fail_memory(r->context);
    lmb_status status = read_keys(reader, e, &k);
    if (status || (status = find_shares(reader, p->body->name, d, &k, shares)))
        return status;
    return make_patch(r, p->body, shares, p->next++) ? LMB_OK : lmb_fail_memory(r->context);
}

lmb_status lmb_read_patches(lmb_builder *r, int body, const lmb_tree *section)
{
    lmb_body *b = &r->model->bodies[body];
    const lmb_modal *before = lmb_body_elasticity(b)->modal;
    size_t interfaces = (size_t)before->point_count, count = lmb_tree_count(section);
    lmb_modal *modal = lmb_arena_alloc(r->arena, 1, sizeof *modal);
    lmb_flexible *own = lmb_arena_alloc(r->arena, 1, sizeof *own);
    lmb_modal_point *points =
        lmb_arena_grow(r->arena, before->points, interfaces, interfaces + count, sizeof *points);
    if (!modal || !own || !points)
        return lmb_fail_memory(r->context);
    *modal = *before;
    modal->points = points;
    modal->point_count += (int)count;
    *own = *(const lmb_flexible *)b->own;
    own->elasticity.modal = modal;
    patches p = {b, points + interfaces};
    lmb_status status =
        lmb_read_section(&r->reader, section, "patches", "patch", "places", read_patch, &p);
    b->own = own;
    return status;
}

lmb_status lmb_check_held(lmb_builder *r, const lmb_end *end, lmb_place place, const char *what)
{
    const lmb_body *b = &r->model->bodies[end->body];
    const lmb_elasticity *e = lmb_body_elasticity(b);
    if (!e || end->point < e->data->reduced->point_count)
        return LMB_OK;
    lmb_fail_at(r->context, place, "%s cannot attach to a patch, which has no axes", what);
    return lmb_hint(r->context, "make it one of the 'interfaces' of '%s'", b->name);
}
