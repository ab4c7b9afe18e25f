package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.sinks.firehose.ProxyRules.Via;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class ProxyRulesTest {
  private static final Via SECURE = new Via(URI.create("http://p:3128"), null, null);

  @Test
  void from_nothing_isNoProxy() {
    assertThat(ProxyRules.from(Map.of("HTTPS_PROXY", "", "AWS_REGION", "x")))
        .isEqualTo(ProxyRules.NONE);
  }

  @Test
  void of_goesByTheSchemeOfWhatIsCalled() {
    ProxyRules rules =
        ProxyRules.from(Map.of("HTTPS_PROXY", "http://p:3128", "HTTP_PROXY", "plain:80"));
    assertThat(rules.of("https", "firehose.amazonaws.com", 443)).isEqualTo(SECURE);
    assertThat(rules.of("http", "firehose.amazonaws.com", 80))
        .isEqualTo(new Via(URI.create("http://plain:80"), null, null));
  }

  @Test
  void from_smallLetters_winAndCanTakeAProxyAway() {
    assertThat(ProxyRules.from(Map.of("https_proxy", "http://p:3128", "HTTPS_PROXY", "http://q:1")))
        .isEqualTo(ProxyRules.from(Map.of("https_proxy", "p:3128")));
    assertThat(ProxyRules.from(Map.of("https_proxy", "", "HTTPS_PROXY", "http://q:1")))
        .isEqualTo(ProxyRules.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "firehose.ap-northeast-2.amazonaws.com, false",
    "vpce-1.firehose.vpce.amazonaws.com, true",
    "vpce.amazonaws.com, true",
    "VPCE.amazonaws.com, true",
    "notvpce.amazonaws.com, false",
    "a.svc, true",
    "b.wild, true",
    "only.example, true",
    "127.0.0.1, true",
    "127.9.9.9, true",
    "localhost, true",
    "10.0.0.1, false",
  })
  void of_whatNoProxyNames_isCalledDirectly(String host, boolean isDirect) {
    ProxyRules rules =
        ProxyRules.from(
            Map.of(
                "HTTPS_PROXY", "http://p:3128",
                "NO_PROXY", "vpce.amazonaws.com, .svc,*.wild  only.example:443"));
    assertThat(rules.of("https", host, 443)).isEqualTo(isDirect ? null : SECURE);
    ProxyRules none = ProxyRules.from(Map.of("HTTPS_PROXY", "http://p:3128", "no_proxy", "*"));
    assertThat(none.of("https", host, 443)).isNull();
  }

  @Test
  void of_anotherPortThanNoProxyNames_goesThroughTheProxy() {
    ProxyRules rules =
        ProxyRules.from(Map.of("HTTPS_PROXY", "http://p:3128", "NO_PROXY", "only.example:443"));
    assertThat(rules.of("https", "only.example", 8443)).isEqualTo(SECURE);
  }

  @Test
  void from_aPassword_isDecodedAndNeverShown() {
    Via via = ProxyRules.from(Map.of("HTTPS_PROXY", "http://kim:p%40ss+1@p:3128")).https();
    assertThat(via).isEqualTo(new Via(URI.create("http://p:3128"), "kim", "p@ss+1"));
    assertThat(via).hasToString("proxy http://p:3128");
  }

  @ParameterizedTest
  @ValueSource(strings = {"socks5://s3cret@p:1080", "http://kim:s3cret#1@p:80", "http://", "a b"})
  void from_noAddressOfAProxy_isAProblemThatShowsNothingOfIt(String value) {
    assertThatThrownBy(() -> ProxyRules.from(Map.of("HTTPS_PROXY", value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("HTTPS_PROXY: is no proxy's address")
        .hasMessageNotContaining("s3cret")
        .hasNoCause();
  }
}
