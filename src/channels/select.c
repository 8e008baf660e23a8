/* The channels that are stored: all of them, or those that the patterns of an analysis name.
 *
 * A row has the numbers of all channels in any case, so that sensors, events, records and warnings
 * find theirs where they always are; what nobody needs is not computed. */
#include <fnmatch.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "channels/channel_list.h"

/* Says that no channel fits a pattern; an item alone is not the name of its channels. */
static lmb_status fail_pattern(const lmb_channels *c, lmb_context *context,
                               const lmb_channel_pattern *p)
{
    lmb_fail_at(context, p->place, "no channel of this analysis fits '%s'", p->text);
    lmb_nearest nearest = lmb_nearest_start(p->text);
    size_t length = strlen(p->text);
    bool item = false;
    for (int i = 0; i < c->count; i++) {
        const char *name = c->channels[i].name;
        item |= strncmp(name, p->text, length) == 0 && name[length] == '.';
        lmb_nearest_try(&nearest, name);
    }
    if (item)
        return lmb_hint(context, "'%s.*' are all channels of '%s'", p->text, p->text);
    lmb_hint(context, "after a run without 'results', `limber list` prints the channels");
    return lmb_nearest_hint(context, &nearest);
}

/* Marks the channels that fit a pattern; a name without wildcards is looked up. */
static lmb_status mark_pattern(const lmb_channels *c, lmb_context *context,
                               const lmb_channel_pattern *p, bool *stored)
{
    bool some = false;
    const lmb_named *named = lmb_names_find(&c->names, p->text, strlen(p->text));
    if (named) {
        stored[named->index] = true;
        return LMB_OK;
    }
    bool glob = strpbrk(p->text, "*?[") != NULL;
    for (int i = 0; glob && i < c->count; i++)
        if (fnmatch(p->text, c->channels[i].name, 0) == 0)
            some = stored[i] = true;
    return some ? LMB_OK : fail_pattern(c, context, p);
}

/* The channel that a number of a row belongs to. */
static int channel_at(const lmb_channels *c, int at)
{
    int low = 0, high = c->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (c->sources[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What later analyses play back must be in the file, so that a run can go on from it. */
static void mark_records(const lmb_channels *c, const lmb_analysis *a, bool *stored)
{
    const lmb_model *m = c->model;
    for (int i = 0; i < m->record_count; i++)
        if (&m->analyses[m->records[i].source] == a)
            stored[channel_at(c, m->records[i].at)] = true;
}

/* The record of a body is made of rows as they are stored: all that it reads, or no record. */
static void mark_bodies(lmb_channels *c, bool *stored)
{
    int kept = 0;
    for (int i = 0; c->record && i < c->record->count; i++) {
        const lmb_body_record *b = &c->record->bodies[i];
        if (!stored[channel_at(c, b->at.modes)])
            continue;
        if (b->at.coordinates > 0)
            stored[channel_at(c, b->at.coordinates)] = true;
        c->record->bodies[kept++] = *b;
    }
    if (c->record)
        c->record->count = kept;
}

/* The same of envelopes of beams with large deformation, of which section forces are read. */
static void mark_lines(lmb_channels *c, bool *stored)
{
    int kept = 0;
    for (int i = 0; c->lines && i < c->lines->envelope_count; i++) {
        const lmb_line_envelope *e = &c->lines->envelopes[i];
        bool *force = &stored[channel_at(c, e->force)], *moment = &stored[channel_at(c, e->moment)];
        if (!*force && !*moment)
            continue;
        *force = *moment = true;
        c->lines->envelopes[kept++] = *e;
    }
    if (c->lines)
        c->lines->envelope_count = kept;
}

/* Warnings are given in any case: of energies, and of lines that deform too much. */
static bool is_watched(const lmb_channels *c, int channel)
{
    const char *name = c->channels[channel].name;
    const char *last = strrchr(name, '.');
    if (strncmp(name, "energy.", 7) == 0)
        return true;
    static const char *const of_lines[] = {".strain", ".curvature", ".nodes_quaternion",
                                           ".nodes_angle"};
    for (size_t i = 0; c->lines && last && i < sizeof of_lines / sizeof *of_lines; i++)
        if (strcmp(last, of_lines[i]) == 0)
            return true;
    return false;
}

/* Lists what is stored; what nobody needs is not computed. */
static lmb_status list_stored(lmb_channels *c, lmb_context *context, const bool *stored)
{
    size_t count = 0, size = 0;
    for (int i = 0; i < c->count; i++) {
        count += stored[i];
        size += stored[i] ? (size_t)c->channels[i].size : 0;
    }
    c->stored = lmb_arena_integers(c->arena, count + 1);
    c->stored_channels = lmb_arena_alloc(c->arena, count, sizeof *c->stored_channels);
    c->packed = lmb_arena_numbers(c->arena, size);
    lmb_status status = lmb_check_memory(context, c->arena);
    for (int i = 0; i < c->count && !status; i++) {
        if (stored[i]) {
            c->stored_channels[c->stored_count] = c->channels[i];
            c->stored[c->stored_count++] = i;
        } else if (!is_watched(c, i)) {
            c->sources[i].used &= ~LMB_BY_ROW;
        }
    }
    return status;
}

lmb_status lmb_channels_select(lmb_channels *c, lmb_context *context, const lmb_analysis *a)
{
    if (a->result_count == 0)
        return LMB_OK;
    bool *stored = lmb_arena_alloc(c->arena, (size_t)c->count + 1, sizeof *stored);
    lmb_status status = stored ? LMB_OK : lmb_fail_memory(context);
    if (status)
        return status;
    for (int i = 0; i < a->result_count; i++)
        if (mark_pattern(c, context, &a->results[i], stored))
            status = LMB_BAD_INPUT;
    mark_records(c, a, stored);
    mark_bodies(c, stored);
    mark_lines(c, stored);
    lmb_status listed = list_stored(c, context, stored);
    lmb_arena_release(c->arena, stored, (size_t)c->count + 1, sizeof *stored);
    return status ? status : listed;
}

int lmb_channels_count(const lmb_channels *c)
{
    return c->stored ? c->stored_count : c->count;
}

const lmb_channel *lmb_channels_list(const lmb_channels *c)
{
    return c->stored ? c->stored_channels : c->channels;
}

const double *lmb_channels_pack(lmb_channels *c, const double *row)
{
    if (!c->stored)
        return row;
    double *out = c->packed;
    for (int i = 0; i < c->stored_count; i++) {
        int channel = c->stored[i], size = c->channels[channel].size;
        memcpy(out, row + c->sources[channel].at, (size_t)size * sizeof *out);
        out += size;
    }
    return c->packed;
}

const double *lmb_channels_unpack(lmb_channels *c, const double *packed)
{
    if (!c->stored)
        return packed;
    memset(c->row, 0, (size_t)c->size * sizeof *c->row);
    for (int i = 0; i < c->stored_count; i++) {
        int channel = c->stored[i], size = c->channels[channel].size;
        memcpy(c->row + c->sources[channel].at, packed, (size_t)size * sizeof *packed);
        packed += size;
    }
    return c->row;
}
