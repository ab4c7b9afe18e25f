package gilmok.login;

import gilmok.auth.Session;
import gilmok.http.Exchange;

/** The cookie that keeps a session. Pure functions. */
final class SessionCookie {
  private static final String NAME = "gilmok_session";
  private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

  private SessionCookie() {}

  /** The header's value that sets it. */
  static String of(Exchange exchange, Session session) {
    return of(exchange, session.text(), session.lifetime().toSeconds());
  }

  /** The header's value that removes it. */
  static String none(Exchange exchange) {
    return of(exchange, "", 0);
  }

  private static String of(Exchange exchange, String value, long seconds) {
    String secure = exchange.isSecure() ? "; Secure" : "";
    return NAME + "=" + value + ATTRIBUTES + secure + "; Max-Age=" + seconds;
  }
}
