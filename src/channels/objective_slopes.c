/* Derivatives of the expressions of objectives by the chain rule (channels/chain.h):
 *
 *   dg/dx = sum over numbers c of channels: dg/dc df/dy dy/dx,   W = dg/dc df/dy
 *
 * dg/dc comes from the jets of the expression at the present state. Numbers that the expression
 * does not use at this state, such as the other branch of an `if`, are skipped. */
#include <math.h>
#include <string.h>

#include "channels/channel_list.h"

/* A number that the objectives use at the state where they were linearised. */
struct lmb_link {
    int channel;
    lmb_number number;
    int at, count;  /* its numbers y */
    int first, end; /* the objectives that depend on it are in this range */
};

/* Expressions of sensors and events are made of other channels. */
static bool is_needed(const lmb_channels *c, int i)
{
    return c->sources[i].at < c->sensor_at && (c->sources[i].used & c->objectives_need);
}

static const lmb_chain *chain_of(const lmb_channels *c, int channel)
{
    static const lmb_chain none;
    return c->sources[channel].chain ? c->sources[channel].chain : &none;
}

/* Return true if the numbers y of a link have exact derivatives. */
static bool has_slope(const lmb_channels *c, const struct lmb_link *link)
{
    const lmb_chain *chain = chain_of(c, link->channel);
    return chain->slope && !(chain->beyond && chain->beyond(c, &link->number));
}

/* --- neighbours ------------------------------------------------------------------------------- */

/* The marker that all numbers of a channel depend on alone; -1: there is none. */
static int find_marker(const lmb_channels *c, int i)
{
    const lmb_chain *chain = chain_of(c, i);
    return chain->marker ? chain->marker(c, c->sources[i].item) : -1;
}

bool lmb_channels_are_alike(const lmb_channels *a, const lmb_channels *b, const bool *others)
{
    bool alike = a->count == b->count && a->expression_count == b->expression_count &&
                 a->objective_count == b->objective_count;
    for (int i = 0; i < a->count && alike; i++) {
        int marker = is_needed(a, i) ? find_marker(a, i) : 0;
        if (is_needed(a, i))
            alike = is_needed(b, i) && marker >= 0 && marker == find_marker(b, i) &&
                    a->sources[i].chain == b->sources[i].chain &&
                    a->sources[i].part == b->sources[i].part && !others[marker];
    }
    for (int i = 0; i < a->objective_count && alike; i++)
        alike = lmb_expr_same(a->objectives[i], b->objectives[i]);
    for (int i = 0; i < a->expression_count && alike && (a->objectives_need & LMB_BY_SENSOR); i++)
        alike = lmb_expr_same(a->expressions[i], b->expressions[i]);
    return alike;
}

/* --- expressions ------------------------------------------------------------------------------ */

/* The expressions of sensors and events with the derivatives that the variables have. */
static void pass_on(lmb_channels *c, double t)
{
    lmb_jet *out = c->variables + c->sensor_at;
    for (int i = 0; i < c->expression_count; i++) {
        lmb_jet value[3];
        out = i == c->first_event ? c->variables + c->event_at : out;
        lmb_expr_play(c->expressions[i], (lmb_jet){t, 0, 0}, NULL, c->variables, value);
        for (int k = 0; k < lmb_expr_size(c->expressions[i]); k++)
            *out++ = value[k];
    }
}

/* Evaluates the objectives for the variables as they are. */
static void play(lmb_channels *c, double t, lmb_jet *out)
{
    if (c->objectives_need & LMB_BY_SENSOR)
        pass_on(c, t);
    for (int o = 0; o < c->objective_count; o++)
        lmb_expr_play(c->objectives[o], (lmb_jet){t, 0, 0}, NULL, c->variables, &out[o]);
}

/* --- linearisation ---------------------------------------------------------------------------- */

static int count_of(const lmb_channels *c, const lmb_chain *chain)
{
    return chain->count < 0 ? c->model->nrows : chain->count ? chain->count : 1;
}

bool lmb_channels_prepare_slopes(lmb_channels *c)
{
    size_t numbers = 1, inner = 1, most = 1;
    for (int i = 0; i < c->count; i++) {
        size_t size = is_needed(c, i) ? (size_t)c->channels[i].size : 0;
        size_t count = (size_t)count_of(c, chain_of(c, i));
        numbers += size;
        inner += size * count;
        most = size > 0 && count > most ? count : most;
    }
    c->links = lmb_arena_alloc(c->arena, numbers, sizeof *c->links);
    c->y = lmb_arena_numbers(c->arena, inner + 2 * most);
    c->y_room = inner;
    c->weights = lmb_arena_numbers(c->arena, inner * (size_t)c->objective_count);
    c->objective_jets =
        lmb_arena_alloc(c->arena, (size_t)c->objective_count + 1, sizeof *c->objective_jets);
    return lmb_arena_fine(c->arena);
}

/* The numbers y of a link of `base` in channels of the same model or of a neighbour; `again`: the
 * channel was evaluated for the link before. */
static void find_inner(lmb_channels *own, const lmb_channels *base, const struct lmb_link *link,
                       const lmb_state *s, bool again, double *y)
{
    const lmb_chain *chain = chain_of(base, link->channel);
    const lmb_channel_source *from = &own->sources[link->channel];
    if (chain->inner) {
        chain->inner(own, s, &link->number, y);
        return;
    }
    double *numbers = own->row + from->at, same = 0;
    if (!again)
        from->get(own, s, from->item, from->part, numbers);
    for (int k = 0; k < 4 && chain->signless; k++)
        same += numbers[k] * base->variables[from->at + k].f;
    y[0] = same < 0 ? -numbers[link->number.k] : numbers[link->number.k];
}

/* f(y) and df/dy; `by` has room for twice as many numbers. */
static double find_outer(lmb_channels *own, const lmb_channels *base, const struct lmb_link *link,
                         const double *y, double *by)
{
    const lmb_chain *chain = chain_of(base, link->channel);
    double *unit = by + link->count;
    if (chain->outer)
        return chain->outer(own, &link->number, y, by);
    memset(unit, 0, (size_t)link->count * sizeof *unit);
    for (int j = 0; j < link->count; j++) {
        unit[j] = 1;
        by[j] = chain->linear ? chain->linear(own, &link->number, unit) : 1;
        unit[j] = 0;
    }
    return chain->linear ? chain->linear(own, &link->number, y) : y[0];
}

/* Adds number k of a channel if an objective depends on it. */
static void add_link(lmb_channels *c, const lmb_state *s, int channel, int k)
{
    const lmb_channel_source *from = &c->sources[channel];
    const lmb_chain *chain = chain_of(c, channel);
    lmb_jet *jets = c->objective_jets;
    int first = c->objective_count, end = 0;
    c->variables[from->at + k].d = 1;
    play(c, s->t, jets);
    c->variables[from->at + k].d = 0;
    for (int o = 0; o < c->objective_count; o++)
        if (jets[o].d != 0) {
            first = first < o ? first : o;
            end = o + 1;
        }
    if (end == 0 || !lmb_channel_is_computed(from))
        return;
    struct lmb_link *link = &c->links[c->link_count++];
    *link = (struct lmb_link){.channel = channel,
                              .number = {from->item, from->part, k, from->item, -1, k},
                              .at = c->y_count,
                              .count = count_of(c, chain),
                              .first = first,
                              .end = end};
    if (chain->locate)
        chain->locate(c, s, &link->number);
    c->y_count += link->count;
    double *y = c->y + link->at, *by = c->y + c->y_room;
    find_inner(c, c, link, s, true, y);
    find_outer(c, c, link, y, by);
    for (int o = first; o < end; o++)
        for (int j = 0; j < link->count; j++)
            c->weights[(size_t)o * c->y_room + (size_t)(link->at + j)] =
                jets[o].d == 0 ? 0 : jets[o].d * by[j];
}

void lmb_channels_linearise(lmb_channels *c, const lmb_state *s)
{
    lmb_channels_objectives(c, s); /* sets the variables */
    c->link_count = c->y_count = 0;
    for (int n = 0; n < c->needed_count; n++)
        for (int k = 0; k < c->channels[c->needed[n]].size && is_needed(c, c->needed[n]); k++)
            add_link(c, s, c->needed[n], k);
}

bool lmb_channels_slopes(lmb_channels *c, const lmb_state *s, double *slopes)
{
    size_t nv = (size_t)s->model->nv, all = 3 * nv + (size_t)s->model->nrows;
    bool exact = true;
    memset(slopes, 0, (size_t)c->objective_count * all * sizeof *slopes);
    for (int i = 0; i < c->link_count; i++) {
        const struct lmb_link *link = &c->links[i];
        const lmb_chain *chain = chain_of(c, link->channel);
        bool known = has_slope(c, link);
        exact = exact && known;
        for (int o = link->first; o < link->end && known; o++) {
            const double *weights = c->weights + (size_t)o * c->y_room + link->at;
            double *to = slopes + (size_t)o * all;
            bool depends = false;
            for (int j = 0; j < link->count; j++)
                depends = depends || weights[j] != 0;
            if (depends)
                chain->slope(c, s, &link->number, weights,
                             &(lmb_slopes){to, to + nv, to + 2 * nv, to + 3 * nv});
        }
    }
    return exact;
}

void lmb_channels_reach(const lmb_channels *c, double *marks)
{
    size_t nv = (size_t)c->model->nv, all = 3 * nv + (size_t)c->model->nrows;
    lmb_slopes to = {marks, marks + nv, marks + 2 * nv, marks + 3 * nv};
    memset(marks, 0, all * sizeof *marks);
    for (int i = 0; i < c->link_count; i++) {
        const lmb_chain *chain = chain_of(c, c->links[i].channel);
        int marker = find_marker(c, c->links[i].channel);
        if (has_slope(c, &c->links[i]))
            continue;
        if (chain->reach)
            chain->reach(c, &c->links[i].number, &to);
        else if (marker >= 0)
            lmb_marks_add_marker(c->model, &to, marker);
        else
            for (size_t j = 0; j < all; j++)
                marks[j] = 1;
    }
}

void lmb_channels_linear(lmb_channels *own, const lmb_channels *base, const lmb_state *s,
                         bool rough, double *out)
{
    double *y = base->y + base->y_room; /* room behind those of the base */
    memset(out, 0, (size_t)base->objective_count * sizeof *out);
    lmb_channels_next_instant(own);
    for (int i = 0; i < base->link_count; i++) {
        const struct lmb_link *link = &base->links[i];
        if (rough && has_slope(base, link))
            continue;
        find_inner(own, base, link, s, i > 0 && link[-1].channel == link->channel, y);
        for (int o = link->first; o < link->end; o++)
            for (int j = 0; j < link->count; j++) {
                double weight = base->weights[(size_t)o * base->y_room + (size_t)(link->at + j)];
                double change = y[j] - base->y[link->at + j];
                out[o] += weight == 0 || change == 0 ? 0 : weight * change; /* 0 beats infinity */
            }
    }
}

void lmb_channels_frozen(lmb_channels *own, lmb_channels *base, double t, double *out)
{
    double *by = base->y + base->y_room;
    for (int n = 0; n < base->needed_count; n++) {
        int first = base->sources[base->needed[n]].at;
        for (int k = first; k < first + base->channels[base->needed[n]].size; k++)
            own->variables[k] = (lmb_jet){base->variables[k].f, 0, 0};
    }
    for (int i = 0; i < base->link_count; i++) {
        const struct lmb_link *link = &base->links[i];
        int number = base->sources[link->channel].at + link->number.k;
        const double *y = base->y + link->at;
        double f = find_outer(own, base, link, y, by) - find_outer(base, base, link, y, by);
        own->variables[number].f += f;
    }
    play(own, t, base->objective_jets);
    for (int o = 0; o < base->objective_count; o++)
        out[o] = base->objective_jets[o].f;
}
