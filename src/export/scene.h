/* A result as moving meshes: what `limber export --vtk` and `--gltf` write.
 *
 * Rigid bodies have the solids of their shapes, with links to points outside, or links to all of
 * their points where they have no shape; flexible bodies their skins. */
#ifndef LMB_EXPORT_SCENE_H
#define LMB_EXPORT_SCENE_H

#include "limber/result.h"
#include "scene/skin.h"
#include "scene/geometry.h"
#include "math/vec.h"

typedef struct lmb_scene_body {
    const char *name;
    lmb_solid_mesh mesh;  /* in body axes */
    const lmb_skin *skin; /* of a flexible body, whose nodes are those of the mesh; else NULL */
    vec3 *position;       /* instant */
    quat *turn;           /* instant; each on the same side as the one before */
    double *eta;          /* instant x mode of the skin */
    double *strained;     /* instant x column of the stresses of the skin: what they are of */

    /* of a skin that sections of a beam carry */
    lmb_frame *frames; /* instant x carrier */
    double *sections;  /* instant x carrier x 4: normal force, moments about y and z, torque */
} lmb_scene_body;

typedef struct lmb_scene {
    lmb_arena *arena;
    vec3 up; /* unit: against gravity, else z (in the plane y) */
    int instant_count;
    double *time;
    int body_count;
    lmb_scene_body *bodies; /* without the ground */
} lmb_scene;

/* Reads the analysis of a number at instants as lmb_result_instants chooses them. To be freed
 * with lmb_arena_free(scene->arena). */
lmb_status lmb_scene_read(lmb_scene **out, lmb_context *context, lmb_result *result, int analysis,
                          double step);

/* Writes DIR/NAME.pvd and a .vtu file an instant, for ParaView: positions as they are at that
 * instant, deformation and stresses at the nodes. */
lmb_status lmb_write_vtk(lmb_context *context, const lmb_scene *scene, const char *folder,
                         const char *name);

/* Writes a binary glTF 2.0 file: an animation of the bodies, modes as morph targets. */
lmb_status lmb_write_gltf(lmb_context *context, const lmb_scene *scene, const char *path);

#endif
