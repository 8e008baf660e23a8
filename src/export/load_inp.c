/* Load cases for CalculiX and Abaqus: reference nodes with couplings, supports, and one step per
 * instant. */
#include "export/load_cases.h"

/* Write nodes, one per line. */
static void put_nodes(const lmb_load_file *f, const lmb_interface *p)
{
    for (int i = 0; i < p->count; i++)
        lmb_fprintf(f->out, "%d,\n", f->body->mesh->number[p->nodes[i]]);
}

/* Write the coupling of the nodes of an interface point with its reference node. */
static void put_coupling(const lmb_load_file *f, const lmb_load_coupling *c)
{
    bool average = c->of->tie == LMB_TIE_AVERAGE;
    vec3 x = lmb_load_length(f, c->of->position);
    if (c->of->tie == LMB_TIE_NODE)
        return;
    lmb_fprintf(f->out, "*NODE, NSET=%s\n%d, %.12g, %.12g, %.12g\n", c->name, c->reference, x.x,
                x.y, x.z);
    if (average) {
        lmb_fprintf(f->out, "*SURFACE, NAME=%s_SURFACE, TYPE=ELEMENT\n", c->name);
        for (int i = 0; i < c->face_count; i++)
            lmb_fprintf(f->out, "%d, S%d\n", c->faces[i][0], c->faces[i][1]);
    } else {
        lmb_fprintf(f->out, "*NSET, NSET=%s_NODES\n", c->name);
        put_nodes(f, c->of);
        lmb_fprintf(f->out, "*SURFACE, NAME=%s_SURFACE, TYPE=NODE\n%s_NODES,\n", c->name, c->name);
    }
    lmb_fprintf(f->out, "*COUPLING, REF NODE=%d, SURFACE=%s_SURFACE, CONSTRAINT NAME=%s\n%s\n",
                c->reference, c->name, c->name,
                average ? "*DISTRIBUTING\n1, 6" : "*KINEMATIC\n1, 3");
}

static void begin(const lmb_load_file *f)
{
    const lmb_load_body *b = f->body;
    lmb_fprintf(
        f->out,
        "** Loads of body '%s' in analysis '%s', for CalculiX and Abaqus, in the units %s.\n"
        "** Include this file behind nodes, elements, materials and sections of the mesh:\n"
        "** *INCLUDE, INPUT=%s\n** *INCLUDE, INPUT=(this file)\n",
        f->cases->body, f->cases->analysis, b->units->name, b->source);
    for (int i = 0; i < b->coupling_count; i++)
        put_coupling(f, &b->couplings[i]);
    if (f->displacements)
        return;
    fputs("** Statically determinate supports. Their reactions are 0: the loads are in "
          "equilibrium.\n*BOUNDARY\n",
          f->out);
    for (int i = 0; i < LMB_SUPPORTS; i++)
        lmb_fprintf(f->out, "%d, %d, %d\n", b->mesh->number[b->supports[i].node],
                    b->supports[i].direction + 1, b->supports[i].direction + 1);
}

static void put_force(const lmb_load_file *f, int node, bool turns, vec3 value)
{
    for (int k = 0; k < 3; k++)
        if (v3_get(value, k) != 0)
            lmb_fprintf(f->out, "%d, %d, %.12g\n", node, (turns ? 4 : 1) + k, v3_get(value, k));
}

static void put_motion(const lmb_load_file *f, int node, bool turns, vec3 value)
{
    for (int k = 0; k < 3; k++) {
        int direction = (turns ? 4 : 1) + k;
        lmb_fprintf(f->out, "%d, %d, %d, %.12g\n", node, direction, direction, v3_get(value, k));
    }
}

static void step(const lmb_load_file *f)
{
    lmb_fprintf(f->out, "** t = %.17g s\n*STEP\n*STATIC\n", f->cases->time[f->instant]);
    if (f->displacements) {
        fputs("*BOUNDARY, OP=NEW\n", f->out);
        lmb_load_each_point(f, put_motion);
    }
    fputs("*CLOAD, OP=NEW\n", f->out);
    if (!f->displacements)
        lmb_load_each_point(f, put_force);
    lmb_load_each_node(f, put_force);
    fputs("*NODE FILE\nU, RF\n*EL FILE\nS\n*END STEP\n", f->out);
}

const lmb_load_writer lmb_load_inp = {
    .ending = ".inp", .nodes = true, .faces = true, .begin = begin, .step = step};
