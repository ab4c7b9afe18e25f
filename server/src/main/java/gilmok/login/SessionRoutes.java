package gilmok.login;

import gilmok.auth.AuthResult;
import gilmok.auth.Binding;
import gilmok.auth.Denial;
import gilmok.auth.Keys;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.auth.Session;
import gilmok.http.Exchange;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /session} exchanges a key for a cookie, {@code GET /session} says what the page may
 * do with it, {@code DELETE /session} ends the session. The routes need no key: each checks the key
 * or the cookie that it receives. Handlers run on event loops and do not block.
 */
final class SessionRoutes {
  private static final String PATH = "/session";
  private static final String JSON = "application/json";
  private static final int BODY_BYTES_MAX = 4 << 10;

  private final Keys keys;
  private final InstantSource clock;
  private final JsonMapper json = JsonMapper.shared();

  /** Routes of sessions for the given keys. */
  SessionRoutes(Keys keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** All three. */
  List<Route> routes() {
    return List.of(
        open("POST", BODY_BYTES_MAX, this::begin),
        open("GET", 0, this::show),
        open("DELETE", 0, this::end));
  }

  private static Route open(String method, int bodyBytesMax, Route.Handler handler) {
    return Route.open(method, PATH, Priority.REPORTS, bodyBytesMax, handler);
  }

  private void begin(Exchange exchange) {
    exchange.replyHeader("Cache-Control", "no-store");
    if (exchange.isOfForeignPage()) { // it would sign the user in as somebody else
      exchange.refuse(Refusal.FOREIGN_PAGE);
      return;
    }
    String key = key(exchange);
    if (key == null) {
      exchange.refuse(Refusal.INVALID, "key", "needs a text in a JSON object");
      return;
    }
    AuthResult result = keys.check(key, null, null, null, exchange::clientAddress);
    if (!(result instanceof Principal principal)) {
      refuse(exchange, result);
      return;
    }
    if (!principal.has(Scope.READ)) {
      exchange.refuse(Refusal.SCOPE_MISSING, "key", "lacks the scope read");
      return;
    }
    Session session = keys.openSession(principal);
    if (session == null) {
      exchange.refuse(Refusal.KEY_UNKNOWN);
      return;
    }
    exchange.replyHeader("Set-Cookie", SessionCookie.of(exchange, session));
    exchange.reply(204);
  }

  private void show(Exchange exchange) {
    exchange.replyHeader("Cache-Control", "no-store");
    if (exchange.isOfForeignPage()) {
      exchange.refuse(Refusal.FOREIGN_PAGE);
      return;
    }
    AuthResult result = keys.check(null, null, null, exchange.session());
    if (!(result instanceof Principal principal)) {
      refuse(exchange, result);
      return;
    }
    ObjectNode body = json.createObjectNode();
    body.put("name", principal.name());
    ArrayNode scopes = body.putArray("scopes");
    EnumSet.copyOf(principal.scopes()).forEach(scope -> scopes.add(scope.label()));
    Binding binding = principal.binding();
    if (binding != null) {
      body.put(binding.kind().label(), binding.id());
    }
    body.put("now", Instant.ofEpochMilli(clock.millis()).toString());
    exchange.reply(200, JSON, json.writeValueAsBytes(body));
  }

  private void end(Exchange exchange) {
    exchange.replyHeader("Cache-Control", "no-store");
    if (exchange.isOfForeignPage()) {
      exchange.refuse(Refusal.FOREIGN_PAGE);
      return;
    }
    exchange.replyHeader("Set-Cookie", SessionCookie.none(exchange));
    exchange.reply(204);
  }

  private @Nullable String key(Exchange exchange) {
    try {
      JsonNode root =
          json.readTree(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength());
      JsonNode key = root == null ? null : root.get("key");
      return key != null && key.isString() ? key.stringValue() : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  private static void refuse(Exchange exchange, AuthResult result) {
    exchange.refuse(result instanceof Denial denial ? denial : Denial.UNKNOWN);
  }
}
