package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.KeyNames;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class WithheldTest {
  private static final String ADMIN = "an-admins-own-key-0123456789";

  private final Withheld withheld =
      new Withheld(new KeyNames("x-agent-token", "token"), "X-Forwarded-Access-Token", ADMIN);

  private List<Map.Entry<String, String>> passed(String name, String value) {
    return withheld.headers(List.of(Map.entry(name, value)));
  }

  private static String basic(String pair) {
    return "Basic "
        + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource({
    "X-Api-Key, gk_abc",
    "x-api-key, ' gk_abc '",
    "X-Api-Key, an-admins-own-key-0123456789",
    "Authorization, Bearer gk_abc",
    "authorization, bearer  gk_abc",
    "Authorization, gk_abc",
    "X-Agent-Token, gk_abc",
    "X-Agent-Token, Bearer an-admins-own-key-0123456789",
    "Proxy-Authorization, Basic YTpi",
    "X-Forwarded-Access-Token, ey.a.b",
  })
  void keysOfOurs_stayHere(String name, String value) {
    assertThat(passed(name, value)).isEmpty();
  }

  @Test
  void keyInBasic_staysHere() {
    assertThat(passed("Authorization", basic("phone:gk_abc"))).isEmpty();
    assertThat(passed("Authorization", basic("phone:" + ADMIN))).isEmpty();
    assertThat(passed("Authorization", basic("phone:theirs"))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "X-Api-Key, theirs",
    "Authorization, Bearer ey.a.b",
    "Authorization, Basic ???",
    "X-Agent-Token, theirs",
    "X-Device, gk_abc",
    "Cookie, a=b"
  })
  void othersHeaders_arePassedOn(String name, String value) {
    assertThat(passed(name, value)).containsExactly(Map.entry(name, value));
  }

  @ParameterizedTest
  @CsvSource({
    "'gilmok_session=s; mine=1', mine=1",
    "'a=b;gilmok_login=s;c=d', a=b; c=d",
    "'a=b; =gilmok_session=s', a=b",
    "'a=gilmok_x;b=c', a=gilmok_x; b=c"
  })
  void cookies_ofOurPagesAlone_stayHere(String sent, String passed) {
    assertThat(passed("Cookie", sent)).containsExactly(Map.entry("Cookie", passed));
  }

  @Test
  void cookies_ofOurPages_leaveNoHeader() {
    assertThat(passed("cookie", "gilmok_session=s")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Set-Cookie, gilmok_session=evil; Path=/, true",
    "set-cookie, ' gilmok_login=evil', true",
    "Set-Cookie, =gilmok_session=evil, true",
    "Set-Cookie, theirs=gilmok_session, false",
    "X-Other, gilmok_session=evil, false"
  })
  void answers_doNotSetOurCookies(String name, String value, boolean isOurs) {
    assertThat(Withheld.setsOurCookie(Map.entry(name, value))).isEqualTo(isOurs);
  }

  @ParameterizedTest
  @CsvSource({
    "/osmand?id=1&key=gk_abc&lat=2, /osmand?id=1&lat=2",
    "/osmand?token=gk%5Fabc, /osmand",
    "/x?code=an-admins-own-key-0123456789&&y=, /x?&y=",
    "/osmand?id=1&key=theirs&, /osmand?id=1&key=theirs&",
    "/a?, /a",
    "/a?gk_b, /a?gk_b",
    "/gk_a, /gk_a"
  })
  void queries_haveNoKeyOfOurs(String target, String passed) {
    assertThat(withheld.target(target)).isEqualTo(passed);
  }
}
