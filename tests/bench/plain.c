/* Baseline for the speed benchmark: Draftosaurus, Summer board, four seats, uniformly random play,
 * written plainly: the legal actions of every decision are listed afresh, and every pen is scored by
 * its rule at the end.
 *
 *     cc -O3 -march=native -o plain plain.c
 *     ./plain GAMES SEED
 */
#define _POSIX_C_SOURCE 199309L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SEATS = 4, ROUNDS = 2, TURNS = 6, HAND = 6, SPECIES = 6, PER_SPECIES = 8 };
enum { BAG = SPECIES * PER_SPECIES, FACES = 6, T_REX = 0 };
enum { FOREST, TRIO, KING, PRAIRIE, MEADOW, ISLAND, RIVER, TARGETS, T_REXES = TARGETS, SOURCES };
enum { WOODLANDS, GRASSLANDS, FOOD_COURT, RESTROOMS, EMPTY_PEN, WATCH_OUT };

static const int FOREST_POINTS[] = {0, 2, 4, 8, 12, 18, 24};
static const int MEADOW_POINTS[] = {0, 1, 3, 6, 10, 15, 21};

/* Region and side of each pen. */
static const int REGION[RIVER] = {WOODLANDS, WOODLANDS, WOODLANDS, GRASSLANDS, GRASSLANDS, GRASSLANDS};
static const int SIDE[RIVER] = {FOOD_COURT, FOOD_COURT, RESTROOMS, FOOD_COURT, RESTROOMS, RESTROOMS};

typedef struct {
    int count[TARGETS][SPECIES];
    int total[TARGETS];
} Zoo;

typedef struct {
    int species[HAND];
    int size;
} Hand;

typedef struct {
    int target;
    int species;
} Action;

typedef struct {
    Zoo zoos[SEATS];
    Hand hands[SEATS];
    int bag[BAG];
    int drawn;
    int roller;
    int face;
} Game;

/* What is kept of every game. */
typedef struct {
    int16_t (*score)[SEATS];
    int16_t (*points)[SEATS][SOURCES];
    int16_t (*pieces)[SEATS][SOURCES];
    float (*share)[SEATS];
    int32_t *decisions;
    int32_t *options;
    int32_t *forced;
} Record;

/* ---- random numbers: xoshiro256**, seeded by splitmix64 */

typedef struct {
    uint64_t s[4];
} Rng;

static void rng_seed(Rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        rng->s[i] = z ^ (z >> 31);
    }
}

static inline uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(Rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

/* Uniform in 0 .. n-1 (Lemire's multiplication with rejection). */
static inline int rng_below(Rng *rng, uint32_t n)
{
    uint64_t product = (rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold)
            product = (rng_next(rng) >> 32) * n;
    }
    return (int)(product >> 32);
}

/* ---- the rules */

static bool pen_accepts(const Zoo *zoo, int target, int species)
{
    switch (target) {
    case FOREST: /* one species: whatever lies there is of this one */
        return zoo->total[FOREST] < 6 && zoo->count[FOREST][species] == zoo->total[FOREST];
    case TRIO:
        return zoo->total[TRIO] < 3;
    case KING:
        return zoo->total[KING] < 1;
    case PRAIRIE:
        return zoo->total[PRAIRIE] < 6;
    case MEADOW: /* all different */
        return zoo->total[MEADOW] < 6 && zoo->count[MEADOW][species] == 0;
    case ISLAND:
        return zoo->total[ISLAND] < 1;
    default:
        return true;
    }
}

static bool die_allows(const Zoo *zoo, int target, int face)
{
    if (target == RIVER)
        return true;
    switch (face) {
    case EMPTY_PEN:
        return zoo->total[target] == 0;
    case WATCH_OUT:
        return zoo->count[target][T_REX] == 0;
    default:
        return REGION[target] == face || SIDE[target] == face;
    }
}

/* Lists the legal actions of a seat and returns how many there are. */
static int legal_actions(const Game *game, int seat, Action actions[])
{
    const Zoo *zoo = &game->zoos[seat];
    const Hand *hand = &game->hands[seat];
    bool seen[SPECIES] = {false};
    int different[SPECIES]; /* copies of a species are one action */
    int n_different = 0;
    for (int i = 0; i < hand->size; i++) {
        int species = hand->species[i];
        if (!seen[species])
            different[n_different++] = species;
        seen[species] = true;
    }

    int n = 0;
    for (int target = 0; target < TARGETS; target++) {
        if (seat != game->roller && !die_allows(zoo, target, game->face))
            continue;
        for (int i = 0; i < n_different; i++) {
            if (pen_accepts(zoo, target, different[i]))
                actions[n++] = (Action){target, different[i]};
        }
    }
    return n;
}

static void place(Game *game, int seat, Action action)
{
    Zoo *zoo = &game->zoos[seat];
    Hand *hand = &game->hands[seat];
    zoo->count[action.target][action.species]++;
    zoo->total[action.target]++;
    int i = 0;
    while (hand->species[i] != action.species)
        i++;
    hand->species[i] = hand->species[--hand->size];
}

/* ---- scoring */

static int species_in_zoo(const Zoo *zoo, int species)
{
    int n = 0;
    for (int target = 0; target < TARGETS; target++)
        n += zoo->count[target][species];
    return n;
}

/* The species in a pen for one dinosaur, or -1 if it is empty. */
static int lone_species(const Zoo *zoo, int pen)
{
    for (int species = 0; species < SPECIES; species++)
        if (zoo->count[pen][species] > 0)
            return species;
    return -1;
}

static int score_prairie(const Zoo *zoo)
{
    int couples = 0;
    for (int species = 0; species < SPECIES; species++)
        couples += zoo->count[PRAIRIE][species] / 2;
    return 5 * couples;
}

static int score_king(const Zoo zoos[SEATS], int seat)
{
    int species = lone_species(&zoos[seat], KING);
    if (species < 0)
        return 0;
    int mine = species_in_zoo(&zoos[seat], species);
    for (int other = 0; other < SEATS; other++)
        if (other != seat && species_in_zoo(&zoos[other], species) > mine)
            return 0;
    return 7;
}

static int score_island(const Zoo *zoo)
{
    int species = lone_species(zoo, ISLAND);
    return species >= 0 && species_in_zoo(zoo, species) == 1 ? 7 : 0;
}

static int score_t_rex(const Zoo *zoo)
{
    int pens = 0;
    for (int pen = 0; pen < RIVER; pen++)
        pens += zoo->count[pen][T_REX] > 0;
    return pens;
}

static void score_seat(const Zoo zoos[SEATS], int seat, int points[SOURCES])
{
    const Zoo *zoo = &zoos[seat];
    points[FOREST] = FOREST_POINTS[zoo->total[FOREST]];
    points[TRIO] = zoo->total[TRIO] == 3 ? 7 : 0;
    points[KING] = score_king(zoos, seat);
    points[PRAIRIE] = score_prairie(zoo);
    points[MEADOW] = MEADOW_POINTS[zoo->total[MEADOW]];
    points[ISLAND] = score_island(zoo);
    points[RIVER] = zoo->total[RIVER];
    points[T_REXES] = score_t_rex(zoo);
}

/* Most points, then fewest T-Rexes, then shared. */
static void share_win(const Zoo zoos[SEATS], const int score[SEATS], float share[SEATS])
{
    int t_rexes[SEATS];
    for (int seat = 0; seat < SEATS; seat++)
        t_rexes[seat] = species_in_zoo(&zoos[seat], T_REX);

    int best = 0;
    for (int seat = 1; seat < SEATS; seat++)
        if (score[seat] > score[best] || (score[seat] == score[best] && t_rexes[seat] < t_rexes[best]))
            best = seat;
    int winners = 0;
    for (int seat = 0; seat < SEATS; seat++)
        winners += score[seat] == score[best] && t_rexes[seat] == t_rexes[best];
    for (int seat = 0; seat < SEATS; seat++) {
        bool wins = score[seat] == score[best] && t_rexes[seat] == t_rexes[best];
        share[seat] = wins ? 1.0f / (float)winners : 0.0f;
    }
}

static void record_result(const Game *game, Record *record, long g)
{
    int score[SEATS];
    for (int seat = 0; seat < SEATS; seat++) {
        const Zoo *zoo = &game->zoos[seat];
        int points[SOURCES];
        score_seat(game->zoos, seat, points);
        score[seat] = 0;
        for (int source = 0; source < SOURCES; source++) {
            score[seat] += points[source];
            record->points[g][seat][source] = (int16_t)points[source];
        }
        for (int target = 0; target < TARGETS; target++)
            record->pieces[g][seat][target] = (int16_t)zoo->total[target];
        int t_rexes_in_pens = species_in_zoo(zoo, T_REX) - zoo->count[RIVER][T_REX];
        record->pieces[g][seat][T_REXES] = (int16_t)t_rexes_in_pens;
        record->score[g][seat] = (int16_t)score[seat];
    }
    share_win(game->zoos, score, record->share[g]);
}

/* ---- play */

static void fill_bag(Game *game, Rng *rng)
{
    for (int i = 0; i < BAG; i++)
        game->bag[i] = i / PER_SPECIES;
    for (int i = BAG - 1; i > 0; i--) {
        int j = rng_below(rng, (uint32_t)i + 1);
        int swap = game->bag[i];
        game->bag[i] = game->bag[j];
        game->bag[j] = swap;
    }
    game->drawn = 0;
}

static void deal(Game *game)
{
    for (int seat = 0; seat < SEATS; seat++) {
        Hand *hand = &game->hands[seat];
        for (hand->size = 0; hand->size < HAND; hand->size++)
            hand->species[hand->size] = game->bag[game->drawn++];
    }
}

static void pass_left(Game *game)
{
    Hand last = game->hands[SEATS - 1];
    for (int seat = SEATS - 1; seat > 0; seat--)
        game->hands[seat] = game->hands[seat - 1];
    game->hands[0] = last;
    game->roller = (game->roller + 1) % SEATS;
}

static void play_turn(Game *game, Rng *rng, Record *record, long g)
{
    Action actions[TARGETS * SPECIES];
    Action chosen[SEATS];
    game->face = rng_below(rng, FACES);
    for (int seat = 0; seat < SEATS; seat++) {
        int n = legal_actions(game, seat, actions);
        chosen[seat] = actions[rng_below(rng, (uint32_t)n)];
        record->decisions[g]++;
        record->options[g] += n;
        record->forced[g] += n == 1;
    }
    for (int seat = 0; seat < SEATS; seat++)
        place(game, seat, chosen[seat]);
    pass_left(game);
}

static void play_game(Rng *rng, Record *record, long g)
{
    Game game = {0};
    fill_bag(&game, rng);
    for (int round = 0; round < ROUNDS; round++) {
        deal(&game);
        for (int turn = 0; turn < TURNS; turn++)
            play_turn(&game, rng, record, g);
    }
    record_result(&game, record, g);
}

/* ---- the program */

static void *allocate(long n, size_t size)
{
    void *memory = calloc((size_t)n, size);
    if (memory == NULL) {
        fprintf(stderr, "plain: out of memory for %ld games\n", n);
        exit(1);
    }
    return memory;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    long games = argc == 3 ? atol(argv[1]) : 0;
    if (games < 1) {
        fprintf(stderr, "usage: plain GAMES SEED\n");
        return 2;
    }
    Rng rng;
    rng_seed(&rng, strtoull(argv[2], NULL, 10));
    Record record = {
        .score = allocate(games, sizeof *record.score),
        .points = allocate(games, sizeof *record.points),
        .pieces = allocate(games, sizeof *record.pieces),
        .share = allocate(games, sizeof *record.share),
        .decisions = allocate(games, sizeof *record.decisions),
        .options = allocate(games, sizeof *record.options),
        .forced = allocate(games, sizeof *record.forced),
    };

    double start = now();
    for (long g = 0; g < games; g++)
        play_game(&rng, &record, g);
    double seconds = now() - start;

    double score = 0, decisions = 0, options = 0;
    for (long g = 0; g < games; g++) {
        for (int seat = 0; seat < SEATS; seat++)
            score += record.score[g][seat];
        decisions += record.decisions[g];
        options += record.options[g];
    }
    printf("%ld games %.4f s %.0f games/s %.0f decisions/s %.4f mean score %.4f options/decision\n",
           games, seconds, (double)games / seconds, decisions / seconds,
           score / (double)(games * SEATS), options / decisions);
    return 0;
}
