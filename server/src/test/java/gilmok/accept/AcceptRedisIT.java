package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.redis.RedisServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok accept --redis} against a real Redis. */
@Tag("engine")
@Timeout(120)
final class AcceptRedisIT {
  @AutoClose private static RedisServer server;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = RedisServer.start(folder);
  }

  @Test
  void aRedisThatIsWell_isAccepted_andNothingIsLeft() throws Exception {
    Accepting said = Accepting.of("--redis=" + server.url(), "--json");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.check("answers")).startsWith("pass: Redis ");
    assertThat(said.check("rights")).matches("pass: \\d+ commands .*, none denied");
    assertThat(said.check("the sink's positions arrive")).isEqualTo("pass: 10 of 10");
    assertThat(said.check("the latest position is the newest")).startsWith("pass: ");
    assertThat(said.check("nothing is evicted")).isEqualTo("pass: maxmemory-policy noeviction");
    assertThat(said.check("clock")).startsWith("pass: ");
    assertThat(said.check("replicas are fresh")).startsWith("not tried: it has none");
    assertThat(said.check("cleaned up")).startsWith("pass: nothing is left");
    assertThat(said.times("a batch of 100 positions")).isEqualTo(50);
    assertThat(server.texts("KEYS", "*accept*")).isEmpty();
  }

  @Test
  void rightsThatAreMissing_areNamed() throws Exception {
    server.texts(
        "ACL", "SETUSER", "narrow", "on", ">n4rrow", "~*", "&*", "+@all", "-xadd", "-config");
    String url = server.url().replace("redis://", "redis://narrow:n4rrow@");
    Accepting said = Accepting.of("--redis=" + url, "--json");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.check("rights")).isEqualTo("fail: XADD: denied (NOPERM): xadd");
    assertThat(said.check("the sink's positions arrive")).startsWith("fail: DENIED: ");
    assertThat(said.check("nothing is evicted")).startsWith("not tried: it does not tell");
    assertThat(said.text()).doesNotContain("n4rrow");
    assertThat(server.texts("KEYS", "*accept*")).isEmpty();
  }

  @Test
  void keysOfAnotherPrefix_areNamed() throws Exception {
    server.texts("ACL", "SETUSER", "other", "on", ">0ther", "~other:*", "&*", "+@all");
    String url = server.url().replace("redis://", "redis://other:0ther@");
    Accepting said = Accepting.of("--redis=" + url, "--json");
    assertThat(said.check("rights")).contains("SET: denied (NOPERM), by key or channel");
    assertThat(said.check("cleaned up")).startsWith("fail: ").contains("gilmok:accept:");
  }

  @Test
  void replicas_areWaitedFor_andOneOfThemIsNoPrimary(@TempDir Path own, @TempDir Path beside)
      throws Exception {
    try (RedisServer primary = RedisServer.start(own, "--repl-diskless-sync-delay", "0")) {
      String port = primary.address().replaceAll(".*:", "");
      try (RedisServer replica = RedisServer.start(beside, "--replicaof", "127.0.0.1", port)) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!primary.texts("WAIT", "1", "100").equals(List.of("1"))) {
          assertThat(System.nanoTime()).as("no replica").isLessThan(end);
        }
        Accepting said = Accepting.of("--redis=" + primary.url(), "--json");
        assertThat(said.check("replicas are fresh")).isEqualTo("pass: 1 of 1 within 1 s");
        Accepting other = Accepting.of("--redis=" + replica.url(), "--json");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.check("primary")).isEqualTo("fail: this one is a replica");
        assertThat(other.check("cleaned up")).startsWith("pass: ");
      }
    }
  }

  @Test
  void whoIsAway_orNeverAnswers_isSaidInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Accepting said =
          Accepting.of(
              "--redis=redis://127.0.0.1:" + silent.getLocalPort() + "/0",
              "--set=redis.connect-timeout=200ms",
              "--set=redis.command-timeout=200ms",
              "--json");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.check("answers")).startsWith("fail: ");
      assertThat(said.check("cleaned up")).startsWith("pass: ");
    }
    assertThat(Accepting.of("--redis=redis://127.0.0.1:1/0", "--json").check("answers"))
        .startsWith("fail: ")
        .contains("127.0.0.1");
  }
}
