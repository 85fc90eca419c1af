// Moves the clock of a process and of all that it starts: LD_PRELOAD this library and set CLOCK_SECONDS to how
// far. Only the time of day moves; deadlines that are given as a time of day move back before the kernel sees them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

static time_t seconds;

__attribute__((constructor)) static void read_seconds(void) {
  const char *text = getenv("CLOCK_SECONDS");
  seconds = text ? (time_t)atoll(text) : 0;
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int is_time_of_day(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

// Seconds since the machine started are far fewer than those since 1970.
static struct timespec back(const struct timespec *at) {
  struct timespec moved = *at;
  if (moved.tv_sec > 1000000000) moved.tv_sec -= seconds;
  return moved;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  static __typeof__(&clock_gettime) next;
  if (!next) next = REAL(clock_gettime);
  int result = next(clock, at);
  if (result == 0 && is_time_of_day(clock)) at->tv_sec += seconds;
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  static int (*next)(struct timeval *, void *);
  if (!next) next = (int (*)(struct timeval *, void *))real("gettimeofday");
  int result = next(at, zone);
  if (result == 0) at->tv_sec += seconds;
  return result;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(struct timespec *at, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, at) == 0 ? base : 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict at) {
  static __typeof__(&pthread_cond_timedwait) next;
  if (!next) next = (__typeof__(next))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!next) next = REAL(pthread_cond_timedwait);
  struct timespec moved = back(at);
  return next(cond, mutex, &moved);
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict at) {
  struct timespec moved = back(at);
  return REAL(pthread_cond_clockwait)(cond, mutex, clock, &moved);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict at) {
  struct timespec moved = back(at);
  return REAL(pthread_mutex_timedlock)(mutex, &moved);
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict at) {
  struct timespec moved = back(at);
  return REAL(sem_timedwait)(sem, &moved);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *at, struct timespec *left) {
  struct timespec moved = flags & TIMER_ABSTIME ? back(at) : *at;
  return REAL(clock_nanosleep)(clock, flags, &moved, left);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *at, struct itimerspec *before) {
  struct itimerspec moved = *at;
  if (flags & TFD_TIMER_ABSTIME) moved.it_value = back(&at->it_value);
  return REAL(timerfd_settime)(fd, flags, &moved, before);
}
