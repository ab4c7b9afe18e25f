package gilmok.runtime;

import gilmok.background.BackgroundThread;
import gilmok.observe.Readiness;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server's connections to what it can do without: Redis and the sinks. At the start all are
 * opened and tried at the same time, before the server is ready. One that does not answer in time
 * is named by {@link Readiness} and keeps nobody waiting any longer; it is tried again, and its
 * name disappears when it answers. Each has a thread of its own, so that one that hangs holds up no
 * other.
 *
 * <p>Documents are not among them, as a server does not start without them; only the opening of
 * their connections is waited for here. Thread-safe.
 */
public final class Connections implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.app");
  private static final String PART = "connections";

  /** The name of the missions' shared Redis in {@link Readiness}. */
  public static final String REDIS = "redis";

  /** How long a connection may fail before it counts as missing, at the start and later. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Duration AGAIN = Duration.ofMillis(100);

  /** How often Redis is asked while it answers: each question wakes four threads. */
  private static final Duration REDIS_LOOKS = Duration.ofSeconds(3);

  /** How often Redis is asked while it does not answer. */
  private static final Duration REDIS_TRIES = Duration.ofSeconds(1);

  /** Firehose answers an account only five times a second whether a stream exists. */
  private static final Duration SINK_TRIES = Duration.ofSeconds(5);

  /** Checks whether a destination answers. */
  @FunctionalInterface
  public interface Probe {
    /**
     * Checks once. Returns what is wrong, for people; null when nothing is. Blocks for a bounded
     * time.
     */
    @Nullable String ask() throws InterruptedException;
  }

  /** Waits for connections that are being opened, for a bounded time. */
  @FunctionalInterface
  public interface Opening {
    /** Returns when they are open, or when the time is over. */
    void await(Duration patience) throws InterruptedException;
  }

  private final Readiness readiness;
  private final Opening documents;
  private final List<Watched> all = new ArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Thread waiting;

  public Connections(Readiness readiness, Opening documents) {
    this.readiness = readiness;
    this.documents = documents;
  }

  /** Adds the Redis that missions share; call before {@link #begin}. */
  public void redis(Probe ping) {
    all.add(new Watched(REDIS, ping, REDIS_TRIES, REDIS_LOOKS));
  }

  /** Adds a sink, by its name in the settings; call before {@link #begin}. */
  public void sink(String name, Probe probe) {
    all.add(new Watched("sinks." + name, probe, SINK_TRIES, null));
  }

  /** Starts to try all. The server is not ready until each has answered or its time is over. */
  public void begin() {
    readiness.notReady(PART, "being tried");
    waiting = BackgroundThread.startVirtual(PART, this::await);
    all.forEach(one -> one.thread.start());
  }

  private void await() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      documents.await(PATIENCE);
      for (Watched one : all) {
        one.await(end);
      }
      readiness.ready(PART);
    } catch (InterruptedException closed) {
      LOG.log(Level.DEBUG, "stopped while connections were being tried"); // so it stays not ready
    } finally {
      ended.countDown(); // last: a thread that waited then sees the server ready
    }
  }

  /**
   * Waits until each has answered or its time is over: seconds at most.
   *
   * @throws InterruptedException when this is closed: the server is to stop
   */
  public void awaitTried() throws InterruptedException {
    ended.await();
    if (closing.getCount() == 0) {
      throw new InterruptedException("stopping");
    }
  }

  /** Stops the trying. */
  @Override
  public void close() {
    closing.countDown();
    all.forEach(one -> one.thread.interrupt());
    Thread known = waiting;
    if (known != null) {
      known.interrupt();
    }
  }

  /** One connection. Belongs to its thread, except for the latch and the last fault. */
  private final class Watched {
    private final String name;
    private final Probe probe;
    private final Duration tries;
    private final @Nullable Duration looks;
    private final Thread thread;
    private final CountDownLatch tried = new CountDownLatch(1);
    private volatile String lastFault = "no answer";

    /**
     * @param tries how often it is asked until it answers
     * @param looks how often while it does; null if it is not asked any more
     */
    Watched(String name, Probe probe, Duration tries, @Nullable Duration looks) {
      this.name = name;
      this.probe = probe;
      this.tries = tries;
      this.looks = looks;
      thread = BackgroundThread.virtual(PART + "-" + name, this::watch);
    }

    void await(long endNanos) throws InterruptedException {
      if (!tried.await(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        lacks(lastFault, PATIENCE);
      }
    }

    private void watch() {
      long since = System.nanoTime();
      boolean fails = true;
      Duration pause;
      try {
        do {
          String fault = ask();
          if (fault == null) {
            fails = false;
            readiness.ready(name);
            tried.countDown();
            if (looks == null) {
              return;
            }
          } else {
            since = fails ? since : System.nanoTime();
            fails = true;
            lastFault = fault;
            Duration age = Duration.ofNanos(System.nanoTime() - since);
            if (age.compareTo(PATIENCE) >= 0) {
              lacks(fault, age);
              tried.countDown();
            }
          }
          pause = tried.getCount() > 0 ? AGAIN : fails || looks == null ? tries : looks;
        } while (!closing.await(pause.toNanos(), TimeUnit.NANOSECONDS));
      } catch (InterruptedException closed) {
        LOG.log(Level.DEBUG, "{0} is no longer watched", name);
      }
    }

    private @Nullable String ask() throws InterruptedException {
      try {
        return probe.ask();
      } catch (RuntimeException | Error bug) { // the thread must go on: nothing else tries again
        LOG.log(
            Level.ERROR,
            "a bug in the check of " + name + "; it counts as missing and is checked again",
            bug);
        return "a bug: " + bug.getClass().getName();
      }
    }

    private void lacks(String fault, Duration age) {
      Readiness.Lack known = readiness.missing().get(name);
      readiness.lacks(name, fault + ", tried for " + age.toSeconds() + " s");
      if (known == null) {
        LOG.log(
            Level.WARNING, "{0} is missing and is tried again until it answers: {1}", name, fault);
      }
    }
  }
}
