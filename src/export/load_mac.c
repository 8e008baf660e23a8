/* Load cases for Ansys Mechanical APDL: pilot nodes with a MASS21 element, CERIG or RBE3, supports,
 * and one load step per instant. */
#include "export/load_cases.h"

static void put_point(const lmb_load_file *f, const lmb_load_coupling *c)
{
    vec3 x = lmb_load_length(f, c->of->position);
    if (c->of->tie == LMB_TIE_NODE)
        return;
    lmb_fprintf(f->out, "N,%d,%.12g,%.12g,%.12g\nE,%d\nNSEL,NONE\n", c->reference, x.x, x.y, x.z,
                c->reference);
    for (int i = 0; i < c->of->count; i++)
        lmb_fprintf(f->out, "NSEL,A,NODE,,%d\n", f->body->mesh->number[c->of->nodes[i]]);
    lmb_fprintf(f->out, "CM,%.32s,NODE\n", c->name);
    if (c->of->tie == LMB_TIE_AVERAGE)
        lmb_fprintf(f->out, "RBE3,%d,ALL,ALL\nALLSEL\n", c->reference);
    else
        lmb_fprintf(f->out, "CERIG,%d,ALL,UXYZ\nALLSEL\n", c->reference);
}

static const char *const moved[] = {"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};

static void begin(const lmb_load_file *f)
{
    const lmb_load_body *b = f->body;
    lmb_fprintf(
        f->out,
        "! Loads of body '%s' in analysis '%s', for Ansys, in the units %s.\n"
        "! Read this file (/INPUT) behind the mesh '%s' with its materials.\n"
        "/PREP7\n*GET,LMB_TYPE,ETYP,0,NUM,MAX\n*GET,LMB_REAL,RCON,0,NUM,MAX\n"
        "ET,LMB_TYPE+1,MASS21\nR,LMB_REAL+1,0,0,0,0,0,0\nTYPE,LMB_TYPE+1\nREAL,LMB_REAL+1\n",
        f->cases->body, f->cases->analysis, b->units->name, b->source);
    for (int i = 0; i < b->coupling_count; i++)
        put_point(f, &b->couplings[i]);
    for (int i = 0; i < LMB_SUPPORTS && !f->displacements; i++)
        lmb_fprintf(f->out, "D,%d,%s,0\n", b->mesh->number[b->supports[i].node],
                    moved[b->supports[i].direction]);
    fputs("FINISH\n/SOLU\nANTYPE,STATIC\n", f->out);
}

static void put_force(const lmb_load_file *f, int node, bool turns, vec3 value)
{
    for (int k = 0; k < 3; k++)
        if (v3_get(value, k) != 0)
            lmb_fprintf(f->out, "F,%d,%c%c,%.12g\n", node, turns ? 'M' : 'F', 'X' + k,
                        v3_get(value, k));
}

static void put_motion(const lmb_load_file *f, int node, bool turns, vec3 value)
{
    for (int k = 0; k < 3; k++)
        lmb_fprintf(f->out, "D,%d,%s,%.12g\n", node, moved[(turns ? 3 : 0) + k], v3_get(value, k));
}

static void step(const lmb_load_file *f)
{
    lmb_fprintf(f->out, "! t = %.17g s\nTIME,%d\nFDELE,ALL,ALL\n", f->cases->time[f->instant],
                f->instant + 1);
    lmb_load_each_point(f, f->displacements ? put_motion : put_force);
    lmb_load_each_node(f, put_force);
    fputs("SOLVE\n", f->out);
}

static void end(const lmb_load_file *f)
{
    fputs("FINISH\n", f->out);
}

const lmb_load_writer lmb_load_mac = {
    .ending = ".mac", .nodes = true, .begin = begin, .step = step, .end = end};
