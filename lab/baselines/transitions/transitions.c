/*
 * What SQLite and the disk alone take for a transition of a delivery: the statements of the
 * server's writer, its groups, its savepoints, its outbox and its checkpoints, in C. No HTTP, no
 * JSON, no rules, no log, no threads that wait for a commit: see README.md beside this file.
 *
 *   cc -O2 -pthread -o transitions transitions.c -lsqlite3
 *   ./transitions FOLDER RATE SECONDS [COMMIT_MICROS [WARM_SECONDS]]
 *
 * An open loop: a transition is due at its time, and its latency counts from then to the end of its
 * commit. COMMIT_MICROS: commits begin at least so far apart.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 5, IN_FLIGHT = 64, SHOPS = 1000, RIDERS = 5000, GROUP_MAX = 1024, TOLD_MAX = 65536 };
enum { CHECKPOINT_PAGES = 16000, FEW_PAGES = 400, PASSES = 5 };
enum { BEGIN, COMMIT, SAVEPOINT, RELEASE, INSERT, NUMBER, OUTBOX, KEY_FIND, KEY_ADD, IDLE, MOVE, ASSIGN, DUE, TOLD };

static const char *SCHEMA =
    "CREATE TABLE IF NOT EXISTS deliveries (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " shop_id TEXT NOT NULL, order_id TEXT NOT NULL, agency_id TEXT, rider_id TEXT, status TEXT NOT NULL,"
    " document BLOB NOT NULL, UNIQUE (shop_id, order_id));"
    "CREATE INDEX IF NOT EXISTS deliveries_of_shop ON deliveries (shop_id, id);"
    "CREATE INDEX IF NOT EXISTS deliveries_of_rider ON deliveries (rider_id, id) WHERE rider_id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS deliveries_in_status ON deliveries (status, id);"
    "CREATE TABLE IF NOT EXISTS outbox (n INTEGER PRIMARY KEY, shard INTEGER NOT NULL, version INTEGER NOT NULL,"
    " log_told INTEGER NOT NULL DEFAULT 0, log_told_at INTEGER NOT NULL DEFAULT 0, log_due INTEGER,"
    " log_attempts INTEGER NOT NULL DEFAULT 0, log_since INTEGER NOT NULL DEFAULT 0, log_error TEXT,"
    " shop_due INTEGER);"
    "CREATE INDEX IF NOT EXISTS log_due ON outbox (log_due, shard) WHERE log_due IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS shop_due ON outbox (shop_due, shard) WHERE shop_due IS NOT NULL;"
    "CREATE TABLE IF NOT EXISTS idempotency (scope TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL,"
    " delivery_id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (scope, key)) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS idempotency_by_age ON idempotency (at);";

static const char *SQL[] = {
    "BEGIN IMMEDIATE", "COMMIT", "SAVEPOINT one", "RELEASE one",
    "INSERT INTO deliveries (id, shop_id, order_id, status, document) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (shop_id, order_id) DO NOTHING",
    "SELECT last_insert_rowid()",
    "INSERT INTO outbox (n, shard, version, log_due, shop_due) VALUES (?, ?, 1, ?3, ?3)",
    "SELECT body_hash, delivery_id FROM idempotency WHERE scope = ? AND key = ?",
    "INSERT INTO idempotency (scope, key, body_hash, delivery_id, at) VALUES (?, ?, ?, ?, ?)",
    "SELECT (log_due IS NULL) + 2 * (shop_due IS NULL) FROM outbox WHERE n = ?",
    "UPDATE deliveries SET document = ?, status = ? WHERE n = ?",
    "UPDATE deliveries SET document = ?, status = ?, rider_id = ? WHERE n = ?",
    "UPDATE outbox SET version = ?, log_due = ? WHERE n = ?",
    "UPDATE outbox SET log_told_at = ?1, log_due = NULL, log_told = version, shop_due = NULL"
    " WHERE n = ?2 AND log_due IS NOT NULL"};

static const char *STATUS[] = {"NEW", "ACCEPTED", "ASSIGNED", "PICKED_UP", "DELIVERED"};

struct delivery { int step; sqlite3_int64 n; long number; char id[32]; };

static struct delivery flight[IN_FLIGHT];
static sqlite3 *db;
static sqlite3_stmt *all[TOLD + 1];
static sqlite3_int64 told[TOLD_MAX];
static int told_count;
static char path[4096], document[8192];
static long created;
static atomic_int rest_to_move, pages, ends;

static void check(int code, int wanted, const char *what) {
  if (code != wanted) {
    fprintf(stderr, "%s: %d %s\n", what, code, sqlite3_errmsg(db));
    exit(1);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static sqlite3_int64 millis(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void text(int which, int at, const char *value) {
  sqlite3_bind_text(all[which], at, value, -1, SQLITE_TRANSIENT);
}

static int step(int which) {
  int code = sqlite3_step(all[which]);
  if (code == SQLITE_DONE) {
    sqlite3_reset(all[which]);
  }
  return code;
}

static void run(int which) { check(step(which), SQLITE_DONE, SQL[which]); }

static void create(struct delivery *one, sqlite3_int64 at) {
  char shop[32], order[48], key[48];
  one->number = created++;
  snprintf(one->id, sizeof one->id, "%010llx%08x%08x", (unsigned long long) at, (unsigned) random(), (unsigned) random());
  snprintf(shop, sizeof shop, "shop-%ld", one->number % SHOPS);
  snprintf(order, sizeof order, "run-%ld", one->number);
  snprintf(key, sizeof key, "run-%ld", one->number);
  text(KEY_FIND, 1, "admin"), text(KEY_FIND, 2, key), run(KEY_FIND);
  text(INSERT, 1, one->id), text(INSERT, 2, shop), text(INSERT, 3, order), text(INSERT, 4, STATUS[0]);
  sqlite3_bind_blob(all[INSERT], 5, document, 600, SQLITE_TRANSIENT), run(INSERT);
  one->n = sqlite3_last_insert_rowid(db);
  sqlite3_bind_int64(all[OUTBOX], 1, one->n), sqlite3_bind_int(all[OUTBOX], 2, one->number % 64);
  sqlite3_bind_int64(all[OUTBOX], 3, at), run(OUTBOX);
  text(KEY_ADD, 1, "admin"), text(KEY_ADD, 2, key), text(KEY_ADD, 4, one->id);
  text(KEY_ADD, 3, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
  sqlite3_bind_int64(all[KEY_ADD], 5, at), run(KEY_ADD);
}

static void move(struct delivery *one, sqlite3_int64 at) {
  int which = one->step == 2 ? ASSIGN : MOVE, column = 1;
  sqlite3_bind_int64(all[IDLE], 1, one->n);
  check(step(IDLE), SQLITE_ROW, SQL[IDLE]);
  int idle = sqlite3_column_int(all[IDLE], 0);
  sqlite3_reset(all[IDLE]);
  sqlite3_bind_blob(all[which], column++, document, 600 + 150 * one->step, SQLITE_TRANSIENT);
  text(which, column++, STATUS[one->step]);
  if (which == ASSIGN) {
    char rider[32];
    snprintf(rider, sizeof rider, "rider-%ld", one->number % RIDERS);
    text(which, column++, rider);
  }
  sqlite3_bind_int64(all[which], column, one->n), run(which);
  if (idle & 1) {
    sqlite3_bind_int(all[DUE], 1, one->step + 1), sqlite3_bind_int64(all[DUE], 2, at);
    sqlite3_bind_int64(all[DUE], 3, one->n), run(DUE);
  }
}

/* Every 50 ms the log's reader notes all that it was sent, in one write. */
static void tell(sqlite3_int64 at) {
  run(SAVEPOINT);
  for (int i = 0; i < told_count; i++) {
    sqlite3_bind_int64(all[TOLD], 1, at), sqlite3_bind_int64(all[TOLD], 2, told[i]), run(TOLD);
  }
  run(RELEASE);
  told_count = 0;
}

static int note_pages(void *none, sqlite3 *writer, const char *name, int in_log) {
  pages = in_log;
  return SQLITE_OK;
}

/* As SqliteCheckpoints: beside the writer, which ends each of them. */
static void *checkpoints(void *none) {
  sqlite3 *mover;
  check(sqlite3_open(path, &mover), SQLITE_OK, "open");
  sqlite3_exec(mover, "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-16384", 0, 0, 0);
  while (!ends) {
    usleep(50000);
    if (rest_to_move || pages < CHECKPOINT_PAGES) {
      continue;
    }
    int in_log = 0, moved = 0;
    for (int i = 0; i < PASSES && (i == 0 || in_log - moved > FEW_PAGES); i++) {
      sqlite3_wal_checkpoint_v2(mover, 0, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    }
    rest_to_move = 1;
  }
  sqlite3_close(mover);
  return none;
}

static int by_size(const void *a, const void *b) {
  return *(const double *) a < *(const double *) b ? -1 : *(const double *) a > *(const double *) b;
}

static long written(void) {
  char line[128];
  long bytes = 0;
  FILE *io = fopen("/proc/self/io", "r");
  while (fgets(line, sizeof line, io)) {
    sscanf(line, "write_bytes: %ld", &bytes);
  }
  fclose(io);
  return bytes;
}

static double processor(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void load(double rate, double seconds, double interval) {
  long count = (long) (rate * seconds), done = 0, groups = 0;
  double *latency = malloc(sizeof(double) * (count + 1)), busy = 0;
  double began = now(), from = began, tell_at = began + 0.05, used = processor();
  long bytes = written();
  while (done < count) {
    double at = now(), next = began + done / rate;
    double until = next > from ? next : from;
    if (until > at) {
      usleep((until - at) * 1e6 + 1);
      at = now();
    }
    long due = (long) ((at - began) * rate) + 1 - done;
    due = due > GROUP_MAX ? GROUP_MAX : due > count - done ? count - done : due;
    from = at + interval;
    sqlite3_int64 clock = millis();
    run(BEGIN);
    for (long i = 0; i < due; i++) {
      struct delivery *one = &flight[random() % IN_FLIGHT];
      run(SAVEPOINT);
      one->step == 0 ? create(one, clock) : move(one, clock);
      run(RELEASE);
      if (told_count < TOLD_MAX) {
        told[told_count++] = one->n;
      }
      one->step = (one->step + 1) % STEPS;
    }
    if (at > tell_at) {
      tell(clock);
      tell_at = at + 0.05;
    }
    run(COMMIT);
    double end = now();
    for (long i = 0; i < due; i++) {
      latency[done + i] = end - (began + (done + i) / rate);
    }
    busy += end - at;
    done += due, groups++;
    if (rest_to_move) {
      sqlite3_busy_timeout(db, 10);
      sqlite3_wal_checkpoint_v2(db, 0, SQLITE_CHECKPOINT_RESTART, 0, 0);
      sqlite3_busy_timeout(db, 5000);
      rest_to_move = 0;
    }
  }
  double took = now() - began;
  qsort(latency, count, sizeof(double), by_size);
  printf("%.0f transitions/s in groups of %.1f (%.0f commits/s), %.1f us of processor and %ld bytes each,"
         " writer busy %.2f, p50 %.2f p99 %.2f max %.1f ms\n",
         done / took, (double) done / groups, groups / took, (processor() - used) / done * 1e6,
         (written() - bytes) / done, busy / took, latency[count / 2] * 1e3, latency[count / 100 * 99] * 1e3,
         latency[count - 1] * 1e3);
  fflush(stdout);
  free(latency);
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "transitions FOLDER RATE SECONDS [COMMIT_MICROS [WARM_SECONDS]]\n");
    return 2;
  }
  double rate = atof(arguments[2]), seconds = atof(arguments[3]);
  double interval = count > 4 ? atof(arguments[4]) / 1e6 : 0, warm = count > 5 ? atof(arguments[5]) : 5;
  snprintf(path, sizeof path, "%s/transitions.db", arguments[1]);
  memset(document, 'x', sizeof document);
  check(sqlite3_open(path, &db), SQLITE_OK, "open");
  check(sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
                     " PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY", 0, 0, 0), SQLITE_OK, "pragmas");
  check(sqlite3_exec(db, SCHEMA, 0, 0, 0), SQLITE_OK, "schema");
  sqlite3_busy_timeout(db, 5000);
  sqlite3_wal_hook(db, note_pages, 0);
  for (int i = 0; i <= TOLD; i++) {
    check(sqlite3_prepare_v3(db, SQL[i], -1, SQLITE_PREPARE_PERSISTENT, &all[i], 0), SQLITE_OK, SQL[i]);
  }
  pthread_t mover;
  pthread_create(&mover, 0, checkpoints, 0);
  load(rate, warm, interval);
  load(rate, seconds, interval);
  ends = 1;
  pthread_join(mover, 0);
  return 0;
}
