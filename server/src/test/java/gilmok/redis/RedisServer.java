package gilmok.redis;

import gilmok.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real {@code redis-server} on a free port of loopback, in a folder of its own, or the one that
 * {@code GILMOK_TEST_REDIS_URL} names. It appends every write to a file before it answers, so after
 * a kill it still has all that it acknowledged.
 */
public final class RedisServer implements AutoCloseable {
  /**
   * Kills the server when its input ends: when the test closes it, or the tests' process has ended
   * in any way.
   */
  private static final String WATCH =
      "trap '' HUP INT TERM; \"$@\" & cat > /dev/null; kill -9 $!; wait $!";

  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final String url;
  private final List<String> command;
  private final @Nullable Path folder;
  private final Redis redis;
  private final RedisConnection connection;
  private @Nullable Process process;

  private RedisServer(String url, List<String> command, @Nullable Path folder) {
    this.url = url;
    this.command = command;
    this.folder = folder;
    redis = new Redis(config(Map.of()));
    connection = redis.connection();
  }

  /** The server that the user named, or one started here: for tests that do not harm it. */
  public static RedisServer any(Path folder) throws IOException, InterruptedException {
    String users = System.getenv("GILMOK_TEST_REDIS_URL");
    return users == null ? start(folder) : new RedisServer(users, List.of(), null);
  }

  /** Starts a server with further options, such as {@code --requirepass secret}. */
  public static RedisServer start(Path folder, String... options)
      throws IOException, InterruptedException {
    return startWithUser("", folder, options);
  }

  /**
   * Starts a server that requires a password.
   *
   * @param user the part of the address before the host, such as {@code :secret@}
   */
  public static RedisServer startWithUser(String user, Path folder, String... options)
      throws IOException, InterruptedException {
    boolean there =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "redis-server")));
    if (!there && System.getenv("CI") != null) {
      throw new AssertionError("redis-server is not installed; apt-get install redis-server");
    }
    Assumptions.assumeTrue(there, "without redis-server this is not tested");
    int port = freePort();
    List<String> command = new ArrayList<>(List.of("sh", "-c", WATCH, "sh"));
    command.addAll(List.of("redis-server", "--port", Integer.toString(port)));
    command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"));
    // What was answered survives kill -9. By default it does not while the disk is slow: Redis then
    // answers before it writes.
    command.addAll(List.of("--appendfsync", "no"));
    command.addAll(List.of(options));
    RedisServer server =
        new RedisServer("redis://" + user + "127.0.0.1:" + port + "/0", command, folder);
    server.restart();
    return server;
  }

  private static int freePort() throws IOException {
    // A cluster's bus uses the port plus 10,000.
    for (int i = 0; i < 100; i++) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (socket.getLocalPort() < 55_000) {
          return socket.getLocalPort();
        }
      }
    }
    throw new AssertionError("no free port below 55000");
  }

  /** Its address without secrets: the host and the port. */
  public String address() {
    return config(Map.of()).address();
  }

  /** Its address, password included. */
  public String url() {
    return url;
  }

  /** A client's configuration for this server, with more settings. */
  public RedisConfig config(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(Map.of("redis.url", url));
    all.putAll(more);
    Settings settings = new Settings(all);
    RedisConfig config = RedisConfig.from(settings);
    settings.finish();
    return config;
  }

  /** Starts the server's process, and waits until it answers. */
  public void restart() throws IOException, InterruptedException {
    Path home = folder;
    if (home == null) {
      throw new IllegalStateException("the user's is not ours to restart");
    }
    Files.createDirectories(home);
    process =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("redis.out").toFile()))
            .start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (ask("PING") instanceof RedisReply.Fault fault) {
      if (System.nanoTime() > end) {
        kill();
        throw new AssertionError(fault + Files.readString(home.resolve("redis.out")));
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** Kills it with a signal that it cannot catch. */
  public void kill() {
    Process running = process;
    if (running != null) {
      try {
        running.getOutputStream().close();
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
      running.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }
  }

  /** Sends one command and returns its reply. */
  public RedisReply ask(String name, String... words) throws InterruptedException {
    List<byte[]> arguments = Arrays.stream(words).map(RedisCall::utf8).toList();
    return connection.exchange(List.of(RedisCall.of(name, List.of(), arguments))).getFirst();
  }

  /** Sends one command and returns its reply as texts, a single value as a list of one. */
  public List<String> texts(String name, String... words) throws InterruptedException {
    List<String> texts = new ArrayList<>();
    add(ask(name, words), texts);
    return texts;
  }

  private static void add(RedisReply reply, List<String> texts) {
    switch (reply) {
      case RedisReply.Bytes bytes -> texts.add(new String(bytes.value(), StandardCharsets.UTF_8));
      case RedisReply.Whole(long value) -> texts.add(Long.toString(value));
      case RedisReply.Nothing _ -> texts.add("");
      case RedisReply.Many(List<RedisReply> values) -> values.forEach(one -> add(one, texts));
      case RedisReply.Fault fault -> throw new AssertionError(fault);
    }
  }

  @Override
  public void close() {
    connection.close();
    redis.close();
    kill();
  }
}
