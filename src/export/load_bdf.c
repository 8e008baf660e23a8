/* Load cases for Nastran: grid points with RBE2 or RBE3, supports, and one load set per instant.
 * Numbers have 16 columns (large fields). */
#include "export/load_cases.h"

enum { SUPPORTS = 1, FIRST_LOAD = 101 };

/* Return a number in 16 columns. */
static void put_real(FILE *out, double value)
{
    lmb_fprintf(out, "%16.9E", value);
}

/* Write the list of tied nodes of a card whose first fields are already written, eight fields per
 * line. */
static void put_nodes(const lmb_load_file *f, const lmb_interface *p, int field)
{
    for (int i = 0; i < p->count; i++, field++) {
        if (field > 0 && field % 8 == 0)
            fputs("\n        ", f->out);
        lmb_fprintf(f->out, "%8d", f->body->mesh->number[p->nodes[i]]);
    }
    putc('\n', f->out);
}

static void put_point(const lmb_load_file *f, const lmb_load_coupling *c, int element)
{
    vec3 x = lmb_load_length(f, c->of->position);
    if (c->of->tie == LMB_TIE_NODE)
        return;
    lmb_fprintf(f->out, "$ %s\nGRID*   %16d%16s", c->name, c->reference, "");
    put_real(f->out, x.x);
    put_real(f->out, x.y);
    fputs("\n*       ", f->out);
    put_real(f->out, x.z);
    putc('\n', f->out);
    if (c->of->tie == LMB_TIE_AVERAGE) {
        lmb_fprintf(f->out, "RBE3    %8d%8s%8d%8d%8.1f%8d", element, "", c->reference, 123456, 1.0,
                    123);
        put_nodes(f, c->of, 6);
    } else {
        lmb_fprintf(f->out, "RBE2    %8d%8d%8d", element, c->reference, 123);
        put_nodes(f, c->of, 3);
    }
}

static void begin(const lmb_load_file *f)
{
    const lmb_load_body *b = f->body;
    lmb_fprintf(
        f->out,
        "$ Loads of body '%s' in analysis '%s', for Nastran, in the units %s.\n"
        "$ Include this file in the bulk data with the mesh '%s'. Case control (SOL 101):\n",
        f->cases->body, f->cases->analysis, b->units->name, b->source);
    for (int i = 0; i < f->cases->count; i++) {
        lmb_fprintf(f->out, "$ SUBCASE %d\n$   LABEL = t %.9g s\n", i + 1, f->cases->time[i]);
        lmb_fprintf(f->out, "$   SPC = %d\n$   LOAD = %d\n",
                    f->displacements ? FIRST_LOAD + i : SUPPORTS, FIRST_LOAD + i);
    }
    for (int i = 0; i < b->coupling_count; i++)
        put_point(f, &b->couplings[i], b->next_element + i);
    for (int i = 0; i < LMB_SUPPORTS && !f->displacements; i++)
        lmb_fprintf(f->out, "SPC1    %8d%8d%8d\n", SUPPORTS, b->supports[i].direction + 1,
                    b->mesh->number[b->supports[i].node]);
}

static void put_force(const lmb_load_file *f, int node, bool turns, vec3 value)
{
    if (v3_norm(value) == 0)
        return;
    lmb_fprintf(f->out, "%-8s%16d%16d%16d%16.1f\n*       ", turns ? "MOMENT*" : "FORCE*",
                FIRST_LOAD + f->instant, node, 0, 1.0);
    for (int k = 0; k < 3; k++)
        put_real(f->out, v3_get(value, k));
    putc('\n', f->out);
}

static void put_motion(const lmb_load_file *f, int node, bool turns, vec3 value)
{
    for (int k = 0; k < 3; k++) {
        lmb_fprintf(f->out, "SPC*    %16d%16d%16d", FIRST_LOAD + f->instant, node,
                    (turns ? 4 : 1) + k);
        put_real(f->out, v3_get(value, k));
        fputs("\n*\n", f->out);
    }
}

static void step(const lmb_load_file *f)
{
    lmb_fprintf(f->out, "$ t = %.17g s\n", f->cases->time[f->instant]);
    lmb_load_each_point(f, f->displacements ? put_motion : put_force);
    lmb_load_each_node(f, put_force);
}

const lmb_load_writer lmb_load_bdf = {
    .ending = ".bdf", .nodes = true, .begin = begin, .step = step};
