// An engine for Siguo and luzhanqi in one file of C, with rules of its own, written from docs/rules.md and
// docs/protocol.md. It has the level "plays" and counts moves (go perft); it weighs the battles of one ply.
//
//     cc -O2 -o engine engine.c
//     junqi-referee check --level plays cmd=./engine
//     junqi-referee match --engine cmd=./engine --engine cmd=junqi-engine option.Player=1.0 --each st=0.1 --rounds 10

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINEER = 8, MINE, BOMB, FLAG, UNMOVED, MOVED }; // kinds 0..7 are ranks; the last two are hidden pieces
enum { EMPTY = -1, MOST = 129, MOST_MOVES = 1024 };
static const char LETTERS[] = "abcdefghijkl", BUILT_IN[] = "cbfahdehgegidcfkjkijgjhli";
static const int COUNT[] = {1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1};
static const int VALUE[] = {100, 80, 60, 42, 30, 22, 15, 10, 20, 12, 40, 2000};

typedef struct { // a piece is 16 * seat + kind
  int at[MOST], turn, alive, viewer, quiet, is_over;
} Position;
typedef struct { int from, to; } Move;

// The board. Points 30 * seat + 5 * row + column are the blocks, row 0 in front; the centre of Siguo follows.
static int seats, width, height, points, file_of[MOST], rank_of[MOST], point_at[17][17];
static int road[MOST][12], roads[MOST]; // the points a step away by road, some twice
static int ray[MOST][8][16], rays[MOST]; // a ray has the points ahead on a line of railway, then -1
static const char *seat_names;

static int seat_of(int piece) { return piece / 16; }
static int kind_of(int piece) { return piece % 16; }
static int index_of(int point) { return point < 30 * seats ? point % 30 : -1; }
static int is_campsite(int point) {
  int i = index_of(point);
  return i == 6 || i == 8 || i == 12 || i == 16 || i == 18;
}
static int is_headquarters(int point) { return index_of(point) == 26 || index_of(point) == 28; }
static int has(int set, int seat) { return set >> seat & 1; }
static int team_mask(int team) { return (seats == 4 ? 5 : 1) << team; }

static void place(int point, int file, int rank) {
  file_of[point] = file, rank_of[point] = rank, point_at[file][rank] = point;
}

static void join(int one, int other) {
  road[one][roads[one]++] = other, road[other][roads[other]++] = one;
}

static void add_line(const int *line, int length) {
  for (int here = 0; here < length; here++)
    for (int way = -1; way <= 1; way += 2) {
      int n = 0, *ahead = ray[line[here]][rays[line[here]]];
      for (int i = here + way; i >= 0 && i < length; i += way) ahead[n++] = line[i];
      ahead[n] = -1;
      if (n) rays[line[here]]++;
    }
}

static int column(int *line, int n, int seat, int number, int is_outward) { // rows 0 to 4 of a column, or 4 to 0
  for (int row = 0; row < 5; row++) line[n++] = 30 * seat + 5 * (is_outward ? row : 4 - row) + number;
  return n;
}

static int across(int *line, int n, int seat, int number) { // the three points of the centre ahead of a front point
  static const int dx[] = {0, -1, 0, 1}, dy[] = {1, 0, -1, 0};
  for (int step = 1; seats == 4 && step <= 5; step += 2) {
    int front = 30 * seat + number;
    line[n++] = point_at[file_of[front] + step * dx[seat]][rank_of[front] + step * dy[seat]];
  }
  return n;
}

static void build(int players) {
  seats = players, seat_names = players == 4 ? "SENW" : "SN", width = players == 4 ? 17 : 5;
  height = players == 4 ? 17 : 12, points = players == 4 ? 129 : 60;
  memset(point_at, -1, sizeof point_at), memset(roads, 0, sizeof roads), memset(rays, 0, sizeof rays);
  for (int seat = 0; seat < seats; seat++)
    for (int i = 0; i < 30; i++) {
      int x = i % 5 - 2, y = -3 - i / 5; // from the centre of Siguo, as South sees it
      for (int turns = 0; turns < seat; turns++) { int old = x; x = -y, y = old; }
      if (seats == 4) place(30 * seat + i, 8 + x, 8 + y);
      else place(30 * seat + i, seat ? 4 - i % 5 : i % 5, seat ? 6 + i / 5 : 5 - i / 5);
    }
  for (int i = 0; i < points - 30 * seats; i++) place(30 * seats + i, 6 + 2 * (i % 3), 10 - 2 * (i / 3));
  for (int seat = 0; seat < seats; seat++) {
    int first = 30 * seat, opposite = (seat + seats / 2) % seats, line[16], n;
    for (int i = 0; i < 30; i++) {
      if (i < 25) join(first + i, first + i + 5);
      if (i % 5 < 4) join(first + i, first + i + 1);
      for (int step = 4; is_campsite(i) && step <= 6; step += 2) {
        join(first + i, first + i - step), join(first + i, first + i + step);
      }
    }
    for (int i = 0; i < 5; i++) line[i] = first + i; // the front row
    add_line(line, 5);
    for (int i = 0; i < 5; i++) line[i] = first + 20 + i;
    add_line(line, 5);
    n = column(line, 0, seat, 0, 0), n = across(line, n, seat, 0);
    add_line(line, column(line, n, opposite, 4, 1)); // from side to side
    line[0] = first + 2, n = across(line, 1, seat, 2), line[n] = 30 * opposite + 2;
    if (seat < seats / 2) add_line(line, n + 1); // through the middle
    if (seats == 4) {
      add_line(line, column(line, column(line, 0, seat, 4, 0), (seat + 1) % 4, 0, 1)); // a curve
      for (int number = 0; number < 5; number += 2) across(line, 0, seat, number), join(first + number, line[0]);
    }
  }
}

// Movement

static int can_enter(const Position *p, int to, int seat) {
  return p->at[to] == EMPTY || ((seat_of(p->at[to]) ^ seat) & 1 && !is_campsite(to));
}

static int targets(const Position *p, int from, int *to) { // where the piece on a point can go
  int n = 0, kind = kind_of(p->at[from]), seat = seat_of(p->at[from]), queue[MOST], queued = 0;
  char seen[MOST] = {0};
  if (is_headquarters(from) || kind == MINE || kind == FLAG) return 0;
#define ADD(point) if (!seen[point]) { seen[point] = 1; if (can_enter(p, point, seat)) to[n++] = point; }
  seen[from] = 1;
  for (int i = 0; i < roads[from]; i++) ADD(road[from][i])
  for (int r = 0; r < rays[from]; r++)
    for (int *step = ray[from][r]; *step >= 0; step++) {
      ADD(*step)
      if (p->at[*step] != EMPTY) break;
    }
  if (kind != ENGINEER || !rays[from]) return n;
  char reached[MOST] = {0};
  reached[from] = 1, queue[queued++] = from;
  for (int head = 0; head < queued; head++)
    for (int r = 0; r < rays[queue[head]]; r++) {
      int step = ray[queue[head]][r][0];
      if (reached[step]) continue;
      reached[step] = 1;
      ADD(step)
      if (p->at[step] == EMPTY) queue[queued++] = step;
    }
  return n;
}

static int legal(const Position *p, Move *moves, int most) { // at most so many moves of the seat to move
  int n = 0, to[MOST];
  for (int from = 0; from < points && !p->is_over && n < most; from++) {
    if (p->at[from] == EMPTY || seat_of(p->at[from]) != p->turn) continue;
    for (int i = targets(p, from, to); i-- > 0 && n < most;) moves[n++] = (Move){from, to[i]};
  }
  return n;
}

// The course of a ply, in the steps of docs/rules.md

static char battle(int attacker, int defender) {
  if (attacker == BOMB || defender == BOMB || attacker == defender) return '=';
  if (defender == MINE) return attacker == ENGINEER ? 'x' : 'o';
  return defender == FLAG || attacker < defender ? 'x' : 'o';
}

static void eliminate(Position *p, int seat) {
  p->alive &= ~(1 << seat);
  for (int point = 0; point < points; point++)
    if (p->at[point] != EMPTY && seat_of(p->at[point]) == seat) p->at[point] = EMPTY;
  if (!(p->alive & team_mask(seat & 1))) p->is_over = 1;
}

static int is_immobile(const Position *p, int seat) { // landmines, flags and pieces in headquarters only
  for (int point = 0; point < points; point++) {
    int piece = p->at[point], kind = kind_of(piece);
    if (piece != EMPTY && seat_of(piece) == seat && kind != MINE && kind != FLAG && !is_headquarters(point)) return 0;
  }
  return 1;
}

static void drop_immobile(Position *p, int among) { // step 3
  int immobile = 0;
  for (int seat = 0; seat < seats; seat++)
    if (has(among & p->alive, seat) && is_immobile(p, seat)) immobile |= 1 << seat;
  if (immobile == p->alive) p->is_over = 1; // a draw
  for (int seat = 0; seat < seats && !p->is_over; seat++)
    if (has(immobile, seat)) eliminate(p, seat);
}

static void next_turn(Position *p) {
  do p->turn = (p->turn + 1) % seats;
  while (!has(p->alive, p->turn));
}

static void settle(Position *p) { // steps 5 and 6
  Move one;
  while (!p->is_over && !legal(p, &one, 1)) {
    eliminate(p, p->turn);
    if (!p->is_over) next_turn(p);
  }
  if (p->quiet >= (seats == 4 ? 71 : 31)) p->is_over = 1;
}

static int is_open(const Position *p) { return p->viewer == (1 << seats) - 1; }

// Plays a move; `suffix` is 0 if both pieces are known. Of hidden pieces only the suffix knows who is eliminated.
static void play(Position *p, Move move, char suffix) {
  int piece = p->at[move.from], enemy = p->at[move.to], mover = p->turn;
  char outcome = enemy == EMPTY ? 'x' : suffix ? suffix : battle(kind_of(piece), kind_of(enemy));
  if (kind_of(piece) == UNMOVED) piece = 16 * mover + MOVED;
  if (outcome != 'o') p->at[move.to] = outcome == 'x' ? piece : EMPTY;
  p->at[move.from] = EMPTY, p->quiet = enemy == EMPTY ? p->quiet + 1 : 0;
  if (!is_open(p)) return;
  if (enemy != EMPTY && kind_of(enemy) == FLAG && outcome != 'o') eliminate(p, seat_of(enemy));
  if (seats == 4 && !p->is_over && (enemy != EMPTY || is_headquarters(move.to)))
    drop_immobile(p, 1 << mover | (enemy == EMPTY ? 0 : 1 << seat_of(enemy)));
  if (p->is_over) return;
  next_turn(p), settle(p);
}

static long long perft(const Position *p, int depth) {
  Move moves[MOST_MOVES];
  long long total = 0;
  if (depth == 0) return 1;
  int n = legal(p, moves, MOST_MOVES);
  if (depth == 1) return n;
  for (int i = 0; i < n; i++) {
    Position next = *p;
    play(&next, moves[i], 0);
    total += perft(&next, depth - 1);
  }
  return total;
}

// Text. A function that reads returns 0 or -1 if the text is wrong.

static void print_move(const char *before, Move move) {
  int from = move.from, to = move.to;
  printf("%s %c%d%c%d", before, 'a' + file_of[from], rank_of[from] + 1, 'a' + file_of[to], rank_of[to] + 1);
}

static int read_seat(char letter) {
  const char *found = letter ? strchr(seat_names, letter) : NULL;
  return found ? (int)(found - seat_names) : -1;
}

static int read_viewer(const char *text) {
  int viewer = 0;
  for (; text && *text; text++) {
    int seat = read_seat(*text);
    if (seat < 0 && *text != '*') return 0;
    viewer |= seat < 0 ? (1 << seats) - 1 : 1 << seat;
  }
  return viewer;
}

static int read_point(const char **text) {
  int file = (*text)[0] - 'a', rank = (*text)[0] ? atoi(*text + 1) - 1 : -1;
  if (file < 0 || file >= width || rank < 0 || rank >= height || point_at[file][rank] < 0) return -1;
  for (++*text; isdigit((unsigned char)**text);) ++*text;
  return point_at[file][rank];
}

static int hidden(int seat, int point) { // a hidden piece that can be neither landmine nor flag counts as moved
  return 16 * seat + (point / 30 == seat && point % 30 >= 20 ? UNMOVED : MOVED);
}

static int read_start(Position *p, char **word) { // up to `moves`; returns the number of words read
  const char *lineup[4] = {0}, *viewer = NULL;
  int n = 0, given = 0;
  for (; word[n] && strcmp(word[n], "moves"); n++) {
    if (!strcmp(word[n], "viewer")) viewer = word[++n];
    else if (word[n][1] == ':' && read_seat(word[n][0]) >= 0 && strlen(word[n]) == 27) {
      lineup[read_seat(word[n][0])] = word[n] + 2, given |= 1 << read_seat(word[n][0]);
    } else if (strcmp(word[n], "lineup")) return -1;
    if (!word[n]) return -1;
  }
  p->viewer = viewer ? read_viewer(viewer) : given ? given : team_mask(0);
  if (!p->viewer || (given && given != p->viewer)) return -1;
  p->alive = (1 << seats) - 1;
  for (int seat = 0; seat < seats; seat++)
    for (int i = 0, place = 0; i < 30; i++) {
      if (is_campsite(i)) continue;
      const char *letter = strchr(LETTERS, (lineup[seat] ? lineup[seat] : BUILT_IN)[place++]);
      if (!letter) return -1;
      p->at[30 * seat + i] = has(p->viewer, seat) ? 16 * seat + (int)(letter - LETTERS) : hidden(seat, 30 * seat + i);
    }
  return n;
}

static int read_fen(Position *p, char **word) {
  for (int i = 0; i < 6; i++) if (!word[i]) return -1;
  int file = 0, rank = height - 1, n = word[6] && strcmp(word[6], "moves") ? 7 : 6; // the masks are not used
  p->turn = read_seat(word[1][0]), p->alive = read_viewer(word[2]);
  p->viewer = read_viewer(word[3]), p->quiet = atoi(word[4]);
  if (p->turn < 0 || !p->alive || !p->viewer) return -1;
  for (const char *text = word[0]; *text; text++) {
    if (*text == '/') file = 0, rank--;
    else if (isdigit((unsigned char)*text)) { file += (int)strtol(text, (char **)&text, 10), text--; }
    else {
      const char *letter = text[1] ? strchr(LETTERS, text[1]) : NULL;
      int seat = read_seat(*text), point = rank >= 0 && file < width ? point_at[file][rank] : -1;
      if (seat < 0 || point < 0 || (!letter && text[1] != '?')) return -1;
      p->at[point] = letter ? 16 * seat + (int)(letter - LETTERS) : hidden(seat, point);
      file++, text++;
    }
  }
  if (is_open(p)) {
    if (seats == 4) drop_immobile(p, p->alive);
    if (!p->is_over) settle(p);
  }
  return n;
}

static int read_move(Position *p, const char *text) {
  int is_pass = !strncmp(text, "pass:", 5), gone = !strncmp(text, "resign:", 7) ? read_seat(text[7]) : -1;
  if (p->is_over) return 0;
  int was_turn = p->turn;
  if (gone >= 0) eliminate(p, gone);
  else if (!is_pass) {
    int from = read_point(&text), to = from < 0 ? -1 : read_point(&text), list[MOST], n = 0;
    if (to < 0 || p->at[from] == EMPTY || seat_of(p->at[from]) != p->turn) return 0;
    if (kind_of(p->at[from]) < UNMOVED) { // a move of a known piece can be checked
      for (n = targets(p, from, list); n > 0 && list[n - 1] != to;) n--;
      if (!n) return 0;
    }
    char suffix = *text && strchr("xo=", *text) ? *text++ : 0;
    if (!suffix && p->at[to] != EMPTY && !is_open(p)) return 0;
    play(p, (Move){from, to}, suffix);
    for (; *text == '!';) {
      int flag = (text++, read_point(&text));
      if (flag < 0) return 0;
      if (p->at[flag] != EMPTY) p->at[flag] = 16 * seat_of(p->at[flag]) + FLAG;
    }
    if (is_open(p)) return 1;
  }
  for (text = is_open(p) ? NULL : strchr(text, '#'); text; text = strchr(text + 1, '#'))
    if (read_seat(text[1]) >= 0) eliminate(p, read_seat(text[1]));
  if (p->is_over || (gone >= 0 && gone != was_turn)) return 1;
  next_turn(p);
  if (is_open(p)) settle(p);
  return 1;
}

static const char *set_position(Position *game, char **word) {
  Position p = {.alive = 0};
  for (int point = 0; point < MOST; point++) p.at[point] = EMPTY;
  int n = -1;
  if (word[0] && !strcmp(word[0], "fen")) n = read_fen(&p, word + 1);
  if (word[0] && !strcmp(word[0], "startpos")) n = read_start(&p, word + 1);
  if (n < 0) return "bad-position it does not parse";
  word += n + 1;
  while (*word && *++word) // what follows `moves`
    if (!read_move(&p, *word)) return "illegal-move a move cannot be played";
  *game = p;
  return NULL;
}

// The choice of a move: what the battle is worth on average, and the way to the enemy's headquarters.

static double gain(int attacker, int defender) {
  double sum = 0, weight = 0;
  for (int kind = 0; kind <= FLAG; kind++) {
    if (defender < UNMOVED ? kind != defender : defender == MOVED && (kind == MINE || kind == FLAG)) continue;
    char outcome = battle(attacker, kind);
    sum += COUNT[kind] * ((outcome == 'o' ? 0 : VALUE[kind]) - (outcome == 'x' ? 0 : VALUE[attacker]));
    weight += COUNT[kind];
  }
  return sum / weight;
}

static int distance(const Position *p, int point, int seat) { // to the nearest headquarters of an enemy in the game
  int least = 99;
  for (int other = 0; other < seats; other++)
    for (int i = 26; i <= 28 && (other ^ seat) & 1 && has(p->alive, other); i += 2) {
      int away = abs(file_of[point] - file_of[30 * other + i]) + abs(rank_of[point] - rank_of[30 * other + i]);
      if (away < least) least = away;
    }
  return least;
}

static Move choose(const Position *p, const Move *moves, int n) {
  double best = -1e9;
  Move chosen = moves[0];
  for (int i = 0; i < n; i++) {
    int piece = p->at[moves[i].from], enemy = p->at[moves[i].to];
    double score = distance(p, moves[i].from, p->turn) - distance(p, moves[i].to, p->turn) + 3.0 * rand() / RAND_MAX;
    if (enemy != EMPTY) score += gain(kind_of(piece), kind_of(enemy)) + p->quiet;
    if (is_headquarters(moves[i].to) && enemy == EMPTY) score -= 50; // no piece leaves one
    if (score > best) best = score, chosen = moves[i];
  }
  return chosen;
}

static void count(const Position *p, int depth) { // go perft
  Move moves[MOST_MOVES];
  int n = depth > 0 ? legal(p, moves, MOST_MOVES) : 0;
  long long total = depth <= 0;
  for (int i = 0; i < n; i++) {
    Position next = *p;
    play(&next, moves[i], 0);
    long long leaves = perft(&next, depth - 1);
    print_move("info string perft", moves[i]), printf(" %lld\n", leaves);
    total += leaves;
  }
  printf("info depth %d nodes %lld\nbestmove (none)\n", depth, total);
}

static void go(const Position *p, char **word) {
  Move moves[MOST_MOVES];
  if (word[0] && !strcmp(word[0], "setup")) {
    printf("bestmove @%s\n", BUILT_IN);
  } else if (word[0] && word[1] && !strcmp(word[0], "perft") && is_open(p)) {
    count(p, atoi(word[1]));
  } else {
    int n = has(p->viewer, p->turn) ? legal(p, moves, MOST_MOVES) : 0;
    if (n) print_move("bestmove", choose(p, moves, n)), puts("");
    else printf("info string error %s no move\nbestmove (none)\n", p->is_over ? "game-over" : "not-our-seat");
  }
}

int main(void) {
  static const char *commands[] = {"uci", "isready", "setoption", "ucinewgame", "position", "go", "quit", NULL};
  char *line = NULL, *start[] = {"startpos", NULL};
  size_t size = 0;
  Position game;
  int is_over = 0;
  build(4), set_position(&game, start);
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (!is_over && getline(&line, &size, stdin) >= 0) {
    char **word = malloc((strlen(line) / 2 + 2) * sizeof *word);
    int n = 0, at = 0, command = 0;
    for (char *next = strtok(line, " \t\r\n"); next; next = strtok(NULL, " \t\r\n")) word[n++] = next;
    word[n] = NULL;
    for (; n && word[0][0] != '#' && word[at]; at++) { // words before a command are skipped
      for (command = 0; commands[command] && strcmp(word[at], commands[command]);) command++;
      if (commands[command]) break;
    }
    char **rest = word + at + (at < n);
    const char *name = at < n && n && word[0][0] != '#' ? commands[command] : NULL, *error = NULL;
    if (!name) { free(word); continue; }
    if (!strcmp(name, "uci"))
      printf("id name engine.c\nid author a reader of the protocol\noption name UCI_Variant type combo default siguo "
             "var siguo var luzhanqi\ninfo string protocol-version 2\nuciok\n");
    else if (!strcmp(name, "isready")) puts("readyok");
    else if (!strcmp(name, "position")) error = set_position(&game, rest);
    else if (!strcmp(name, "go")) go(&game, rest);
    else if (!strcmp(name, "quit")) is_over = 1;
    else if (!strcmp(name, "setoption") && rest[0] && rest[1] && rest[2] && rest[3] && !strcmp(rest[1], "UCI_Variant"))
      build(!strcmp(rest[3], "luzhanqi") ? 2 : 4), set_position(&game, start);
    if (error) printf("info string error %s\n", error);
    free(word);
  }
  free(line);
  return 0;
}
