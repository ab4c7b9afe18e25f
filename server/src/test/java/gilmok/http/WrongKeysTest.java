package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Wrong keys are limited by address, and nobody's good key is refused for them. */
@Tag("server")
final class WrongKeysTest {
  @Test
  void wrongKeys_beyondTheRate_are429_andTheGoodKeyIsAnswered() throws Exception {
    try (Edge edge =
            new Edge(
                config -> {
                  config.wrongKeysRate = 5;
                  return config;
                });
        Wire wire = edge.wire()) {
      int unknown = 0;
      for (int i = 0; i < 50; i++) {
        Wire.Answer last = wire.head("GET /query HTTP/1.1", "Host: t", "X-Api-Key: bad" + i).read();
        unknown += last.status() == 401 ? 1 : 0;
        if (last.status() != 401) {
          assertThat(last.status()).isEqualTo(429);
          assertThat(last.text()).contains("wrong-keys").contains("\"field\":\"key\"");
          assertThat(Integer.parseInt(last.header("retry-after"))).isPositive();
        }
        assertThat(wire.get("/query?q=1").read().status()).isEqualTo(200);
      }
      assertThat(unknown).isBetween(5, 20);
      assertThat(edge.count(Refusal.WRONG_KEYS)).isEqualTo(50 - unknown);
    }
  }

  @Test
  void keysThatCannotWaitToBeVerified_countAsWrong() throws Exception {
    try (Edge edge =
            new Edge(
                config -> {
                  config.wrongKeysRate = 5;
                  return config;
                });
        Wire wire = edge.wire()) {
      int busy = 0;
      for (int i = 0; i < 50; i++) {
        int status =
            wire.head("GET /query HTTP/1.1", "Host: t", "X-Api-Key: crowded").read().status();
        busy += status == 503 ? 1 : 0;
        assertThat(status).isIn(503, 429);
      }
      assertThat(busy).isBetween(5, 20);
      assertThat(edge.count(Refusal.WRONG_KEYS)).isEqualTo(50 - busy);
    }
  }

  @Test
  void isTooMany_anotherAddress_hasALimitOfItsOwn() {
    WrongKeys keys = new WrongKeys(1, new SplittableRandom(7));
    InetAddress one = InetAddress.ofLiteral("198.51.100.1");

    assertThat(keys.isTooMany(one)).isFalse();
    assertThat(keys.isTooMany(one)).isTrue();
    assertThat(keys.isTooMany(InetAddress.ofLiteral("198.51.100.2"))).isFalse();
    assertThat(keys.isTooMany(InetAddress.ofLiteral("2001:db8::1"))).isFalse();
    assertThat(keys.isTooMany(InetAddress.ofLiteral("2001:db8::2")))
        .as("one household of IPv6")
        .isTrue();
  }

  @Test
  void isTooMany_noRate_never() {
    WrongKeys keys = new WrongKeys(0, new SplittableRandom(7));
    for (int i = 0; i < 1000; i++) {
      assertThat(keys.isTooMany(InetAddress.ofLiteral("198.51.100.1"))).isFalse();
    }
  }
}
