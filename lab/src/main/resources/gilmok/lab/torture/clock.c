/*
 * Preloaded into the server under torture: its wall clock is wrong by as many seconds as the file
 * named by TORTURE_CLOCK says, eight bytes that may change at any time. Monotonic clocks are left
 * alone, so that waits last as long as they should. libfaketime cannot do that to a JVM.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *wrong;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("TORTURE_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *mapped = mmap(NULL, sizeof *wrong, PROT_READ, MAP_SHARED, file, 0);
    wrong = mapped == MAP_FAILED ? NULL : mapped;
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) {
    next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  }
  int result = next(clock, now);
  if (result == 0 && wrong && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += *wrong;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}

time_t time(time_t *where) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (where) {
    *where = exact.tv_sec;
  }
  return exact.tv_sec;
}
