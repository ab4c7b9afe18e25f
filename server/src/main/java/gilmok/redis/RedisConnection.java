package gilmok.redis;

import gilmok.observe.WaitMeter;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Kind;
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
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to Redis; in a cluster, one to each node. It is opened on first use, and again after
 * it broke. Commands of one call are answered in their order. Thread-safe.
 */
public final class RedisConnection implements AutoCloseable {
  /** After a failed attempt to connect, calls are refused for this long without another attempt. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final Fault CLOSED = new Fault(Kind.UNREACHABLE, "", "closed");
  private static final Fault LATE = new Fault(Kind.TIMEOUT, "", "no answer in time");

  private final Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener;
  private final Duration openTimeout;
  private final Duration openWait;
  private final Duration timeout;
  private final RedisFaults redisFaults;
  private final @Nullable WaitMeter wait;
  private final String address;
  private @Nullable CompletableFuture<StatefulConnection<byte[], byte[]>> opened;
  private long openedAtNanos;
  private boolean closed;

  /**
   * @param openWait how long a call waits for the connection to open
   * @param timeout how long an answer may take
   */
  RedisConnection(
      Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener,
      RedisConfig config,
      Duration openWait,
      Duration timeout,
      RedisFaults redisFaults,
      @Nullable WaitMeter wait) {
    this.wait = wait;
    this.opener = opener;
    openTimeout = config.connectTimeout().plus(config.commandTimeout());
    this.openWait = openWait;
    this.timeout = timeout;
    this.redisFaults = redisFaults;
    address = config.address();
  }

  /**
   * Sends commands with one flush, once there is a connection, and waits for the replies. Blocks,
   * so not for event loops or the driver's threads: in a cluster the driver blocks the sender until
   * its threads have opened the connections to the nodes. Takes at most {@code openWait} and twice
   * {@code timeout}: once for the commands, once more for scripts that have to be sent in full. A
   * failure is a {@link RedisReply.Fault} in place of the reply, not an exception.
   *
   * @return one reply for each call, in their order
   */
  public List<RedisReply> exchange(List<RedisCall> calls) throws InterruptedException {
    long began = wait == null ? 0 : wait.begin();
    try {
      return ask(calls);
    } finally {
      if (wait != null) {
        wait.end(began);
      }
    }
  }

  private List<RedisReply> ask(List<RedisCall> calls) throws InterruptedException {
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening = open();
    if (opening == null) {
      return Collections.nCopies(calls.size(), CLOSED);
    }
    try {
      StatefulConnection<byte[], byte[]> connection =
          opening.get(openWait.toMillis(), TimeUnit.MILLISECONDS);
      List<RedisReply> replies = send(connection, calls, false).get();
      List<Integer> places = unknownScripts(calls, replies);
      if (places.isEmpty()) {
        return replies;
      }
      List<RedisReply> whole =
          send(connection, places.stream().map(calls::get).toList(), true).get();
      List<RedisReply> all = new ArrayList<>(replies);
      for (int i = 0; i < places.size(); i++) {
        all.set(places.get(i), whole.get(i));
      }
      return all;
    } catch (ExecutionException | TimeoutException failed) {
      return Collections.nCopies(calls.size(), redisFaults.of(failed));
    }
  }

  /**
   * Checks whether Redis answers; connects if necessary. Blocks as {@link #exchange} does.
   *
   * @return what is wrong, in words for people and without secrets; null when nothing is
   */
  public @Nullable String ping() throws InterruptedException {
    RedisReply reply = exchange(List.of(RedisCall.of("PING", List.of(), List.of()))).getFirst();
    return reply instanceof Fault fault ? told(fault) : null;
  }

  /** A fault in words for people, without secrets: the address and what failed there. */
  public String told(Fault fault) {
    // If connecting failed, the driver's message names the address already. In a cluster it names
    // the node, which is not known here.
    return fault.detail().contains(address) ? fault.detail() : address + ": " + fault.detail();
  }

  private CompletableFuture<List<RedisReply>> send(
      StatefulConnection<byte[], byte[]> connection, List<RedisCall> calls, boolean whole) {
    PipelinedReplies pipelinedReplies = new PipelinedReplies(calls.size());
    AtomicBoolean broken = new AtomicBoolean();
    List<AsyncCommand<byte[], byte[], RedisReply>> commands = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      int place = i;
      AsyncCommand<byte[], byte[], RedisReply> command = calls.get(i).command(whole);
      CompletableFuture<RedisReply> _ =
          command.whenComplete(
              (value, thrown) ->
                  pipelinedReplies.put(place, thrown == null ? value : fault(thrown, broken)));
      commands.add(command);
    }
    try {
      connection.dispatch(commands);
    } catch (RuntimeException refused) {
      pipelinedReplies.end(fault(refused, broken));
    }
    return pipelinedReplies
        .all()
        .copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            late -> {
              pipelinedReplies.end(LATE);
              broken.set(true);
              return pipelinedReplies.all();
            })
        .whenComplete(
            (all, none) -> {
              if (broken.get()) {
                drop(connection);
              }
            });
  }

  private Fault fault(Throwable thrown, AtomicBoolean broken) {
    Fault fault = redisFaults.of(thrown);
    // READONLY: the primary has become a replica. Connecting again finds the new primary.
    if (fault.code().equals("READONLY")
        || (fault.kind() == Kind.UNREACHABLE && !(thrown instanceof RedisConnectionException))) {
      broken.set(true);
    }
    return fault;
  }

  private static List<Integer> unknownScripts(List<RedisCall> calls, List<RedisReply> replies) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      boolean unknown = replies.get(i) instanceof Fault fault && fault.code().equals("NOSCRIPT");
      if (unknown && calls.get(i).script() != null) {
        places.add(i);
      }
    }
    return places;
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
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening = new CompletableFuture<>();
    opened = opening;
    try {
      CompletableFuture<?> _ =
          opener
              .get()
              .whenComplete(
                  (connection, thrown) -> {
                    if (thrown != null) {
                      opening.completeExceptionally(thrown);
                    } else if (!opening.complete(connection) && !isOfUse(connection)) {
                      CompletableFuture<Void> _ = connection.closeAsync();
                    }
                  });
    } catch (RuntimeException refused) {
      opening.completeExceptionally(refused);
    }
    return opening.orTimeout(openTimeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Whether a connection that opened after its attempt timed out is used; it is if there is no
   * other yet. On an overloaded machine every attempt may be too late, and none would ever succeed.
   */
  private synchronized boolean isOfUse(StatefulConnection<byte[], byte[]> late) {
    CompletableFuture<StatefulConnection<byte[], byte[]>> known = opened;
    if (closed || known == null) {
      return false;
    }
    if (known.isCompletedExceptionally()) {
      opened = CompletableFuture.completedFuture(late);
      return true;
    }
    return known.complete(late); // that attempt's own connection is then closed
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
      if (closed) {
        return; // close() closes it, and so ends the calls that wait for an answer
      }
      if (known != null
          && known.isDone()
          && !known.isCompletedExceptionally()
          && known.join() == connection) {
        opened = null;
      }
    }
    CompletableFuture<Void> _ = connection.closeAsync();
  }

  /**
   * Closes the connection. All calls from now on are refused. Blocks for at most one {@code
   * timeout}.
   */
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
