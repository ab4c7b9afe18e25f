/*
 * Preloaded into the server under torture where no file system's power can be cut: a disk that
 * forgets. Before anything is written into a file below TORTURE_BELOW, what stood there is put down
 * in the file TORTURE_FORGET; what is forced is struck out there. So, when the process has been
 * killed, all that was not forced can be taken back. Names are not forgotten, and what is written
 * through a mapping is not seen.
 *
 * An entry is eight numbers of 64 bits, as the machine writes them, and so many bytes: kind (1:
 * about to be written, 2: forced), device, inode, birth in ns, offset, length of the file, number of
 * bytes that follow, 0. Of one that was forced the offset is where the journal ended before that.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITTEN = 1, FORCED = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;
static char below[PATH_MAX];
static size_t below_length;

#define NEXT(result, name, ...) \
  static result (*next)(__VA_ARGS__); \
  if (!next) { \
    next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name); \
  }

static ssize_t next_writev(int file, const struct iovec *parts, int count) {
  NEXT(ssize_t, writev, int, const struct iovec *, int)
  return next(file, parts, count);
}

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("TORTURE_FORGET");
  const char *folder = getenv("TORTURE_BELOW");
  if (name && folder && realpath(folder, below)) {
    below_length = strlen(below);
    journal = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
}

/* Whether a file is one of those, with what is known of it. */
static int is_ours(int file, struct statx *facts) {
  char link[64], path[PATH_MAX];
  if (journal < 0 ||
      statx(file, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, facts) != 0 ||
      !S_ISREG(facts->stx_mode)) {
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path);
  return length > (ssize_t)below_length && !memcmp(path, below, below_length) &&
         path[below_length] == '/';
}

static void put(int kind, const struct statx *facts, int64_t offset, void *bytes, int64_t count) {
  int64_t entry[8] = {
      kind,
      (int64_t)(((uint64_t)facts->stx_dev_major << 32) | facts->stx_dev_minor),
      (int64_t)facts->stx_ino,
      (int64_t)facts->stx_btime.tv_sec * 1000000000 + facts->stx_btime.tv_nsec,
      offset,
      (int64_t)facts->stx_size,
      count,
      0};
  struct iovec parts[2] = {{entry, sizeof entry}, {bytes, (size_t)count}};
  if (next_writev(journal, parts, 2) != (ssize_t)(sizeof entry + count)) {
    abort(); /* else it would be taken for a power cut that loses less than it does */
  }
}

/* To be called before so much is written there; at a negative offset, where the file stands. */
static void before_write(int file, int64_t offset, int64_t count) {
  struct statx facts;
  if (!is_ours(file, &facts)) {
    return;
  }
  if (offset < 0) {
    int flags = fcntl(file, F_GETFL);
    offset = flags & O_APPEND ? (int64_t)facts.stx_size : lseek(file, 0, SEEK_CUR);
  }
  pthread_mutex_lock(&lock);
  statx(file, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &facts);
  int64_t there = (int64_t)facts.stx_size - offset;
  there = there < 0 ? 0 : there > count ? count : there;
  char *bytes = malloc((size_t)there + 1);
  int reader = file;
  if (there > 0 && (fcntl(file, F_GETFL) & O_ACCMODE) == O_WRONLY) {
    /* Only then: closing any descriptor of a file gives up the process's locks on it. */
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    reader = open(link, O_RDONLY | O_CLOEXEC);
  }
  ssize_t got = there > 0 ? pread(reader, bytes, (size_t)there, offset) : 0;
  if (reader != file && reader >= 0) {
    close(reader);
  }
  put(WRITTEN, &facts, offset, bytes, got < 0 ? 0 : got);
  free(bytes);
  pthread_mutex_unlock(&lock);
}

static int64_t total(const struct iovec *parts, int count) {
  int64_t all = 0;
  for (int i = 0; i < count; i++) {
    all += (int64_t)parts[i].iov_len;
  }
  return all;
}

ssize_t write(int file, const void *bytes, size_t count) {
  NEXT(ssize_t, write, int, const void *, size_t)
  before_write(file, -1, (int64_t)count);
  return next(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  before_write(file, -1, total(parts, count));
  return next_writev(file, parts, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  NEXT(ssize_t, pwrite, int, const void *, size_t, off_t)
  before_write(file, offset, (int64_t)count);
  return next(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  NEXT(ssize_t, pwrite64, int, const void *, size_t, off64_t)
  before_write(file, offset, (int64_t)count);
  return next(file, bytes, count, offset);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  NEXT(ssize_t, pwritev, int, const struct iovec *, int, off_t)
  before_write(file, offset, total(parts, count));
  return next(file, parts, count, offset);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  NEXT(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)
  before_write(file, offset, total(parts, count));
  return next(file, parts, count, offset);
}

/* What is cut off is all that comes behind. */
static void before_cut(int file, int64_t length) {
  struct statx facts;
  if (is_ours(file, &facts) && length < (int64_t)facts.stx_size) {
    before_write(file, length, (int64_t)facts.stx_size - length);
  } else {
    before_write(file, length, 0);
  }
}

int ftruncate(int file, off_t length) {
  NEXT(int, ftruncate, int, off_t)
  before_cut(file, length);
  return next(file, length);
}

int ftruncate64(int file, off64_t length) {
  NEXT(int, ftruncate64, int, off64_t)
  before_cut(file, length);
  return next(file, length);
}

static int force(int file, int (*next)(int)) {
  struct statx facts;
  int ours = is_ours(file, &facts);
  pthread_mutex_lock(&lock);
  int64_t end = ours ? lseek(journal, 0, SEEK_END) : 0;
  pthread_mutex_unlock(&lock);
  int result = next(file);
  if (ours && result == 0) {
    pthread_mutex_lock(&lock);
    put(FORCED, &facts, end, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int fsync(int file) {
  NEXT(int, fsync, int)
  return force(file, next);
}

int fdatasync(int file) {
  NEXT(int, fdatasync, int)
  return force(file, next);
}
