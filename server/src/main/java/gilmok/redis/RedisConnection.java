package gilmok.redis;

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
 * A connection to Redis (in a cluster: one to each node), opened when it is first needed, and anew
 * after it broke. What is sent together is answered in that order. Thread-safe.
 */
public final class RedisConnection implements AutoCloseable {
  /** After an attempt to connect that failed, calls are refused for so long without another. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final Fault CLOSED = new Fault(Kind.UNREACHABLE, "", "closed");
  private static final Fault LATE = new Fault(Kind.TIMEOUT, "", "no answer in time");

  private final Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener;
  private final Duration openTimeout;
  private final Duration openWait;
  private final Duration timeout;
  private final RedisFaults redisFaults;
  private final String address;
  private @Nullable CompletableFuture<StatefulConnection<byte[], byte[]>> opened;
  private long openedAtNanos;
  private boolean closed;

  /**
   * @param openWait for how long a call waits for the connection
   * @param timeout how long an answer may take
   */
  RedisConnection(
      Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener,
      RedisConfig config,
      Duration openWait,
      Duration timeout,
      RedisFaults redisFaults) {
    this.opener = opener;
    openTimeout = config.connectTimeout().plus(config.commandTimeout());
    this.openWait = openWait;
    this.timeout = timeout;
    this.redisFaults = redisFaults;
    address = config.address();
  }

  /**
   * Sends commands with one flush, once there is a connection, and waits for the replies. For
   * threads that may block, as the driver itself may block who sends: in a cluster it waits for the
   * connections to the nodes, which its own threads must be free to open. It takes no longer than
   * connecting may, and thrice what an answer may: to the greeting, to the commands, and to scripts
   * that have to be sent as a whole.
   *
   * @return a reply to each, in their order
   */
  public List<RedisReply> exchange(List<RedisCall> calls) throws InterruptedException {
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
   * Whether Redis answers; opens the connection when it is not open. Blocks as {@link #exchange}.
   *
   * @return what is wrong, for people and without anything secret; null when nothing is
   */
  public @Nullable String ping() throws InterruptedException {
    RedisReply reply = exchange(List.of(RedisCall.of("PING", List.of(), List.of()))).getFirst();
    return reply instanceof Fault fault ? told(fault) : null;
  }

  /** What is wrong, for people and without anything secret: whose fault it is, and which. */
  public String told(Fault fault) {
    // The driver names it where it could not connect; a cluster's node, which we cannot know.
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
    // What was a primary has become a replica: whoever is it now is found by connecting anew.
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
   * A connection that came too late for the attempt it belongs to, where there is none yet, is the
   * one to use: on a machine that has too much to do, each attempt would come too late.
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
    return known.complete(late); // the connection of that attempt will be late, too, and is closed
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
