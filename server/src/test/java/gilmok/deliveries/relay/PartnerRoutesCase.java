package gilmok.deliveries.relay;

import gilmok.audit.AuditRig;
import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.http.TestExchange;
import gilmok.http.TestExchange.Reply;
import gilmok.observe.Meters;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The routes of partners, over a real database and partners over real HTTP. */
abstract class PartnerRoutesCase {
  static final Principal ADMIN = key(null);

  @TempDir Path folder;
  final Meters meters = new Meters();
  final Offloads offloads = new Offloads(meters);
  SqliteFleet fleet;
  SqliteFleet.Running running;
  List<Route> routes;
  AuditRig audited;

  @BeforeEach
  void begin() throws Exception {
    fleet = new SqliteFleet(folder);
    running = fleet.start("n", false, SqliteFleet.quick());
    audited = new AuditRig(folder.resolve("audited"));
    routes = routes(running, offloads);
  }

  List<Route> routes(SqliteFleet.Running node, Offloads places) {
    return new PartnerRoutes(node.relay(), fleet.deliveries, audited.audit, fleet.clock, places)
        .routes();
  }

  @AfterEach
  void end() throws Exception {
    fleet.close();
    audited.close();
    offloads.close();
    meters.close();
  }

  Reply put(Principal who, String id, String body) throws Exception {
    return ask(who, "PUT", "/v1/partners/{id}", id, Map.of(), body);
  }

  Reply relays(Map<String, String> query) throws Exception {
    return ask(ADMIN, "GET", "/v1/partners/{id}/relays", "s1", query, "");
  }

  Reply redeliver(String relayId) throws Exception {
    return ask(
        ADMIN,
        route("POST", "/v1/partners/{id}/relays/{relayId}/redeliver"),
        relayId,
        "s1",
        Map.of(),
        "");
  }

  Reply replay(String body) throws Exception {
    return ask(ADMIN, "POST", "/v1/partners/{id}/replay", "s1", Map.of(), body);
  }

  Reply ask(
      Principal who, String method, String path, String id, Map<String, String> query, String body)
      throws Exception {
    return ask(who, route(method, path), "", id, query, body);
  }

  static Reply ask(
      Principal who, Route route, String relayId, String id, Map<String, String> query, String body)
      throws Exception {
    TestExchange asking = new TestExchange(who, Map.of("id", id, "relayId", relayId), query, body);
    route.handler().handle(asking);
    return asking.await();
  }

  Route route(String method, String path) {
    return routes.stream()
        .filter(one -> one.method().equals(method) && one.path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  String body(String kind, String path, @Nullable String secret) {
    return "{\"kind\":\""
        + kind
        + "\",\"url\":\""
        + fleet.server.url(path)
        + "\",\"events\":[\"*\"]"
        + (secret == null ? "" : ",\"secret\":\"" + secret + "\"")
        + "}";
  }

  static Principal key(@Nullable Binding binding) {
    return new Principal("k", "key", Set.of(Scope.OPERATE), binding);
  }
}
