package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.http.Networks;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where webhooks may go. */
@Tag("unit")
class AddressGuardTest {
  private static final AddressGuard STRICT = new AddressGuard(Networks.NONE);
  private static final AddressGuard LOOSE =
      new AddressGuard(Networks.of(List.of("127.0.0.0/8", "10.0.0.0/8", "::1", "fd00::/8")));
  private static final AddressGuard EVERYWHERE =
      new AddressGuard(Networks.of(List.of("0.0.0.0/0", "::/0")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::2",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "fc00::1",
        "fdff::1",
        "ff02::1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:1::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:0a00:0001::1",
        "2002:0808:0808::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "5f00::1",
        "::ffff:0:8.8.8.8",
        "::8.8.8.8"
      })
  void isPublic_whatIsNot_isRefused(String address) {
    assertThat(AddressGuard.isPublic(InetAddress.ofLiteral(address).getAddress())).isFalse();
    assertThat(STRICT.allowed(List.of(InetAddress.ofLiteral(address)))).isEmpty();
    assertThat(STRICT.allowedInClear(List.of(InetAddress.ofLiteral(address)))).isEmpty();
  }

  @Test
  void allowed_inANamedNetwork_alsoInClear_andNothingElseInClear() {
    for (String in : List.of("127.0.0.1", "10.255.0.1", "::1", "fd12::7")) {
      List<InetAddress> one = List.of(InetAddress.ofLiteral(in));
      assertThat(LOOSE.allowed(one)).as(in).isEqualTo(one);
      assertThat(LOOSE.allowedInClear(one)).as(in).isEqualTo(one);
    }
    for (String out : List.of("11.0.0.1", "8.8.8.8", "192.168.0.1", "fc00::1", "::2")) {
      assertThat(LOOSE.allowedInClear(List.of(InetAddress.ofLiteral(out)))).as(out).isEmpty();
    }
    assertThat(LOOSE.allowed(List.of(InetAddress.ofLiteral("192.168.0.1")))).isEmpty();
  }

  /** Where a machine in a cloud reads its own credentials, and what leads to no single machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.170.2",
        "169.254.0.1",
        "100.100.100.200",
        "192.0.0.192",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "fe80::1",
        "fd00:ec2::254",
        "fd00:42::42",
        "fd00:c1::a9fe:a9fe",
        "64:ff9b::a9fe:a9fe",
        "168.63.129.16",
        "fd20:ce::254",
        "ff02::1"
      })
  void allowed_metadataAndLinkLocal_never(String address) {
    List<InetAddress> one = List.of(InetAddress.ofLiteral(address));
    assertThat(EVERYWHERE.allowed(one)).isEmpty();
    assertThat(EVERYWHERE.allowedInClear(one)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.1",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2003::1",
        "2400::1",
        "2600::1",
        "3ffe::1",
        "2a00::1"
      })
  void isPublic_whatIs_isLetThrough(String address) {
    assertThat(AddressGuard.isPublic(InetAddress.ofLiteral(address).getAddress())).isTrue();
  }

  @Test
  void isPublic_mappedIntoIpv6_isRefusedWhateverItMaps() {
    for (int first : new int[] {8, 10, 127}) {
      byte[] mapped = new byte[16];
      mapped[10] = -1;
      mapped[11] = -1;
      mapped[12] = (byte) first;
      assertThat(AddressGuard.isPublic(mapped)).isFalse();
    }
  }

  @Test
  void allowed_ofSeveral_keepsThePublicOnesInOrder() {
    List<InetAddress> all =
        List.of(
            InetAddress.ofLiteral("10.0.0.1"),
            InetAddress.ofLiteral("8.8.8.8"),
            InetAddress.ofLiteral("::1"),
            InetAddress.ofLiteral("1.1.1.1"));
    assertThat(STRICT.allowed(all)).containsExactly(all.get(1), all.get(3));
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/a, must begin with https:// unless its network is in relay.private-networks",
    "ftp://example.com/a, must begin with https:// unless its network is in relay.private-networks",
    "example.com/a, must begin with https:// unless its network is in relay.private-networks",
    "'', must begin with https:// unless its network is in relay.private-networks",
    "https:///a, needs a host",
    "https://a b/, is not a URL",
    "https://user:word@example.com/, 'must have neither user, password nor fragment'",
    "https://example.com/#there, 'must have neither user, password nor fragment'",
    "https://example.com:0/, must have a port from 1 to 65535",
    "https://example.com:65536/, must have a port from 1 to 65535",
    "https://127.0.0.1/, must not lead into a private network",
    "https://10.1.2.3:8443/hook, must not lead into a private network",
    "https://[::1]/, must not lead into a private network",
    "https://[::ffff:10.0.0.1]/, must not lead into a private network",
    "https://[64:ff9b::8.8.8.8]/, must not lead into a private network",
    "https://-a.example.com/, needs a host",
    "https://a_b.example.com/, 'must have no underscore in its host, as TLS knows no such name: give"
        + " another name of that server'",
    "https://a..example.com/, needs a host",
    "https://m\u00fc..example.com/, needs a host",
    "https://us\u00e9r:word@example.com/, 'must have neither user, password nor fragment'",
    "https://a%2f.example.com/, needs a host",
    "https://[2001:4860:4860::8888%eth0]/, needs a host",
    "https://[::1%25lo]/, needs a host",
    "https://[::1/, is not a URL",
    "https://example.com:1e3/, must have a port from 1 to 65535",
  })
  void read_aUrlThatWillNotDo_saysWhy(String url, String reason) {
    assertThat(WebhookTarget.read(url, STRICT)).isEqualTo(new WebhookTarget.Reading.Bad(reason));
  }

  /** Java, curl and browsers make different addresses of these. Only read, never resolved. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0177.0.0.1",
        "0x7f000001",
        "0X7F000001",
        "0x7f.0.0.1",
        "127.1",
        "1.2.3",
        "017700000001",
        "2130706433",
        "1.2.3.4.",
        "1.2.3.4.5",
        "1.2.3.04",
        "1.2.3.256",
        "1.2.3.0x4",
        "1.2.3.0x",
        "08.8.8.8",
        "example.1",
        "example.0x1f.",
        "\uff11.2.3",
      })
  void read_aHostThatEndsInANumber_andIsNoPlainAddress_isRefused(String host) {
    for (AddressGuard guard : List.of(STRICT, LOOSE, EVERYWHERE)) {
      assertThat(WebhookTarget.read("https://" + host + ":8443/x", guard))
          .isInstanceOf(WebhookTarget.Reading.Bad.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "1.0.0.1", "199.249.109.255", "1.example", "0x7g", "a-1"})
  void read_aPlainAddress_andNamesWithNumbers_areTaken(String host) {
    assertThat(WebhookTarget.read("https://" + host + "/", STRICT))
        .isEqualTo(new WebhookTarget.Reading.Good(new WebhookTarget(true, host, 443, "/")));
  }

  @Test
  void read_namesThatAreOneHost_areTaken() {
    for (String host :
        List.of("m\u00fcnchen.example", "M\u00dcNCHEN.example", "mu\u0308nchen.example")) {
      assertThat(WebhookTarget.read("https://" + host + "/", STRICT))
          .isEqualTo(
              new WebhookTarget.Reading.Good(
                  new WebhookTarget(true, "xn--mnchen-3ya.example", 443, "/")));
    }
    for (String host : List.of("\uae38.example", "xn--wk0b.example")) {
      assertThat(WebhookTarget.read("https://" + host + "/", STRICT))
          .isEqualTo(
              new WebhookTarget.Reading.Good(
                  new WebhookTarget(true, "xn--wk0b.example", 443, "/")));
    }
  }

  /** Found bug: half a pair was a bug of ours, and answered 500. */
  @Test
  void read_halfASurrogatePair_isNoUrl() {
    for (String url :
        List.of("https://x/\ud800", "https://\udc00.example/", "https://x/?\ud800a")) {
      assertThat(WebhookTarget.read(url, STRICT))
          .isEqualTo(new WebhookTarget.Reading.Bad("is not a URL"));
    }
  }

  /** The two standards of such names make two hosts of each of these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://fa\u00df.de/",
        "https://FA\u1e9e.de/",
        "https://\u03b2\u03cc\u03bb\u03bf\u03c2.com:8443/x",
        "https://\u0915\u094d\u200d\u0937.example.com/",
        "https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com/",
        "https://\ud87e\udc68.example/",
        "https://\u10a0.example/",
        "https://a\u2132.example:8443/",
        "https://\u2183.example/",
        "https://\u04c0.example/",
        "https://\ua7ae.example/",
        "https://\u1c90.example/",
        "https://\u2c00.example/",
        "https://\ua640.example/",
      })
  void read_aHostThatIsTwo_isRefused_andItsAsciiFormIsTaken(String url) {
    assertThat(WebhookTarget.read(url, STRICT))
        .isEqualTo(
            new WebhookTarget.Reading.Bad(
                "has a letter in its host that old and new software read differently (IDNA 2003"
                    + " and 2008): give the form with xn--"));
    assertThat(WebhookTarget.read("https://xn--fa-hia.de/", STRICT))
        .isEqualTo(
            new WebhookTarget.Reading.Good(new WebhookTarget(true, "xn--fa-hia.de", 443, "/")));
    assertThat(WebhookTarget.read("https://fass.de/stra\u00dfe", STRICT))
        .isEqualTo(
            new WebhookTarget.Reading.Good(
                new WebhookTarget(true, "fass.de", 443, "/stra%C3%9Fe")));
  }

  @Test
  void read_aGoodUrl_isTakenApart() {
    assertThat(WebhookTarget.read("https://Example.com/a%20b?c=d&e", STRICT))
        .isEqualTo(
            new WebhookTarget.Reading.Good(
                new WebhookTarget(true, "example.com", 443, "/a%20b?c=d&e")));
    assertThat(WebhookTarget.read("HTTPS://example.com", STRICT))
        .isEqualTo(
            new WebhookTarget.Reading.Good(new WebhookTarget(true, "example.com", 443, "/")));
    assertThat(WebhookTarget.read("http://127.0.0.1:8080/x", LOOSE))
        .isEqualTo(
            new WebhookTarget.Reading.Good(new WebhookTarget(false, "127.0.0.1", 8080, "/x")));
    assertThat(WebhookTarget.read("http://[::1]/x", LOOSE))
        .isEqualTo(new WebhookTarget.Reading.Good(new WebhookTarget(false, "::1", 80, "/x")));
    assertThat(WebhookTarget.read("http://our_shop.example.com:8443/x", LOOSE))
        .isEqualTo(
            new WebhookTarget.Reading.Good(
                new WebhookTarget(false, "our_shop.example.com", 8443, "/x")));
    assertThat(WebhookTarget.read("https://음식.example.com/길", STRICT))
        .isEqualTo(
            new WebhookTarget.Reading.Good(
                new WebhookTarget(true, "xn--wv4b34f.example.com", 443, "/%EA%B8%B8")));
    assertThat(WebhookTarget.read("http://partner.internal/x", LOOSE))
        .isInstanceOf(WebhookTarget.Reading.Good.class);
    assertThat(WebhookTarget.read("https://e.com/" + "x".repeat(2000), STRICT))
        .isInstanceOf(WebhookTarget.Reading.Bad.class);
  }
}
