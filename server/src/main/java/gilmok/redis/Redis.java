package gilmok.redis;

import gilmok.observe.WaitMeter;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's only Redis client: its threads, and the factory of its connections. Connects only
 * when a connection is first used. Thread-safe.
 */
public final class Redis implements AutoCloseable {
  private static final int THREADS = 2;
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /**
   * How often the driver's timer wakes. It only ends attempts to connect, as calls have timeouts of
   * our own; the driver's default wakes ten times a second for nothing.
   */
  private static final Duration TICK = Duration.ofSeconds(1);

  private final RedisConfig config;
  private final RedisFaults redisFaults;
  private final @Nullable WaitMeter wait;
  private final HashedWheelTimer timer =
      new HashedWheelTimer(
          new DefaultThreadFactory("lettuce-timer", true), TICK.toMillis(), TimeUnit.MILLISECONDS);
  private final ClientResources resources;
  private final AbstractRedisClient client;
  private final Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener;

  /** A client that is not connected yet, and whose calls nobody measures. */
  public Redis(RedisConfig config) {
    this(config, null);
  }

  /**
   * A client that is not connected yet.
   *
   * @param config must have a url
   * @param wait measures the calls; null when nobody does
   */
  public Redis(RedisConfig config, @Nullable WaitMeter wait) {
    this.wait = wait;
    List<RedisURI> uris = config.uris();
    this.config = config;
    redisFaults = new RedisFaults(config.secrets());
    resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .timer(timer)
            .build();
    if (config.isCluster()) {
      RedisClusterClient cluster = RedisClusterClient.create(resources, uris);
      ClusterClientOptions.Builder options = ClusterClientOptions.builder();
      set(options);
      cluster.setOptions(options.build());
      client = cluster;
      opener =
          () ->
              cluster
                  .refreshPartitionsAsync()
                  .toCompletableFuture()
                  .thenCompose(_ -> cluster.connectAsync(ByteArrayCodec.INSTANCE))
                  .thenApply(connection -> connection);
    } else {
      RedisClient single = RedisClient.create(resources, uris.getFirst());
      ClientOptions.Builder options = ClientOptions.builder();
      set(options);
      single.setOptions(options.build());
      client = single;
      opener =
          () ->
              single
                  .connectAsync(ByteArrayCodec.INSTANCE, uris.getFirst())
                  .toCompletableFuture()
                  .thenApply(connection -> connection);
    }
  }

  private void set(ClientOptions.Builder options) {
    options.autoReconnect(false); // see package-info: the driver must not resend
    options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
    options.protocolVersion(ProtocolVersion.RESP2); // every server and proxy speaks it
    options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    options.requestQueueSize(config.requestsMax());
    // Else the driver ends a call that Redis keeps on purpose after the time of any other.
    options.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
    options.socketOptions(
        SocketOptions.builder().connectTimeout(config.connectTimeout()).keepAlive(true).build());
  }

  /**
   * A new connection with the configured timeouts, not opened yet. The caller closes it before this
   * client.
   */
  public RedisConnection connection() {
    Duration opening = config.connectTimeout().plus(config.commandTimeout());
    return new RedisConnection(opener, config, opening, config.commandTimeout(), redisFaults, wait);
  }

  /**
   * A new connection for calls that must not wait for long, as they can do without Redis. The
   * caller closes it before this client.
   *
   * @param timeout how long an answer may take, and how long a call waits for the connection to
   *     open; opening it may take longer, up to the configured timeouts, and goes on meanwhile
   */
  public RedisConnection connection(Duration timeout) {
    return new RedisConnection(opener, config, timeout, timeout, redisFaults, wait);
  }

  /**
   * A new connection for calls that Redis answers late on purpose, as {@code XREAD BLOCK}. Nobody
   * measures them. The caller closes it before this client.
   *
   * @param blocks how long Redis may keep a call
   */
  public RedisConnection blockingConnection(Duration blocks) {
    Duration opening = config.connectTimeout().plus(config.commandTimeout());
    Duration answer = config.commandTimeout().plus(blocks);
    return new RedisConnection(opener, config, opening, answer, redisFaults, null);
  }

  /** The prefix of all keys. */
  public String prefix() {
    return config.prefix();
  }

  /** Closes all connections and stops the threads. Blocks for a few seconds at most. */
  @Override
  public void close() {
    long millis = CLOSING.toMillis();
    boolean _ =
        client
            .shutdownAsync(0, millis, TimeUnit.MILLISECONDS)
            .orTimeout(2 * millis, TimeUnit.MILLISECONDS)
            .handle((none, ignored) -> true)
            .join();
    boolean _ =
        resources
            .shutdown(0, millis, TimeUnit.MILLISECONDS)
            .awaitUninterruptibly(2 * millis, TimeUnit.MILLISECONDS);
    timer.stop();
  }
}
