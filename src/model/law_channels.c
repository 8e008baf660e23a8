/* Channels in the laws of forces: positions, velocities, angles, angular velocities and joint
 * coordinates with their rates, each by the name that it has in the results. */

#include <string.h>

#include "model/builder.h"

/* Whether the rest of a name is a word, alone or followed by a component. */
static bool begins(const char *rest, const char *word, const char **end)
{
    size_t length = strlen(word);
    if (strncmp(rest, word, length) != 0 || (rest[length] && rest[length] != '.'))
        return false;
    *end = rest + length;
    return true;
}

/* The channels of markers, and the others of bodies that turn. */
typedef struct word {
    const char *name;
    lmb_input_kind kind;
    int dimension; /* 2, 3, or 0 for both */
} word;

static const word of_markers[] = {
    {"position", LMB_INPUT_POSITION, 0}, {"velocity", LMB_INPUT_VELOCITY, 0}, {0}};
static const word of_turns[] = {{"angular_velocity", LMB_INPUT_SPIN, 0},
                                {"angular_velocity_local", LMB_INPUT_SPIN_LOCAL, 3},
                                {"angle", LMB_INPUT_ANGLE, 2},
                                {0}};

static bool of_words(const lmb_model *m, const word *words, const char *rest, int marker,
                     lmb_input *in, const char **end)
{
    for (const word *w = words; w->name; w++)
        if ((!w->dimension || w->dimension == m->dimension) && begins(rest, w->name, end)) {
            *in = (lmb_input){.kind = w->kind, .marker = {marker, -1}};
            return true;
        }
    return false;
}

static bool of_joint(const lmb_model *m, const char *rest, const lmb_joint *j, lmb_input *in,
                     const char **end)
{
    for (int i = j->coordinate; i < j->coordinate + j->coordinate_count; i++) {
        const lmb_coordinate *x = &m->parts.coordinates[i];
        const lmb_pair *pair = &m->parts.pairs[x->pair];
        size_t length = strlen(x->name);
        bool rate = strncmp(rest, x->name, length) == 0 && begins(rest + length, "_velocity", end);
        *in = (lmb_input){.kind = rate ? LMB_INPUT_COORDINATE_RATE : LMB_INPUT_COORDINATE,
                          .index = i,
                          .marker = {pair->a, pair->b}};
        if (rate || begins(rest, x->name, end))
            return true;
    }
    return false;
}

/* Finds what a name with a dot stands for: its first number, and how many there are (0: there is no
 * such channel); `end` gets what is left of the name: nothing, or ".x". */
static int find(const lmb_builder *r, const char *name, lmb_input *in, const char **end)
{
    const lmb_model *m = r->model;
    const char *dot = strchr(name, '.'), *second = strchr(dot + 1, '.');
    int body = lmb_find_item(r, LMB_ITEM_BODY, name, (size_t)(dot - name));
    int joint = lmb_find_item(r, LMB_ITEM_JOINT, name, (size_t)(dot - name));
    if (joint >= 0 && m->joints[joint].type)
        return of_joint(m, dot + 1, &m->joints[joint], in, end);
    if (body <= 0)
        return 0;
    const lmb_named *point =
        second ? lmb_names_find(&r->points, name, (size_t)(second - name)) : NULL;
    int marker = m->body_marker[body];
    if ((point && of_words(m, of_markers, second + 1, m->points[point->index].marker, in, end)) ||
        of_words(m, of_markers, dot + 1, marker, in, end))
        return m->dimension;
    if (!m->bodies[body].ops->turns || !of_words(m, of_turns, dot + 1, marker, in, end))
        return 0;
    if (m->dimension == 2 && in->kind == LMB_INPUT_SPIN)
        in->index = 2; /* in the plane all turns are about z */
    return m->dimension == 2 ? 1 : 3;
}

lmb_status lmb_add_input(lmb_builder *r, const lmb_input *input)
{
    lmb_model *m = r->model;
    m->inputs = lmb_arena_append(r->arena, m->inputs, m->input_count, sizeof *m->inputs);
    if (!m->inputs)
        return lmb_fail_memory(r->context);
    m->inputs[m->input_count++] = *input;
    return LMB_OK;
}

/* Says why a channel that exists cannot be in a law. */
static lmb_status refuse(lmb_builder *r, const char *name, lmb_place place)
{
    static const char *const words[] = {"acceleration", "force",    "torque", "effort", "power",
                                        "quaternion",   "rotation", "modes",  "energy", "stress"};
    const char *dot = strchr(name, '.');
    const lmb_named *item = lmb_names_find(&r->items, name, (size_t)(dot - name));
    if (r->reader.incomplete ||
        (item && item->kind == LMB_ITEM_JOINT && !r->model->joints[item->index].type))
        return LMB_BAD_INPUT; /* already reported */
    const char *first = lmb_text_copy(r->arena, name, (size_t)(dot - name));
    bool other = item ? item->kind > LMB_ITEM_JOINT : first && lmb_tree_get(r->forces, first);
    for (size_t i = 0; (item || other) && i < sizeof words / sizeof *words; i++)
        if (other || strstr(dot, words[i])) {
            lmb_fail_at(r->context, place, "the law of a force cannot use '%s'", name);
            return lmb_hint(r->context,
                            "it can use positions and velocities of bodies and points, angles and "
                            "angular velocities of bodies, and joint coordinates with their rates; "
                            "nothing of forces, drivers, sensors and events");
        }
    return LMB_OK;
}

lmb_status lmb_find_law_channel(lmb_builder *r, const char *name, lmb_place place,
                                lmb_symbol *symbol)
{
    lmb_input in;
    const char *end;
    int size = find(r, name, &in, &end);
    if (!size)
        return refuse(r, name, place);
    if (*end) { /* one component of a vector */
        int axis = end[1] - 'x';
        if (size == 1 || !end[1] || end[2] || axis < 0 || axis >= size)
            return LMB_OK; /* unknown */
        in.index = axis;
        size = 1;
    }
    *symbol =
        (lmb_symbol){.kind = LMB_SYMBOL_VARIABLE,
                     .size = size,
                     .variable = LMB_EFFORT_VARIABLES + r->model->input_count - r->first_input};
    lmb_status status = LMB_OK;
    for (int i = 0; i < size && !status; i++, in.index++)
        status = lmb_add_input(r, &in);
    return status;
}

/* Offers "item.name" of all words to a search for the nearest name. */
static void offer(lmb_builder *r, lmb_nearest *nearest, const char *item, const word *words)
{
    for (const word *w = words; w->name; w++) {
        const char *full = lmb_text_format(r->arena, "%s.%s", item, w->name);
        if (full && (!w->dimension || w->dimension == r->model->dimension))
            lmb_nearest_try(nearest, full);
    }
}

void lmb_offer_law_channels(lmb_reader *reader, lmb_nearest *nearest)
{
    lmb_builder *r = (lmb_builder *)reader;
    const lmb_model *m = r->model;
    for (int i = 1; i < m->body_count; i++) {
        offer(r, nearest, m->bodies[i].name, of_markers);
        if (m->bodies[i].ops->turns)
            offer(r, nearest, m->bodies[i].name, of_turns);
    }
    for (int i = 0; i < m->joint_count; i++)
        for (int k = 0; k < m->joints[i].coordinate_count; k++) {
            const lmb_coordinate *x = &m->parts.coordinates[m->joints[i].coordinate + k];
            offer(r, nearest, m->joints[i].name, (const word[]){{x->name, 0, 0}, {0}});
        }
}
