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
 * Settles progress in pieces, several pieces in parallel, from a bounded queue. A rider who comes
 * back after a long time has hundreds of missions due; that request waits as long as the slowest
 * piece, not as long as all of them in turn.
 *
 * <p>Requests take turns, one piece each, and one request gets only a part of the writers. So a
 * small request does not wait for all pieces of a large one; and it does not wait at all while that
 * is the only other one.
 *
 * <p>Thread-safe; one lock, never held while the store is called. Writers are virtual threads that
 * exist only while there are pieces.
 */
final class SettlementWriter implements AutoCloseable {
  /** There was no room for all pieces, or the server is stopping: nothing was settled. */
  static final int BUSY = -1;

  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MissionStore store;
  private final SettlingConfig config;
  private final Duration patience;
  private final Counter settled;
  private final Counter refused;
  private final Histogram seconds;

  // Guarded by the lock:

  /** Exactly the requests that have a piece which can be begun. */
  private final Deque<Request> turns = new ArrayDeque<>();

  private final Set<Thread> writers = new HashSet<>();

  /** The pieces of all requests that are not begun. */
  private int waiting;

  private boolean closing;
  private boolean stopped;

  /**
   * A writer with an empty queue.
   *
   * @param patience how long {@link #close} waits for the queued pieces
   */
  SettlementWriter(MissionStore store, SettlingConfig config, Meters meters, Duration patience) {
    this.store = store;
    this.config = config;
    this.patience = patience;
    String name = "gilmok_missions_settling_";
    meters.gauge(name + "pieces", "Chunks that wait for a writer.", () -> locked(() -> waiting));
    meters.gauge(name + "pieces_max", "Their bound.", config::queueMax);
    meters.gauge(name + "writers", "Chunks being written.", () -> locked(writers::size));
    meters.gauge(name + "writers_max", "Their bound.", config::writers);
    seconds = meters.seconds(name + "seconds", "Settling everything due of one request.");
    refused =
        meters.counter(name + "refused_total", "Requests whose chunks did not fit into the queue.");
    settled =
        meters.counter("gilmok_missions_settled_total", "Missions of riders that were settled.");
  }

  private synchronized int locked(IntSupplier value) {
    return value.getAsInt();
  }

  /**
   * The pieces of one call. Its mutable fields are guarded by the lock until the call has ended.
   */
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

    /** Drops the pieces that are not begun. Returns their number. */
    private int drop() {
      int dropped = pieces - begun;
      begun = pieces;
      return dropped;
    }

    /** Notes a failure; only the first is kept. */
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

    /** The result; call it only after the end. */
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
   * Settles progress in pieces. Blocks until all pieces have ended.
   *
   * @return how many were settled; {@link #BUSY} when there was no room
   * @throws IOException when a piece failed, or its outcome is unknown; the other pieces are
   *     settled, and the same call again settles the rest
   * @throws InterruptedException when the caller is interrupted; pieces not begun are then not
   *     settled
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

  /** Queues all pieces of a request, or none. */
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
      } catch (Throwable noThread) { // else it would hold its place for ever
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

  /** Runs a writer: settles pieces until there is none to begin. */
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
    } catch (InterruptedException e) { // interrupted only by close
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

  /** Refuses new requests and settles those that are queued; what is not settled in time fails. */
  @Override
  public synchronized void close() {
    closing = true;
    long until = System.nanoTime() + patience.toNanos();
    try {
      while (!writers.isEmpty() && until - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, until - System.nanoTime());
      }
    } catch (InterruptedException e) { // the server's shutdown has no more time
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
