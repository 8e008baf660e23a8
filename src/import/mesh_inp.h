/* What the two files that read Abaqus and CalculiX share. */
#ifndef LMB_IMPORT_MESH_INP_H
#define LMB_IMPORT_MESH_INP_H

#include "import/mesh_draft.h"

enum { LMB_INP_PARAMETERS = 16 };

/* A keyword with its parameters; those without a value have an empty one. */
typedef struct lmb_inp_keyword {
    lmb_word name;
    lmb_word keys[LMB_INP_PARAMETERS], values[LMB_INP_PARAMETERS];
    int count;
} lmb_inp_keyword;

typedef enum lmb_inp_shape { LMB_INP_RECT, LMB_INP_CIRC, LMB_INP_PIPE } lmb_inp_shape;

/* Material, section or mass for a set of elements. */
typedef struct lmb_inp_assignment {
    lmb_word set, material; /* a material of length 0: none */
    int section, mass;      /* -1: none */
    lmb_inp_shape shape; /* of the section, its sizes and the direction of its axis 1; it is made */
    double size[2];      /* when the material is known */
    vec3 direction;
    bool unsupported; /* shells and the like */
    const char *file;
    int line;
} lmb_inp_assignment;

typedef struct lmb_inp {
    lmb_mesh_draft *draft;
    int depth;            /* of *INCLUDE */
    int parts, instances; /* of an Abaqus assembly */
    bool over;            /* a *STEP: the mesh is complete */
    bool reduced;         /* elements with reduced integration were there */
    int material;         /* that *ELASTIC and *DENSITY belong to; -1: none */
    lmb_list unknown;     /* const char *: keywords that were skipped */
    lmb_list assignments; /* lmb_inp_assignment */
} lmb_inp;

/* Upper and lower case and blanks do not matter. */
bool lmb_inp_is(lmb_word word, const char *text);

/* The value of a parameter, or NULL; and one that must be there. */
const lmb_word *lmb_inp_parameter(const lmb_inp_keyword *keyword, const char *key);
lmb_word lmb_inp_need(lmb_inp *inp, const lmb_inp_keyword *keyword, const char *key);

/* The next line of data; false when there is a keyword or nothing. And all that are left. */
bool lmb_inp_data(lmb_inp *inp);
void lmb_inp_skip_data(lmb_inp *inp);

/* Reads a keyword about materials, sections or masses; false: it is about something else. */
bool lmb_inp_properties(lmb_inp *inp, const lmb_inp_keyword *keyword);

/* Gives the elements their materials, sections and masses. */
lmb_status lmb_inp_assign(lmb_inp *inp);

#endif
