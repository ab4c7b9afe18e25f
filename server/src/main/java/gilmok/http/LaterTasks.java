package gilmok.http;

import gilmok.observe.Histogram;
import gilmok.observe.PartTimes;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an {@link Offload} for which no thread waits: another thread ends their work, and
 * their event loop answers. Each has a place and gives it back once. Thread-safe.
 */
final class LaterTasks {
  private final Ends ends;
  private final Set<Task<?>> tasks = ConcurrentHashMap.newKeySet();

  /** What becomes of a task's end. */
  interface Ends {
    void outage(IOException failed);

    /** Counts a bug, and refuses its request; null for one that was left alone. */
    void bug(@Nullable Exchange toRefuse, Throwable bug);

    /** The place is free again. */
    void left();
  }

  /** A request that has a place. */
  record Asked(Exchange exchange, LaterWait until, @Nullable Histogram seconds) {}

  LaterTasks(Ends ends) {
    this.ends = ends;
  }

  /** Begins a request's work. On its event loop. */
  <T> void begin(Asked asked, Supplier<CompletableFuture<T>> begin, Function<T, Answer> answer) {
    try {
      Task<T> task = new Task<>(asked, begin.get(), answer);
      tasks.add(task);
      var _ = task.work.whenComplete(task::end);
    } catch (Throwable notBegun) {
      ends.left();
      ends.bug(asked.exchange, notBegun);
    }
  }

  /** Cancels what has waited too long, which ends it. Returns whether any waits. */
  boolean sweep(long nowNanos) {
    boolean isAny = false;
    for (Task<?> task : tasks) {
      isAny = true;
      if (nowNanos - task.began > task.asked.until.max().toNanos()) {
        boolean _ = task.work.cancel(false);
      }
    }
    return isAny;
  }

  /** One request. Tasks are compared by identity. */
  private final class Task<T> {
    private final Asked asked;
    private final CompletableFuture<T> work;
    private final Function<T, Answer> answer;
    private final long began = System.nanoTime();

    Task(Asked asked, CompletableFuture<T> work, Function<T, Answer> answer) {
      this.asked = asked;
      this.work = work;
      this.answer = answer;
    }

    /** The work has ended; on the thread that has ended it. */
    void end(@Nullable T result, @Nullable Throwable failure) {
      tasks.remove(this);
      try {
        asked.exchange.execute(() -> reply(result, failure));
      } catch (Throwable notHandedOver) {
        ends.left();
        ends.bug(null, notHandedOver);
      }
    }

    private void reply(@Nullable T result, @Nullable Throwable failure) {
      long waited = System.nanoTime() - began;
      try {
        PartTimes _ = PartTimes.take();
        PartTimes.waited(asked.until.on(), waited);
        Answer made = answer(result, failure);
        asked.exchange.worked(PartTimes.take(), 0, System.nanoTime() - began);
        made.send(asked.exchange);
      } catch (Throwable unsent) {
        ends.bug(asked.exchange, unsent);
      } finally {
        ends.left();
        if (asked.seconds != null) {
          asked.seconds.record(waited);
        }
      }
    }

    private Answer answer(@Nullable T result, @Nullable Throwable failure) {
      return switch (failure) {
        case null -> answer.apply(Objects.requireNonNull(result));
        case CancellationException _ -> busy(new IOException("not done in " + asked.until.max()));
        case IOException outage -> busy(outage);
        default -> throw new IllegalStateException(failure);
      };
    }

    private Answer busy(IOException why) {
      ends.outage(why);
      return Answer.of(Refusal.BUSY);
    }
  }
}
