package gilmok.redis;

import gilmok.redis.Reply.Fault;
import gilmok.redis.Reply.Kind;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to Redis (in a cluster: one to each node), opened when it is first needed, and anew
 * after it broke. What is sent together is answered in that order. Thread-safe.
 */
public final class RedisConnection implements AutoCloseable {
  /** After an attempt to connect that failed, calls are refused for so long without another. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final Fault NOT_CONNECTED = new Fault(Kind.UNREACHABLE, "", "not connected");
  private static final Fault CLOSED = new Fault(Kind.UNREACHABLE, "", "closed");
  private static final Fault LATE = new Fault(Kind.TIMEOUT, "", "no answer in time");

  private final Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener;
  private final Duration timeout;
  private final Faults faults;
  private @Nullable CompletableFuture<StatefulConnection<byte[], byte[]>> opened;
  private long openedAtNanos;
  private boolean closed;

  RedisConnection(
      Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener,
      Duration timeout,
      Faults faults) {
    this.opener = opener;
    this.timeout = timeout;
    this.faults = faults;
  }

  /**
   * Sends commands with one flush. Never blocks. While there is no connection all are refused, and
   * one is being opened.
   *
   * @return a reply to each, in their order, on a thread that must not be held up; never fails
   */
  public CompletableFuture<List<Reply>> send(List<Call> calls) {
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening = open();
    if (opening == null || !opening.isDone()) {
      return CompletableFuture.completedFuture(
          Collections.nCopies(calls.size(), opening == null ? CLOSED : NOT_CONNECTED));
    }
    return sendWhenOpen(opening, calls);
  }

  /**
   * Sends commands with one flush, once there is a connection, and waits for the replies. For
   * threads that may block; it takes no longer than both timeouts (and the second once more, when a
   * script has to be sent as a whole).
   *
   * @return a reply to each, in their order
   */
  public List<Reply> exchange(List<Call> calls) throws InterruptedException {
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening = open();
    try {
      return opening == null
          ? Collections.nCopies(calls.size(), CLOSED)
          : sendWhenOpen(opening, calls).get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible.getCause());
    }
  }

  private CompletableFuture<List<Reply>> sendWhenOpen(
      CompletableFuture<StatefulConnection<byte[], byte[]>> opening, List<Call> calls) {
    return opening
        .thenCompose(
            connection ->
                send(connection, calls, false)
                    .thenCompose(replies -> sendScriptsWhole(connection, calls, replies)))
        .exceptionally(thrown -> Collections.nCopies(calls.size(), faults.of(thrown)));
  }

  private CompletableFuture<List<Reply>> send(
      StatefulConnection<byte[], byte[]> connection, List<Call> calls, boolean whole) {
    Replies replies = new Replies(calls.size());
    AtomicBoolean broken = new AtomicBoolean();
    List<AsyncCommand<byte[], byte[], Reply>> commands = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      int place = i;
      AsyncCommand<byte[], byte[], Reply> command = calls.get(i).command(whole);
      CompletableFuture<Reply> _ =
          command.whenComplete(
              (value, thrown) ->
                  replies.put(place, thrown == null ? value : fault(thrown, broken)));
      commands.add(command);
    }
    try {
      connection.dispatch(commands);
    } catch (RuntimeException refused) {
      replies.end(fault(refused, broken));
    }
    return replies
        .all()
        .copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            late -> {
              replies.end(LATE);
              broken.set(true);
              return replies.all();
            })
        .whenComplete(
            (all, none) -> {
              if (broken.get()) {
                drop(connection);
              }
            });
  }

  private Fault fault(Throwable thrown, AtomicBoolean broken) {
    Fault fault = faults.of(thrown);
    // What was a primary has become a replica: whoever is it now is found by connecting anew.
    if (fault.code().equals("READONLY")
        || (fault.kind() == Kind.UNREACHABLE && !(thrown instanceof RedisConnectionException))) {
      broken.set(true);
    }
    return fault;
  }

  private CompletableFuture<List<Reply>> sendScriptsWhole(
      StatefulConnection<byte[], byte[]> connection, List<Call> calls, List<Reply> replies) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      boolean unknown = replies.get(i) instanceof Fault fault && fault.code().equals("NOSCRIPT");
      if (unknown && calls.get(i).isScript()) {
        places.add(i);
      }
    }
    if (places.isEmpty()) {
      return CompletableFuture.completedFuture(replies);
    }
    return send(connection, places.stream().map(calls::get).toList(), true)
        .thenApply(
            more -> {
              List<Reply> all = new ArrayList<>(replies);
              for (int i = 0; i < places.size(); i++) {
                all.set(places.get(i), more.get(i));
              }
              return all;
            });
  }

  private synchronized @Nullable CompletableFuture<StatefulConnection<byte[], byte[]>> open() {
    CompletableFuture<StatefulConnection<byte[], byte[]>> known = opened;
    if (closed) {
      return null;
    }
    if (known != null && isUsable(known)) {
      return known;
    }
    openedAtNanos = System.nanoTime();
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening;
    try {
      opening = opener.get();
    } catch (RuntimeException refused) {
      opening = CompletableFuture.failedFuture(refused);
    }
    opened = opening;
    return opening;
  }

  private boolean isUsable(CompletableFuture<StatefulConnection<byte[], byte[]>> known) {
    if (known.isCompletedExceptionally()) {
      return System.nanoTime() - openedAtNanos < PAUSE.toNanos();
    }
    return !known.isDone() || known.join().isOpen();
  }

  private void drop(StatefulConnection<byte[], byte[]> connection) {
    synchronized (this) {
      CompletableFuture<StatefulConnection<byte[], byte[]>> known = opened;
      if (known != null
          && known.isDone()
          && !known.isCompletedExceptionally()
          && known.join() == connection) {
        opened = null;
      }
    }
    CompletableFuture<Void> _ = connection.closeAsync();
  }

  /** Closes it; from now on all calls are refused. Blocks for a moment. */
  @Override
  public void close() {
    CompletableFuture<StatefulConnection<byte[], byte[]>> known;
    synchronized (this) {
      closed = true;
      known = opened;
      opened = null;
    }
    if (known != null) {
      boolean _ =
          known
              .thenCompose(StatefulConnection::closeAsync)
              .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
              .handle((none, ignored) -> true)
              .join();
    }
  }
}
