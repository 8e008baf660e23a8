/* The keys of probes and instruments. */
#include "model/sensor_fields.h"

#define NODE_FIELD(text)                                                                           \
    {                                                                                              \
        .name = "node", .type = LMB_FIELD_NUMBER, .doc = text                                      \
    }
#define AT_FIELD                                                                                   \
    {                                                                                              \
        .name = "at", .type = LMB_FIELD_VECTOR, .unit = "m",                                       \
        .doc = "Instead: where that node is, in the coordinates of the mesh."                      \
    }
#define BODY_FIELD                                                                                 \
    {                                                                                              \
        .name = "body", .type = LMB_FIELD_TEXT, .required = true, .doc = "The flexible body."      \
    }

const lmb_field lmb_probe_fields[] = {
    [LMB_PROBE_NODE] = NODE_FIELD("The number of a node."),
    [LMB_PROBE_AT] = AT_FIELD,
    [LMB_PROBE_NODES] = {.name = "nodes",
                         .type = LMB_FIELD_TREE,
                         .choices = "node_set",
                         .doc = "Instead: the mean over nodes of solids, the name of a set of the "
                                "file or a list of numbers."},
    [LMB_PROBE_COUNT] = {0},
};

const lmb_field lmb_patch_fields[] = {
    [LMB_PROBE_NODE] = NODE_FIELD("The number of a node."),
    [LMB_PROBE_AT] = AT_FIELD,
    [LMB_PROBE_NODES] = {.name = "nodes",
                         .type = LMB_FIELD_TREE,
                         .choices = "node_set",
                         .doc = "Instead: the name of a set of the file, a list of numbers, or "
                                "all. Forces are spread over them evenly, by the length of beams "
                                "and the area of surfaces between them."},
    [LMB_PROBE_COUNT] = {0},
};

static const lmb_field accelerometer_fields[] = {
    [LMB_ACCELEROMETER_POINT] = {.name = "point",
                                 .type = LMB_FIELD_END,
                                 .required = true,
                                 .doc = "The body, or the point of one such as crank.B, in whose "
                                        "axes it measures."},
    [LMB_ACCELEROMETER_GRAVITY] = {.name = "gravity",
                                   .type = LMB_FIELD_FLAG,
                                   .doc = "Whether it feels gravity as a real one does: it reads 0 "
                                          "in free fall, and gravity upwards at rest.",
                                   .otherwise = 1,
                                   .otherwise_doc = "true"},
    [LMB_ACCELEROMETER_COUNT] = {0},
};

static const lmb_field gauge_fields[] = {
    [LMB_GAUGE_BODY] = BODY_FIELD,
    [LMB_GAUGE_NODE] = NODE_FIELD("The number of the node that it sits on."),
    [LMB_GAUGE_AT] = AT_FIELD,
    [LMB_GAUGE_DIRECTION] = {.name = "direction",
                             .type = LMB_FIELD_VECTOR,
                             .range = LMB_NOT_ZERO,
                             .doc = "On a solid: the direction that it measures along, in body "
                                    "axes. On a beam it measures along that."},
    [LMB_GAUGE_FIBRE] = {.name = "fibre",
                         .type = LMB_FIELD_NUMBERS,
                         .unit = "m",
                         .doc = "On a beam: where it is in the section, [y, z] (in the plane y).",
                         .otherwise_doc = "the extreme fibre along y"},
    [LMB_GAUGE_COUNT] = {0},
};

static const lmb_field rosette_fields[] = {
    [LMB_GAUGE_BODY] = BODY_FIELD,
    [LMB_GAUGE_NODE] = NODE_FIELD("The number of the node on the surface that it sits on."),
    [LMB_GAUGE_AT] = AT_FIELD,
    [LMB_GAUGE_DIRECTION] = {.name = "direction",
                             .type = LMB_FIELD_VECTOR,
                             .range = LMB_NOT_ZERO,
                             .required = true,
                             .doc = "The direction of its first grid in body axes; what is across "
                                    "the surface does not count."},
    [LMB_ROSETTE_NORMAL] = {.name = "normal",
                            .type = LMB_FIELD_VECTOR,
                            .range = LMB_NOT_ZERO,
                            .doc = "The outer normal of the surface, for nodes on edges.",
                            .otherwise_doc = "that of the surface at the node"},
    [LMB_ROSETTE_COUNT] = {0},
};

const lmb_instrument_type lmb_instrument_types[] = {
    {"accelerometer", "The acceleration of a point in its own axes.", accelerometer_fields},
    {"gauge", "The strain in a direction at a node of a flexible body.", gauge_fields},
    {"rosette",
     "Three strains in the surface of a solid, along 0, 45 and 90 degrees from its direction, the "
     "stress in its axes, and von Mises' stress.",
     rosette_fields},
    {0},
};
