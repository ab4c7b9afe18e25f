package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
final class TrustedProxiesTest {
  private static final Networks OURS =
      Networks.of(List.of("10.0.0.0/8", "192.168.1.7", "fd00::/9", "172.16.0.0/12"));
  private static final TrustedProxies X =
      new TrustedProxies(OURS, TrustedProxies.Header.X_FORWARDED);
  private static final TrustedProxies RFC =
      new TrustedProxies(OURS, TrustedProxies.Header.FORWARDED);

  private static InetAddress address(String text) {
    return InetAddress.ofLiteral(text);
  }

  private static MultiMap headers(String name, String... values) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (String value : values) {
      headers.add(name, value);
    }
    return headers;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "10.0.0.1 | 203.0.113.9 | 203.0.113.9",
        "10.0.0.1 | 203.0.113.9:4711 | 203.0.113.9",
        "10.0.0.1 | [2001:db8::1]:4711 | 2001:db8::1",
        "10.0.0.1 | 198.51.100.1, 203.0.113.9, 10.0.0.2 | 203.0.113.9",
        "10.0.0.1 | 10.0.0.3 , 10.0.0.2 | 10.0.0.3",
        "10.0.0.1 | 2001:db8::1 | 2001:db8::1",
        "10.0.0.1 | unknown | 10.0.0.1",
        "10.0.0.1 | 203.0.113.9, x, 10.0.0.2 | 10.0.0.2",
        "10.0.0.1 | none | 10.0.0.1",
        "203.0.113.9 | 198.51.100.1 | 203.0.113.9",
      })
  void client_isTheLastThatIsNoProxyOfOurs(String connected, String header, String client) {
    MultiMap headers =
        header == null ? headers("X-Other", "1") : headers("X-Forwarded-For", header);
    assertThat(X.client(address(connected), headers)).isEqualTo(address(client));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "for=203.0.113.9 | 203.0.113.9",
        "For=\"203.0.113.9:80\";proto=https | 203.0.113.9",
        "for=\"[2001:db8::1]:4711\" | 2001:db8::1",
        "for=198.51.100.1;by=\"a,b;c\", for=203.0.113.9;host=\"x\\\"y\" | 203.0.113.9",
        "proto=https | 10.0.0.1",
        "for=_hidden, for=10.0.0.4 | 10.0.0.4",
        "for=unknown | 10.0.0.1",
      })
  void client_byForwarded_rfc7239(String header, String client) {
    assertThat(RFC.client(address("10.0.0.1"), headers("Forwarded", header)))
        .isEqualTo(address(client));
  }

  /** A proxy that adds a line of its own leaves the client's line before it. */
  @Test
  void client_severalHeaderLines_theLastCounts() {
    MultiMap headers = headers("X-Forwarded-For", "198.51.100.1", "203.0.113.9");

    assertThat(X.client(address("10.0.0.1"), headers)).isEqualTo(address("203.0.113.9"));
  }

  @Test
  void otherFamily_orAnotherSender_isNotRead() {
    MultiMap forwarded = headers("Forwarded", "for=203.0.113.9;proto=https;host=evil.example");
    MultiMap x =
        headers("X-Forwarded-For", "203.0.113.9")
            .add("X-Forwarded-Proto", "https")
            .add("X-Forwarded-Host", "evil.example");
    InetAddress proxy = address("10.0.0.1");
    InetAddress other = address("203.0.113.1");

    assertThat(X.client(proxy, forwarded)).isEqualTo(proxy);
    assertThat(X.scheme(proxy, forwarded)).isNull();
    assertThat(X.host(proxy, forwarded)).isNull();
    assertThat(RFC.client(proxy, x)).isEqualTo(proxy);
    assertThat(RFC.scheme(proxy, x)).isNull();
    assertThat(X.scheme(other, x)).isNull();
    assertThat(X.host(other, x)).isNull();
    assertThat(TrustedProxies.NONE.scheme(proxy, x)).isNull();
  }

  /** An open quote of the client's would swallow what the proxy adds behind it. */
  @Test
  void forwarded_withAnOpenQuote_hasNoWeight() {
    InetAddress proxy = address("10.0.0.1");
    MultiMap two = headers("Forwarded", "for=8.8.8.8;proto=https;x=\"", "for=203.0.113.9");
    MultiMap one = headers("Forwarded", "for=8.8.8.8;proto=https;x=\", for=203.0.113.9");

    assertThat(RFC.client(proxy, two)).isEqualTo(address("203.0.113.9"));
    assertThat(RFC.scheme(proxy, two)).isNull();
    assertThat(RFC.client(proxy, one)).isEqualTo(proxy);
    assertThat(RFC.scheme(proxy, one)).isNull();
  }

  /** Of two trusted proxies, the one that the client came to says by which scheme and host. */
  @Test
  void schemeAndHost_areOfTheElementThatNamesTheClient() {
    InetAddress proxy = address("10.0.0.1");
    MultiMap rfc =
        headers(
            "Forwarded",
            "for=9.9.9.9;proto=http, for=203.0.113.9;proto=https;host=fleet.example,"
                + " for=10.0.0.2;proto=http;host=inner");
    assertThat(RFC.client(proxy, rfc)).isEqualTo(address("203.0.113.9"));
    assertThat(RFC.scheme(proxy, rfc)).isEqualTo("https");
    assertThat(RFC.host(proxy, rfc)).isEqualTo("fleet.example");
    MultiMap x =
        headers("X-Forwarded-For", "203.0.113.9, 10.0.0.2").add("X-Forwarded-Proto", "https, http");
    assertThat(X.scheme(proxy, x)).isEqualTo("https");
  }

  @Test
  void schemeAndHost_areTheNearestProxys() {
    InetAddress proxy = address("10.0.0.1");

    assertThat(X.scheme(proxy, headers("X-Forwarded-Proto", "http, HTTPS"))).isEqualTo("https");
    assertThat(X.host(proxy, headers("X-Forwarded-Host", "evil.example, fleet.example:444")))
        .isEqualTo("fleet.example:444");
    assertThat(RFC.scheme(proxy, headers("Forwarded", "proto=http, for=1.2.3.4;Proto=https")))
        .isEqualTo("https");
    assertThat(RFC.host(proxy, headers("Forwarded", "host=\"fleet.example:444\"")))
        .isEqualTo("fleet.example:444");
  }
}
