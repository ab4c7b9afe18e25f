package gilmok.http;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.PartTimes;
import gilmok.observe.RateLimitedLog;
import gilmok.trace.TraceContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one way to leave an event loop: work that may block runs on a virtual thread of its own, and
 * its request is answered whatever happens to the work.
 *
 * <ul>
 *   <li>The number of requests in flight is limited; over the limit, requests are refused with 503
 *       {@code busy}. A {@link Call} that leaves room for others may use only half of the places.
 *   <li>An outage (an {@link IOException}, or an exception that wraps one) is answered with 503
 *       {@code busy}, a bug (any other exception or error, and an answer that cannot be sent) with
 *       500 {@code broken}, an interrupt with 503 {@code stopping}. Outages and bugs are counted,
 *       and logged at most once in a while.
 *   <li>Work that runs past the deadline is interrupted, and its request is answered with 503
 *       {@code busy}.
 *   <li>A place is given back once, after the work has ended and the request was answered. Work
 *       that hangs past its deadline keeps its place, so the number of threads stays bounded.
 * </ul>
 *
 * <p>Made by {@link Offloads}. Thread-safe.
 */
public final class Offload {
  /** Work that may use all places and whose duration is not measured. */
  public static final Call PLAIN = new Call(false, null);

  private static final long LOOK_NANOS = 2_000_000L;

  private final Part part;
  private final ThreadFactory threads;
  private final Histogram starts;
  private final Counter outages;
  private final Counter bugs;
  private final Counter late;
  private final RateLimitedLog rateLimitedLog;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Set<Task> withDeadline = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /**
   * The part of the server that an offload belongs to, and its limits.
   *
   * @param name in metrics and in the log, as in {@code gilmok_NAME_in_flight}
   * @param failed what does not work after an outage, for the operator
   * @param inFlightMax how many requests are in flight at most
   * @param deadline after which a request is answered although its work has not ended
   * @param outages an additional counter of outages; null for a part that has none of its own
   */
  public record Part(
      String name, String failed, int inFlightMax, Duration deadline, @Nullable Counter outages) {
    /** A part with the usual deadline, which is longer than the time-out of any store. */
    public Part(String name, String failed, int inFlightMax, @Nullable Counter outages) {
      this(name, failed, inFlightMax, Duration.ofSeconds(30), outages);
    }
  }

  /** The work of one request, which ends with its answer. */
  @FunctionalInterface
  public interface Work {
    /** Does the work and returns the answer. On a virtual thread: it may block. */
    Answer run() throws IOException, InterruptedException;
  }

  /** Writes a streamed reply. */
  @FunctionalInterface
  public interface Writing {
    /**
     * Writes the reply without ending it. Returns whether all of it was written. On a virtual
     * thread: it may block, but must end by itself when the client does not read.
     */
    boolean write(ReplyStream reply) throws IOException, InterruptedException;

    /** Releases what the writing has: once, at its end or if it cannot begin. Does not throw. */
    default void ended() {}
  }

  /**
   * A kind of work.
   *
   * @param leavesRoom whether it leaves half of the places to other kinds
   * @param seconds measures how long it takes; null when that is not measured
   */
  public record Call(boolean leavesRoom, @Nullable Histogram seconds) {}

  /**
   * An offload with nothing in flight.
   *
   * @param threads makes the threads that do the work
   */
  Offload(Part part, Meters meters, ThreadFactory threads) {
    this.part = part;
    this.threads = threads;
    starts =
        meters.seconds(
            "gilmok_virtual_thread_start_seconds",
            "From the start of a virtual thread to its first run.",
            "part",
            part.name);
    outages = failures(meters, "outage");
    bugs = failures(meters, "bug");
    late = failures(meters, "deadline");
    rateLimitedLog = new RateLimitedLog("gilmok." + part.name, part.failed);
    String name = "gilmok_" + part.name + "_in_flight";
    meters.gauge(name, "Requests of this part that have left the event loop.", inFlight::get);
    meters.gauge(name + "_max", "The bound of " + name + ".", part::inFlightMax);
  }

  private Counter failures(Meters meters, String cause) {
    return meters.counter(
        "gilmok_offload_failures_total",
        "Requests whose work failed after they had left the event loop.",
        "part",
        part.name,
        "cause",
        cause);
  }

  /** Answers a request with the result of its work, or refuses it when there is no place. */
  public void ask(Exchange exchange, Work work) {
    boolean _ = ask(exchange, PLAIN, work);
  }

  /**
   * Answers a request with the result of its work, or refuses it at once when there is no place.
   *
   * @return whether there was a place
   */
  public boolean ask(Exchange exchange, Call call, Work work) {
    Refusal lack = enter(call.leavesRoom);
    if (lack == null) {
      start(new Task(exchange, call, null, work));
    } else {
      exchange.refuse(lack);
    }
    return lack == null;
  }

  private void start(Task task) {
    withDeadline.add(task);
    try {
      Thread thread = threads.newThread(task);
      task.thread = thread;
      thread.start();
    } catch (Throwable notStarted) {
      leave(task);
      task.failed(notStarted);
    }
  }

  /**
   * Answers a request that is answered in any case with the result of its work; or, where there is
   * no place, the work fails or it takes too long, with another answer.
   */
  public void ask(Exchange exchange, Answer otherwise, Work work) {
    Refusal lack = enter(false);
    if (lack == null) {
      start(new Task(exchange, PLAIN, otherwise, work));
    } else {
      otherwise.send(exchange);
    }
  }

  /** Streams a reply of 200, or refuses; one not written to its end is aborted. Any thread. */
  public void stream(Exchange exchange, String contentType, Writing writing) {
    Refusal lack = enter(false);
    if (lack == null) {
      exchange.execute(() -> begin(exchange, contentType, writing));
    } else {
      writing.ended();
      exchange.refuse(lack);
    }
  }

  private void begin(Exchange exchange, String contentType, Writing writing) {
    ReplyStream reply = null;
    try {
      ReplyStream begun = exchange.stream(contentType);
      reply = begun;
      threads.newThread(() -> write(begun, writing)).start();
    } catch (Throwable notBegun) {
      inFlight.decrementAndGet();
      writing.ended();
      if (reply == null) {
        refuseForBug(exchange, notBegun);
      } else {
        reply.breakOff();
        bug(notBegun);
      }
    }
  }

  private void write(ReplyStream reply, Writing writing) {
    boolean isWhole = false;
    try {
      isWhole = writing.write(reply);
    } catch (IOException | UncheckedIOException failed) {
      outage(failed);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (Throwable bug) {
      bug(bug);
    } finally {
      try {
        if (isWhole) {
          reply.end();
        } else if (!reply.isEnded()) {
          reply.breakOff();
        }
      } finally {
        writing.ended();
        inFlight.decrementAndGet();
      }
    }
  }

  /** Takes a place; returns why there is none, or null. */
  private @Nullable Refusal enter(boolean leavesRoom) {
    if (stopping) {
      return Refusal.STOPPING;
    }
    if (inFlight.incrementAndGet() > (leavesRoom ? part.inFlightMax / 2 : part.inFlightMax)) {
      inFlight.decrementAndGet();
      return Refusal.BUSY;
    }
    return null;
  }

  private void leave(Task task) {
    if (withDeadline.remove(task)) {
      inFlight.decrementAndGet();
    }
  }

  private void outage(Exception failed) {
    outages.increment();
    if (part.outages != null) {
      part.outages.increment();
    }
    rateLimitedLog.about(failed);
  }

  private void bug(Throwable bug) {
    bugs.increment();
    rateLimitedLog.bug(
        "a request about " + part.name + " failed by a bug of the server; report it", bug);
  }

  private void refuseForBug(Exchange exchange, Throwable bug) {
    try {
      exchange.refuse(Refusal.BROKEN);
    } finally {
      bug(bug);
    }
  }

  /**
   * Answers the requests whose deadline has passed, and interrupts their work.
   *
   * @return whether any request has a deadline
   */
  boolean sweep(long nowNanos) {
    boolean isAny = false;
    for (Task task : withDeadline) {
      isAny = true;
      if (nowNanos - task.began > part.deadline.toNanos() && !task.late) {
        task.late = true;
        late.increment();
        try {
          task.instead(Refusal.BUSY).send(task.exchange);
        } finally {
          task.interrupt();
        }
        // Last, because logging may fail, too, and this task is not visited again.
        rateLimitedLog.about(
            "a request had not ended after "
                + part.deadline.toSeconds()
                + " s, and was answered 503");
      }
    }
    return isAny;
  }

  /**
   * Runs a short task on a virtual thread without taking a place; the task must answer its request
   * itself. Throws when no thread can be started.
   */
  static void beside(String name, Runnable task) {
    Thread.ofVirtual().name("gilmok-" + name).start(task);
  }

  /** How many requests of this part are in flight. */
  public int inFlight() {
    return inFlight.get();
  }

  /** Refuses new requests, and waits for those in flight. */
  public void drain(Duration patience) throws InterruptedException {
    stopping = true;
    long until = System.nanoTime() + patience.toNanos();
    while (inFlight.get() > 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** One request in flight. Tasks are compared by identity. */
  private final class Task implements Runnable {
    private final Exchange exchange;
    private final Call call;
    private final @Nullable Answer otherwise;
    private final Work work;
    private final @Nullable TraceContext trace;
    private final long began = System.nanoTime();
    private volatile @Nullable Thread thread;

    /**
     * Whether the sweep has answered it because its deadline passed. Belongs to the sweeping
     * thread.
     */
    private boolean late;

    Task(Exchange exchange, Call call, @Nullable Answer otherwise, Work work) {
      this.exchange = exchange;
      this.call = call;
      this.otherwise = otherwise;
      this.work = work;
      trace = exchange.trace();
    }

    void interrupt() {
      Thread mine = thread;
      if (mine != null) {
        mine.interrupt();
      }
    }

    @Override
    public void run() {
      long started = System.nanoTime();
      starts.record(started - began);
      try {
        Answer answer = answer();
        exchange.worked(PartTimes.take(), started - began, System.nanoTime() - started);
        answer.send(exchange);
      } catch (Throwable unsent) {
        failed(unsent);
      } finally {
        leave(this);
      }
    }

    /** The answer where the work has none. */
    Answer instead(Refusal refusal) {
      return otherwise == null ? Answer.of(refusal) : otherwise;
    }

    void failed(Throwable bug) {
      try {
        instead(Refusal.BROKEN).send(exchange);
      } finally {
        bug(bug);
      }
    }

    private Answer answer() {
      try {
        return trace == null ? work.run() : trace.call(work::run);
      } catch (IOException | UncheckedIOException failed) {
        outage(failed);
        return instead(Refusal.BUSY);
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
        return instead(Refusal.STOPPING);
      } finally {
        if (call.seconds != null) {
          call.seconds.record(System.nanoTime() - began);
        }
      }
    }
  }
}
