package gilmok.login;

import gilmok.auth.AuthResult;
import gilmok.auth.ClientAddress;
import gilmok.auth.Keys;
import gilmok.auth.LoginSeal;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.auth.Session;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * {@code GET /login} sends a browser to the fleet's login, {@code GET /login/callback} takes it
 * back and opens a session. The work waits for the login, so it leaves the event loop. Coming back
 * has places apart from going there, and one address has few of them.
 */
public final class LoginRoutes {
  private static final String PATH = "/login";
  private static final String COOKIE = "gilmok_login";
  private static final Duration AWAY_MAX = Duration.ofMinutes(10);
  private static final int IN_FLIGHT_MAX = 16;

  /** The most that come back from one address at once. */
  private static final int RETURNS_OF_ONE_MAX = 4;

  private static final Object STRANGERS = new Object();
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Logger LOG = System.getLogger("gilmok.login");

  private final OidcConfig config;
  private final OidcProvider provider;
  private final Keys keys;
  private final LoginSeal seal;
  private final InstantSource clock;
  private final RandomGenerator random = new SecureRandom();
  private final Offload offload;
  private final Offload returns;
  private final Map<Object, Integer> returnsOfOne = new ConcurrentHashMap<>();

  private LoginRoutes(OidcConfig config, Keys keys, InstantSource clock, Offloads offloads) {
    this.config = config;
    this.keys = keys;
    this.clock = clock;
    seal = keys.loginSeal();
    provider = new OidcProvider(config);
    String failed = "nobody can sign in by the fleet's login";
    offload = offloads.of("login", failed, IN_FLIGHT_MAX, null);
    returns = offloads.of("login_return", failed, IN_FLIGHT_MAX, null);
  }

  /** The routes of sessions, and of the fleet's login where there is one. */
  public static List<Route> all(
      OidcConfig config, Keys keys, InstantSource clock, Offloads offloads) {
    List<Route> all = new ArrayList<>(new SessionRoutes(keys, clock).routes());
    if (config.isOn()) {
      all.addAll(new LoginRoutes(config, keys, clock, offloads).routes());
    }
    return all;
  }

  private List<Route> routes() {
    return List.of(
        Route.open("GET", PATH, Priority.REPORTS, 0, this::begin),
        Route.open("GET", OidcConfig.CALLBACK, Priority.REPORTS, 0, this::end));
  }

  private void begin(Exchange exchange) {
    LoginAttempt attempt = LoginAttempt.by(random, exchange.query("to"));
    String known = provider.knownLoginUrl(attempt);
    if (known != null) {
      goThere(exchange, attempt, known);
      return;
    }
    offload.ask(
        exchange,
        () -> {
          String location = provider.loginUrl(attempt);
          return onLoop(reply -> goThere(reply, attempt, location));
        });
  }

  private void goThere(Exchange exchange, LoginAttempt attempt, String location) {
    setCookie(exchange, seal.sealed(attempt.cookie(), clock.instant()));
    redirect(exchange, 302, location);
  }

  private void end(Exchange exchange) {
    String cookie = exchange.cookie(COOKIE);
    LoginAttempt attempt =
        cookie == null ? null : LoginAttempt.of(seal.opened(cookie, clock.instant(), AWAY_MAX));
    String state = exchange.query("state");
    if (attempt == null || state == null || !isSame(state, attempt.state())) {
      fail(exchange, 400, "this browser began no login here, or 10 minutes ago");
      return;
    }
    String error = exchange.query("error");
    String code = exchange.query("code");
    if (code == null) {
      fail(exchange, 401, "the login says: " + (error == null ? "no code" : error));
      return;
    }
    InetAddress address = exchange.clientAddress();
    Object sender = address == null ? STRANGERS : ClientAddress.household(address);
    returns.ask(exchange, () -> takenOf(sender, code, attempt));
  }

  /** Takes somebody back, unless as many of that address are being taken back as may be at once. */
  private Answer takenOf(Object sender, String code, LoginAttempt attempt)
      throws IOException, InterruptedException {
    try {
      return returnsOfOne.merge(sender, 1, Integer::sum) > RETURNS_OF_ONE_MAX
          ? Answer.of(Refusal.BUSY)
          : taken(code, attempt);
    } finally {
      returnsOfOne.computeIfPresent(sender, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  private Answer taken(String code, LoginAttempt attempt) throws IOException, InterruptedException {
    String token;
    try {
      token = provider.idToken(code, attempt);
    } catch (IOException refused) {
      LOG.log(Level.WARNING, "a login cannot be ended: {0}", refused.getMessage());
      return failed(502, "the login does not give its token; the server's log says why");
    }
    AuthResult result = keys.checkLogin(token, config.clientId(), attempt.nonce());
    if (!(result instanceof Principal person)) {
      return failed(401, "the login's token is refused here, or allows nothing");
    }
    if (!person.has(Scope.READ)) {
      return failed(403, person.name() + " may not read here; auth.jwt.scopes-map says who may");
    }
    Session session = keys.openSession(person);
    if (session == null) {
      return failed(401, "no session can be opened");
    }
    return onLoop(
        reply -> {
          reply.replyHeader("Set-Cookie", SessionCookie.of(reply, session));
          redirect(reply, 303, attempt.to());
        });
  }

  private static Answer failed(int status, String why) {
    return onLoop(reply -> fail(reply, status, why));
  }

  /** An answer with headers, which belong to the event loop. */
  private static Answer onLoop(Answer answer) {
    return exchange -> exchange.execute(() -> answer.send(exchange));
  }

  private static boolean isSame(String given, String wanted) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  private static void fail(Exchange exchange, int status, String why) {
    exchange.replyHeader("Cache-Control", "no-store");
    String text = "You are not signed in: " + why + ".\nTry again at " + PATH + ".\n";
    exchange.reply(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void redirect(Exchange exchange, int status, String location) {
    exchange.replyHeader("Cache-Control", "no-store");
    exchange.replyHeader("Location", location);
    exchange.reply(status);
  }

  /** It is sent back on the way from the login's page, which SameSite=Strict would not. */
  private void setCookie(Exchange exchange, String value) {
    String secure = config.url().startsWith("https:") ? "; Secure" : "";
    exchange.replyHeader(
        "Set-Cookie",
        COOKIE
            + '='
            + value
            + "; Path="
            + PATH
            + "; HttpOnly; SameSite=Lax"
            + secure
            + "; Max-Age="
            + AWAY_MAX.toSeconds());
  }
}
