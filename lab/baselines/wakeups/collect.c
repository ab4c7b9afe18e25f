/*
 * What the machine itself takes for a durable answer: the system calls and wake-ups of one position
 * a request, and nothing else. Event loops read requests, one writer thread forces them to the disk
 * in groups, and the event loops answer. No parsing beyond the request's length, no keys, no
 * repeats, no metrics: see README.md beside this file.
 *
 *   cc -O2 -pthread -o collect collect.c
 *   ./collect PORT FILE [LOOPS [COMMIT_MICROS [CROWD]]]
 *
 * COMMIT_MICROS: a commit begins at least so long after the one before, unless CROWD requests wait.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 4096, WAITING_MAX = 65536, REQUEST_MAX = 16384, RECORD = 48, LOOPS_MAX = 16 };

static const char BODY[] =
    "{\"accepted\":1,\"duplicates\":0,\"quarantined\":[],\"receipt\":{\"node\":\"0123456789abcdef\","
    "\"first\":1234567,\"last\":1234567}}";
static char answer[512];
static size_t answer_length;

struct connection { int loop; size_t length; char bytes[REQUEST_MAX]; };
struct loop { int epoll, wake; pthread_mutex_t lock; int woken, count; int done[WAITING_MAX]; };

static struct connection *connections[CONNECTIONS_MAX];
static struct loop loops[LOOPS_MAX];
static int loop_count = 2, crowd = 64;
static long commit_nanos;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived;
static int waiting[WAITING_MAX], waiting_count, writer_waits, file;
static const off_t file_bytes = 64 << 20;

static void fail(const char *what) { perror(what); exit(1); }

static long now_nanos(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Hands one request to the writer; wakes it only when it sleeps without a time to wake up at. */
static void append(int fd) {
  pthread_mutex_lock(&lock);
  if (waiting_count == WAITING_MAX) exit(2);
  waiting[waiting_count++] = fd;
  int wakes = writer_waits == 1 || (writer_waits == 2 && waiting_count == crowd);
  if (wakes) {
    writer_waits = 0;
    pthread_cond_signal(&arrived);
  }
  pthread_mutex_unlock(&lock);
}

static void *write_groups(void *unused) {
  static int group[WAITING_MAX];
  static char bytes[WAITING_MAX * RECORD];
  off_t position = 0;
  long begun = 0;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (waiting_count == 0) {
      writer_waits = 1;
      pthread_cond_wait(&arrived, &lock);
    }
    long until = begun + commit_nanos;
    while (waiting_count < crowd && now_nanos() < until) {
      struct timespec t = {until / 1000000000L, until % 1000000000L};
      writer_waits = 2;
      pthread_cond_timedwait(&arrived, &lock, &t);
    }
    writer_waits = 0;
    int count = waiting_count;
    memcpy(group, waiting, count * sizeof *group);
    waiting_count = 0;
    pthread_mutex_unlock(&lock);
    begun = now_nanos();
    size_t length = 64 + (size_t) count * RECORD;
    if (position + (off_t) length > file_bytes) position = 0;
    if (pwrite(file, bytes, length, position) != (ssize_t) length) fail("write");
    if (fdatasync(file)) fail("fdatasync");
    position += length;
    for (int i = 0; i < count; i++) {
      struct loop *loop = &loops[connections[group[i]]->loop];
      pthread_mutex_lock(&loop->lock);
      loop->done[loop->count++] = group[i];
      int wakes = !loop->woken;
      loop->woken = 1;
      pthread_mutex_unlock(&loop->lock);
      uint64_t one = 1;
      if (wakes && write(loop->wake, &one, sizeof one) < 0) fail("eventfd");
    }
  }
  return unused;
}

/* The length of the request at the start, 0 if it is not whole yet. */
static size_t request_length(struct connection *c) {
  char *end = memmem(c->bytes, c->length, "\r\n\r\n", 4);
  if (!end) return 0;
  char *field = memmem(c->bytes, end - c->bytes, "ontent-", 7);
  size_t body = 0;
  for (; field; field = memmem(field + 1, end - field - 1, "ontent-", 7)) {
    if (!strncasecmp(field, "ontent-length:", 14)) body = strtoul(field + 14, NULL, 10);
  }
  size_t all = end + 4 - c->bytes + body;
  return all <= c->length ? all : 0;
}

static void readable(int index, int fd) {
  struct connection *c = connections[fd];
  ssize_t got = read(fd, c->bytes + c->length, REQUEST_MAX - c->length);
  if (got <= 0) {
    if (got < 0 && errno == EAGAIN) return;
    close(fd);
    return;
  }
  c->length += got;
  for (size_t one; (one = request_length(c)) > 0;) {
    memmove(c->bytes, c->bytes + one, c->length - one);
    c->length -= one;
    c->loop = index;
    append(fd);
  }
}

static void answer_all(struct loop *loop) {
  static __thread int done[WAITING_MAX];
  uint64_t ignored;
  if (read(loop->wake, &ignored, sizeof ignored) < 0 && errno != EAGAIN) fail("eventfd");
  pthread_mutex_lock(&loop->lock);
  int count = loop->count;
  memcpy(done, loop->done, count * sizeof *done);
  loop->count = 0;
  loop->woken = 0;
  pthread_mutex_unlock(&loop->lock);
  for (int i = 0; i < count; i++) {
    if (write(done[i], answer, answer_length) < 0 && errno != EPIPE && errno != EBADF) fail("answer");
  }
}

static void *run_loop(void *which) {
  int index = (int) (intptr_t) which, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
  struct loop *loop = &loops[index];
  extern struct sockaddr_in address;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  if (bind(listener, (struct sockaddr *) &address, sizeof address) || listen(listener, 1024)) fail("listen");
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
  epoll_ctl(loop->epoll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = loop->wake;
  epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event);
  for (;;) {
    int count = epoll_wait(loop->epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == loop->wake) {
        answer_all(loop);
      } else if (fd == listener) {
        int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (accepted < 0) continue;
        if (accepted >= CONNECTIONS_MAX) { close(accepted); continue; }
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (!connections[accepted]) connections[accepted] = calloc(1, sizeof(struct connection));
        connections[accepted]->length = 0;
        struct epoll_event added = {.events = EPOLLIN, .data.fd = accepted};
        epoll_ctl(loop->epoll, EPOLL_CTL_ADD, accepted, &added);
      } else {
        readable(index, fd);
      }
    }
  }
  return NULL;
}

struct sockaddr_in address;

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: %s PORT FILE [LOOPS [COMMIT_MICROS [CROWD]]]\n", arguments[0]);
    return 2;
  }
  address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (count > 3) loop_count = atoi(arguments[3]);
  if (count > 4) commit_nanos = atol(arguments[4]) * 1000;
  if (count > 5) crowd = atoi(arguments[5]);
  answer_length = snprintf(answer, sizeof answer,
      "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
      sizeof BODY - 1, BODY);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&arrived, &monotonic);
  file = open(arguments[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) fail(arguments[2]);
  static char zeros[1 << 20];
  for (off_t at = 0; at < file_bytes; at += sizeof zeros) {
    if (pwrite(file, zeros, sizeof zeros, at) < 0) fail(arguments[2]);
  }
  if (fsync(file)) fail(arguments[2]);
  for (int i = 0; i < loop_count; i++) {
    loops[i].epoll = epoll_create1(0);
    loops[i].wake = eventfd(0, EFD_NONBLOCK);
    pthread_mutex_init(&loops[i].lock, NULL);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, write_groups, NULL);
  for (int i = 1; i < loop_count; i++) pthread_create(&thread, NULL, run_loop, (void *) (intptr_t) i);
  run_loop(0);
}
