package gilmok.missions;

import gilmok.background.BackgroundThread;
import gilmok.missions.MissionStore.Due;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settles what is due in pieces, several of them in the store at once, from a bounded queue. A
 * rider who comes back after long has hundreds due, and waits as long as the slowest writer, not as
 * long as all of them.
 *
 * <p>Requests take turns, a piece each; and one of them has a part of the writers at most. So
 * whoever has little waits neither for all pieces of one who has much, nor, while that one is
 * alone, at all.
 *
 * <p>Thread-safe; one lock, never held while the store is asked. Writers are virtual threads that
 * are there while there is something to write.
 */
final class SettlementWriter implements AutoCloseable {
  /** There was no room for all pieces, or the server stops: nothing was settled. */
  static final int BUSY = -1;

  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MissionStore store;
  private final SettlingConfig config;
  private final Duration patience;
  private final Counter settled;
  private final Counter refused;
  private final Histogram seconds;

  // The lock's:

  /** Exactly those requests of which a piece can be begun. */
  private final Deque<Request> turns = new ArrayDeque<>();

  private final Set<Thread> writers = new HashSet<>();

  /** Pieces not begun, of all requests. */
  private int waiting;

  private boolean closing;
  private boolean stopped;

  /**
   * Nothing waits.
   *
   * @param patience how long it waits when it is closed for what was begun
   */
  SettlementWriter(MissionStore store, SettlingConfig config, Meters meters, Duration patience) {
    this.store = store;
    this.config = config;
    this.patience = patience;
    String name = "gilmok_missions_settling_";
    meters.gauge(name + "pieces", "Pieces that wait for a writer.", () -> locked(() -> waiting));
    meters.gauge(name + "pieces_max", "Their bound.", config::queueMax);
    meters.gauge(name + "writers", "Pieces in the store.", () -> locked(writers::size));
    meters.gauge(name + "writers_max", "Their bound.", config::writers);
    seconds = meters.seconds(name + "seconds", "Settling all that one request has due.");
    refused = meters.counter(name + "refused_total", "Requests whose pieces had no room.");
    settled = meters.counter("gilmok_missions_settled_total", "Missions settled.");
  }

  private synchronized int locked(IntSupplier value) {
    return value.getAsInt();
  }

  /** What one call is to settle. Its fields that change are the lock's, until it has ended. */
  private static final class Request {
    private final String riderId;
    private final List<Due> due;
    private final long at;
    private final int pieceMax;
    private final int pieces;
    private final CountDownLatch ended = new CountDownLatch(1);
    private int begun;
    private int underWay;
    private int settled;
    private @Nullable Throwable failure;

    private Request(String riderId, List<Due> due, long at, int pieceMax) {
      this.riderId = riderId;
      this.due = List.copyOf(due);
      this.at = at;
      this.pieceMax = pieceMax;
      pieces = Math.ceilDiv(due.size(), pieceMax);
    }

    private List<Due> piece(int number) {
      int from = number * pieceMax;
      return due.subList(from, Math.min(due.size(), from + pieceMax));
    }

    /** None of it is begun any more; how many that concerns. */
    private int drop() {
      int dropped = pieces - begun;
      begun = pieces;
      return dropped;
    }

    /** The first reason counts. */
    private void fail(Throwable reason) {
      if (failure == null) {
        failure = reason;
      }
    }

    private void endIfOver() {
      if (begun == pieces && underWay == 0) {
        ended.countDown();
      }
    }

    /** After the end. */
    private int result() throws IOException {
      if (failure == null) {
        return settled;
      }
      if (failure instanceof IOException outage) {
        throw outage;
      }
      throw new IllegalStateException("settling has a bug", failure);
    }
  }

  /**
   * Settles, and waits for the end.
   *
   * @return how many were settled; {@link #BUSY} when there was no room
   * @throws IOException when a piece was not settled, or it is not known; the others are settled,
   *     and the same again settles the rest
   * @throws InterruptedException when whoever waits is: what was not begun is not settled
   */
  int settle(String riderId, List<Due> due, long at) throws IOException, InterruptedException {
    if (due.isEmpty()) {
      return 0;
    }
    long began = System.nanoTime();
    Request request = new Request(riderId, due, at, store.pieceMax());
    if (!enter(request)) {
      refused.increment();
      return BUSY;
    }
    try {
      request.ended.await();
    } catch (InterruptedException e) {
      withdraw(request);
      throw e;
    }
    seconds.record(System.nanoTime() - began);
    return request.result();
  }

  /** All its pieces, or none. */
  private synchronized boolean enter(Request request) {
    if (closing || request.pieces > config.queueMax() - waiting) {
      return false;
    }
    waiting += request.pieces;
    turns.add(request);
    int more = Math.min(request.pieces, config.ofOneMax());
    for (int free = config.writers() - writers.size(); free > 0 && more > 0; free--, more--) {
      Thread writer = BackgroundThread.virtual("gilmok-settling", this::write);
      writers.add(writer);
      try {
        writer.start();
      } catch (Throwable noThread) { // it would hold its place for ever
        writers.remove(writer);
        throw noThread;
      }
    }
    return true;
  }

  private synchronized void withdraw(Request request) {
    turns.remove(request);
    waiting -= request.drop();
  }

  /** A writer's life: as long as there is a piece to begin. */
  private void write() {
    while (true) {
      Request request;
      List<Due> piece;
      synchronized (this) {
        request = turns.poll();
        if (request == null) {
          writers.remove(Thread.currentThread());
          notifyAll();
          return;
        }
        piece = request.piece(request.begun++);
        waiting--;
        if (++request.underWay < config.ofOneMax() && request.begun < request.pieces) {
          turns.add(request);
        }
      }
      settle(request, piece);
    }
  }

  private void settle(Request request, List<Due> piece) {
    int count = 0;
    Throwable failure = null;
    try {
      count = store.settle(request.riderId, piece, request.at);
      settled.add(count);
    } catch (InterruptedException e) { // by close alone
      failure = stopping();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    ended(request, count, failure);
  }

  private synchronized void ended(Request request, int count, @Nullable Throwable failure) {
    request.settled += count;
    if (failure != null) {
      request.fail(failure);
    }
    boolean hadItsShare = request.underWay-- == config.ofOneMax();
    if (request.begun < request.pieces && stopped) {
      drop(request);
    } else if (request.begun < request.pieces && hadItsShare) {
      turns.add(request);
    }
    request.endIfOver();
  }

  private static IOException stopping() {
    return new IOException("not settled: the server is stopping");
  }

  private void drop(Request request) {
    waiting -= request.drop();
    request.fail(stopping());
  }

  /** Takes no more and settles what was taken; what is not settled in time fails. */
  @Override
  public synchronized void close() {
    closing = true;
    long until = System.nanoTime() + patience.toNanos();
    try {
      while (!writers.isEmpty() && until - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, until - System.nanoTime());
      }
    } catch (InterruptedException e) { // whoever stops the server has no time
      Thread.currentThread().interrupt();
    } finally {
      stop();
    }
  }

  private void stop() {
    stopped = true;
    for (Request request : turns) {
      drop(request);
      request.endIfOver();
    }
    turns.clear();
    writers.forEach(Thread::interrupt);
  }
}
