package gilmok.keys;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.auth.Binding;
import gilmok.auth.KeyInfo;
import gilmok.auth.KeyJson;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.Keys;
import gilmok.auth.Scope;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The routes {@code POST /v1/keys}, {@code GET /v1/keys}, {@code DELETE /v1/keys/{id}}. Handlers
 * run on event loops and use {@link Offload} for the store.
 */
public final class KeyRoutes {
  private static final String PATH = "/v1/keys";
  private static final String JSON = "application/json";
  private static final int BODY_BYTES_MAX = 16 << 10;
  private static final int IN_FLIGHT_MAX = 64;

  /** The scopes that a key with the scope operate can give to an app's key. */
  private static final Set<Scope> OF_APPS = Set.of(Scope.COLLECT, Scope.READ);

  private final Keys keys;
  private final Audit audit;
  private final JsonMapper json = JsonMapper.shared();
  private final Offload offload;

  /** The routes of these keys. */
  public KeyRoutes(Keys keys, Audit audit, Offloads offloads) {
    this.keys = keys;
    this.audit = audit;
    offload = offloads.of("keys", "keys cannot be written", IN_FLIGHT_MAX, null);
  }

  /** All three. */
  public List<Route> routes() {
    return List.of(
        route("POST", PATH, Scope.OPERATE, BODY_BYTES_MAX, this::create),
        route("GET", PATH, Scope.ADMIN, 0, this::list),
        route("DELETE", PATH + "/{id}", Scope.ADMIN, 0, this::revoke));
  }

  private static Route route(
      String method, String path, Scope scope, int bodyBytesMax, Route.Handler handler) {
    return new Route(
        method, path, scope, OwnershipRule.UNBOUND_ONLY, Priority.REPORTS, bodyBytesMax, handler);
  }

  private void create(Exchange exchange) {
    switch (KeyBody.read(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength())) {
      case KeyBody.Unreadable _ -> exchange.refuse(Refusal.UNREADABLE);
      case KeyBody.Wrong wrong -> exchange.refuse(Refusal.INVALID, wrong.field(), wrong.reason());
      case KeyBody.Wish wish -> create(exchange, wish.request());
    }
  }

  private void create(Exchange exchange, KeyRequest request) {
    if (!exchange.principal().has(Scope.ADMIN)) {
      Binding binding = request.binding();
      if (binding == null || binding.kind() != Binding.Kind.RIDER) {
        exchange.refuse(
            Refusal.SCOPE_MISSING, "rider", "without admin, only keys bound to a rider are made");
        return;
      }
      if (!OF_APPS.containsAll(request.scopes())) {
        exchange.refuse(
            Refusal.SCOPE_MISSING, "scopes", "without admin, only collect and read are given");
        return;
      }
    }
    Actor actor = Actor.of(exchange);
    offload.ask(
        exchange,
        () -> {
          KeyResult result = keys.create(request, new AuditedKeys(audit, actor, null));
          return answering -> answering.execute(() -> answer(answering, result));
        });
  }

  private void answer(Exchange exchange, KeyResult result) {
    switch (result) {
      case KeyResult.Created created -> made(exchange, created.info(), created.key());
      case KeyResult.Brought brought -> made(exchange, brought.info(), null);
      case KeyResult.Refused refused ->
          exchange.refuse(Refusal.INVALID, refused.field(), refused.reason());
      case KeyResult.Conflict conflict ->
          exchange.refuse(Refusal.CONFLICT, conflict.field(), conflict.reason());
    }
  }

  private void made(Exchange exchange, KeyInfo info, @Nullable String key) {
    ObjectNode body = json.createObjectNode();
    body.put("id", info.id());
    if (key != null) {
      body.put("key", key);
    }
    Instant expiresAt = info.expiresAt();
    if (expiresAt != null) {
      body.put("expiresAt", expiresAt.toString());
    }
    exchange.replyHeader("Cache-Control", "no-store");
    exchange.reply(201, JSON, json.writeValueAsBytes(body));
  }

  private void list(Exchange exchange) {
    offload.ask(
        exchange,
        () -> {
          ObjectNode body = json.createObjectNode();
          ArrayNode items = body.putArray("items");
          keys.list().forEach(info -> items.add(KeyJson.shown(info)));
          body.putNull("next");
          return Answer.json(json.writeValueAsBytes(body));
        });
  }

  private void revoke(Exchange exchange) {
    String id = exchange.pathParameter("id");
    Actor actor = Actor.of(exchange);
    offload.ask(
        exchange,
        () ->
            keys.revoke(id, new AuditedKeys(audit, actor, id))
                ? Answer.empty(204)
                : Answer.refused(Refusal.NOT_FOUND, "id", "there is no such key"));
  }
}
