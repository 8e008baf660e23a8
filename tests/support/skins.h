/* What tests of skins measure. */
#ifndef TESTS_SKINS_H
#define TESTS_SKINS_H

#include "scene/skin.h"
#include "math/vec.h"

/* A node of a skin. */
vec3 skin_node(const lmb_skin *skin, int node);

/* The volume inside the triangles, by the divergence theorem: right only if they close it and are
 * all turned outwards. */
double skin_volume(const lmb_skin *skin);

/* Fails unless along each edge as many triangles run one way as the other; `single`: one each.
 * Nodes within a distance of each other are one. */
void assert_skin_closed(const lmb_skin *skin, double distance, bool single);

#endif
