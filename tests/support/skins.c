#include "skins.h"

#include <stdlib.h>

#include "support.h"

vec3 skin_node(const lmb_skin *s, int node)
{
    const float *x = s->nodes + 3 * (size_t)node;
    return v3(x[0], x[1], x[2]);
}

double skin_volume(const lmb_skin *s)
{
    double sum = 0;
    for (int i = 0; i < s->triangle_count; i++) {
        const int *t = s->triangles + 3 * (size_t)i;
        vec3 a = skin_node(s, t[0]), b = skin_node(s, t[1]), c = skin_node(s, t[2]);
        sum += v3_dot(a, v3_cross(b, c)) / 6;
    }
    return sum;
}

void assert_skin_closed(const lmb_skin *s, double distance, bool single)
{
    size_t n = (size_t)s->node_count;
    int *same = malloc(n * sizeof *same), *edges = calloc(n * n, sizeof *edges);
    assert_true(same && edges);
    for (int i = 0; i < s->node_count; i++) {
        same[i] = 0;
        while (v3_norm(v3_sub(skin_node(s, i), skin_node(s, same[i]))) > distance)
            same[i]++;
    }
    for (int i = 0; i < 3 * s->triangle_count; i++) {
        int from = same[s->triangles[i]], to = same[s->triangles[i % 3 == 2 ? i - 2 : i + 1]];
        assert_int_not_equal(from, to);
        edges[(size_t)from * n + (size_t)to]++;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(edges[i * n + k], edges[k * n + i]);
            assert_true(edges[i * n + k] <= 1 || !single);
        }
    free(same);
    free(edges);
}
