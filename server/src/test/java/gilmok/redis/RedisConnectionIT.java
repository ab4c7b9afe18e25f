package gilmok.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import io.lettuce.core.api.StatefulConnection;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client with a real Redis. */
@Tag("engine")
@Timeout(60)
final class RedisConnectionIT {
  private static final RedisCall PING = RedisCall.of("PING", List.of(), List.of());

  @TempDir Path folder;

  @Test
  void exchange_overABrokenConnection_opensAnother() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        Redis redis = new Redis(server.config(Map.of()));
        RedisConnection connection = redis.connection()) {
      assertThat(connection.exchange(List.of(PING, PING)))
          .hasSize(2)
          .allMatch(reply -> reply instanceof RedisReply.Bytes);
      server.kill();
      while (!(connection.exchange(List.of(PING)).getFirst() instanceof RedisReply.Fault)) {
        LockSupport.parkNanos(1_000_000);
      }
      server.restart();
      while (connection.exchange(List.of(PING)).getFirst() instanceof RedisReply.Fault) {
        LockSupport.parkNanos(1_000_000);
      }
      RedisConnection other = redis.connection();
      other.close();
      assertThat(other.exchange(List.of(PING)).getFirst()).isInstanceOf(RedisReply.Fault.class);
    }
  }

  @Test
  void blockingConnection_isAnsweredLaterThanOthersMayBe() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        Redis redis = new Redis(server.config(Map.of("redis.command-timeout", "100 ms")));
        RedisConnection connection = redis.blockingConnection(Duration.ofSeconds(10))) {
      List<byte[]> words = List.of(RedisCall.utf8("none"), RedisCall.utf8("2"));
      assertThat(connection.exchange(List.of(RedisCall.of("BLPOP", List.of(), words))).getFirst())
          .isInstanceOf(RedisReply.Nothing.class);
    }
  }

  /** A server that accepts connections and never answers. */
  @Test
  void exchange_withAMuteServer_isATimeout() throws Exception {
    for (String cluster : List.of("false", "true")) {
      try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
          Redis redis = new Redis(mute(mute.getLocalPort(), cluster));
          RedisConnection connection = redis.connection()) {
        assertThat(connection.exchange(List.of(PING)).getFirst())
            .isInstanceOfSatisfying(
                RedisReply.Fault.class,
                fault ->
                    assertThat(fault.kind())
                        .isIn(RedisReply.Kind.TIMEOUT, RedisReply.Kind.UNREACHABLE));
        assertThat(connection.ping()).contains("127.0.0.1:" + mute.getLocalPort());
      }
    }
  }

  /**
   * In a cluster, the driver blocks the sending thread until its own threads have connected. So the
   * driver's threads must never send.
   */
  @Test
  @SuppressWarnings("unchecked")
  void exchange_sendsFromTheCallersThread_whoeverOpenedTheConnection() throws Exception {
    List<Thread> senders = new ArrayList<>();
    StatefulConnection<byte[], byte[]> connected =
        (StatefulConnection<byte[], byte[]>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StatefulConnection.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("dispatch")) {
                    senders.add(Thread.currentThread());
                    throw new IllegalStateException("seen");
                  }
                  return null;
                });
    CompletableFuture<StatefulConnection<byte[], byte[]>> opening = new CompletableFuture<>();
    try (RedisConnection connection = connection(() -> opening, mute(1, "true"))) {
      Thread driver =
          Thread.ofPlatform()
              .start(
                  () -> {
                    LockSupport.parkNanos(50_000_000);
                    opening.complete(connected);
                  });
      assertThat(connection.exchange(List.of(PING)).getFirst())
          .isInstanceOf(RedisReply.Fault.class);
      driver.join();
    }
    assertThat(senders).containsExactly(Thread.currentThread());
  }

  /** Every attempt to connect takes longer than its timeout, as on a very busy machine. */
  @Test
  void exchange_everyConnectionComesTooLate_theFirstThatComesIsUsed() throws Exception {
    List<CompletableFuture<StatefulConnection<byte[], byte[]>>> attempts = new ArrayList<>();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    try (RedisConnection connection =
        connection(
            () -> {
              attempts.add(new CompletableFuture<>());
              return attempts.getLast();
            },
            mute(1, "false"))) {
      assertThat(connection.exchange(List.of(PING)).getFirst())
          .isInstanceOf(RedisReply.Fault.class);
      assertThat(attempts).hasSize(1);
      attempts.getFirst().complete(open(asked, closed));
      assertThat(connection.exchange(List.of(PING)).getFirst())
          .isInstanceOf(RedisReply.Fault.class);
      assertThat(asked).as("it was sent there").hasValue(1);
      assertThat(attempts).as("and no other was opened").hasSize(1);
    }
    assertThat(closed).hasValueGreaterThan(0);
  }

  @SuppressWarnings("unchecked")
  private StatefulConnection<byte[], byte[]> open(AtomicInteger asked, AtomicInteger closed) {
    return (StatefulConnection<byte[], byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {StatefulConnection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isOpen" -> true;
                  case "dispatch" -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("seen");
                  }
                  case "closeAsync" -> {
                    closed.incrementAndGet();
                    yield CompletableFuture.completedFuture(null);
                  }
                  default -> null;
                });
  }

  private static RedisConnection connection(
      Supplier<CompletableFuture<StatefulConnection<byte[], byte[]>>> opener, RedisConfig config) {
    Duration wait = config.connectTimeout().plus(config.commandTimeout());
    return new RedisConnection(
        opener, config, wait, config.commandTimeout(), new RedisFaults(List.of()), null);
  }

  private static RedisConfig mute(int port, String cluster) {
    return RedisConfig.from(
        new Settings(
            Map.of(
                "redis.url",
                "redis://127.0.0.1:" + port,
                "redis.cluster",
                cluster,
                "redis.connect-timeout",
                "200 ms",
                "redis.command-timeout",
                "200 ms")));
  }

  @Test
  void exchange_moreThanMayBeUnderWay_isRefused() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        Redis redis =
            new Redis(server.config(Map.of("redis.requests-max", "" + RedisConfig.REQUESTS_MIN)));
        RedisConnection connection = redis.connection()) {
      List<RedisCall> many = Collections.nCopies(RedisConfig.REQUESTS_MIN, PING);
      assertThat(connection.exchange(many)).allMatch(reply -> reply instanceof RedisReply.Bytes);
      List<RedisCall> more = Collections.nCopies(RedisConfig.REQUESTS_MIN + 1, PING);
      assertThat(connection.exchange(more))
          .allMatch(
              reply ->
                  reply instanceof RedisReply.Fault fault && fault.kind() == RedisReply.Kind.BUSY);
      assertThat(connection.exchange(many)).allMatch(reply -> reply instanceof RedisReply.Bytes);
    }
  }

  /** The text is shown by {@code /v1/sinks}, the log and readiness. */
  @Test
  void ping_refused_namesTheAddressAndNoPassword() throws Exception {
    try (RedisServer server =
            RedisServer.startWithUser(":right@", folder, "--requirepass", "right");
        Redis none = new Redis(told(server, ""));
        Redis wrong = new Redis(told(server, ":n0t-right@"));
        RedisConnection unnamed = none.connection();
        RedisConnection misnamed = wrong.connection()) {
      assertThat(refusal(unnamed)).startsWith(server.address() + ": NOAUTH");
      assertThat(refusal(misnamed)).contains(server.address()).doesNotContain("n0t-right");
      server.kill();
      assertThat(misnamed.ping()).contains(server.address()).doesNotContain("n0t-right");
    }
  }

  private static RedisConfig told(RedisServer server, String user) {
    return server.config(Map.of("redis.url", "redis://" + user + server.address() + "/0"));
  }

  /** Pings until the refusal shows: at times the closed connection is noticed before its cause. */
  private static String refusal(RedisConnection connection) throws InterruptedException {
    String told = String.valueOf(connection.ping());
    for (int i = 0; i < 100 && !told.contains("AUTH") && !told.contains("WRONGPASS"); i++) {
      assertThat(told).contains("127.0.0.1:");
      LockSupport.parkNanos(50_000_000);
      told = String.valueOf(connection.ping());
    }
    return told;
  }

  @Test
  void exchange_errorsAndNothing_areReplies() throws Exception {
    try (RedisServer server = RedisServer.start(folder)) {
      assertThat(server.ask("GET", "none")).isEqualTo(new RedisReply.Nothing());
      assertThat(server.ask("SET", "a", "1")).isInstanceOf(RedisReply.Bytes.class);
      assertThat(server.ask("INCR", "a")).isEqualTo(new RedisReply.Whole(2));
      assertThat(server.ask("LPUSH", "a", "1"))
          .isInstanceOfSatisfying(
              RedisReply.Fault.class, fault -> assertThat(fault.code()).isEqualTo("WRONGTYPE"));
      assertThat(server.texts("MGET", "a", "b")).containsExactly("2", "");
    }
  }

  @Test
  void exchange_scriptsArguments_arriveAsTheyAre() throws Exception {
    LuaScript echo =
        new LuaScript(
            "local all = {KEYS[1]} for i = 1, #ARGV do all[i + 1] = ARGV[i] end return all");
    List<String> expected = new ArrayList<>(List.of("a key"));
    ScriptArguments scriptArguments = new ScriptArguments(0);
    for (int length : new int[] {0, 1, 9, 10, 11, 99, 100, 1000, 70_000}) {
      expected.add("\r\n$".repeat(length).substring(0, length));
      scriptArguments.add(expected.getLast());
    }
    for (long number : new long[] {0, 9, 10, 1_800_000_000_000L, Long.MAX_VALUE, -1, -909}) {
      expected.add(Long.toString(number));
      scriptArguments.add(number);
    }
    byte[] some = RedisCall.utf8("abc김d");
    scriptArguments.add(some, 3, 3);
    expected.add("김");
    assertThat(scriptArguments.count()).isEqualTo(expected.size() - 1);
    try (RedisServer server = RedisServer.start(folder);
        Redis redis = new Redis(server.config(Map.of()));
        RedisConnection connection = redis.connection()) {
      RedisCall call = RedisCall.of(echo, List.of(RedisCall.utf8("a key")), scriptArguments);
      // The second call finds the script loaded.
      for (RedisReply reply : connection.exchange(List.of(call, call, PING)).subList(0, 2)) {
        assertThat(texts(reply)).isEqualTo(expected);
      }
      assertThat(texts(connection.exchange(List.of(call)).getFirst())).isEqualTo(expected);
    }
  }

  private static List<String> texts(RedisReply reply) {
    return ((RedisReply.Many) reply)
        .values().stream()
            .map(one -> new String(((RedisReply.Bytes) one).value(), StandardCharsets.UTF_8))
            .toList();
  }
}
