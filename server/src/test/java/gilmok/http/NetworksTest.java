package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class NetworksTest {
  private static final Networks PROXIES =
      Networks.of(List.of("10.0.0.0/8", "192.168.1.7", "fd00::/9", "172.16.0.0/12"));

  @Test
  void hold_whatIsInThem() {
    for (String in : List.of("10.255.0.1", "192.168.1.7", "fd7f::1", "172.31.255.255")) {
      assertThat(PROXIES.hold(InetAddress.ofLiteral(in))).as(in).isTrue();
    }
    for (String out : List.of("11.0.0.1", "192.168.1.8", "fd80::1", "172.32.0.0", "::1")) {
      assertThat(PROXIES.hold(InetAddress.ofLiteral(out))).as(out).isFalse();
    }
    assertThat(Networks.of(List.of("0.0.0.0/0")).hold(InetAddress.ofLiteral("1.2.3.4"))).isTrue();
  }
}
