package gilmok.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gilmok.audit.AuditRig;
import gilmok.auth.AuthConfig;
import gilmok.auth.Binding;
import gilmok.auth.Denial;
import gilmok.auth.Keys;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.auth.StoppedServerKeys;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.http.TestExchange;
import gilmok.http.TestExchange.Reply;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class KeyRoutesTest {
  private static final Principal ADMIN = new Principal("a", "admin", Set.of(Scope.ADMIN), null);
  private static final Principal OPERATE = new Principal("o", "ops", Set.of(Scope.OPERATE), null);

  @TempDir Path folder;
  StoppedServerKeys kept;
  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  Keys keys;
  KeyRoutes routes;
  AuditRig audited;

  @BeforeEach
  void open() throws Exception {
    audited = new AuditRig(folder.resolve("audited"));
    kept = new StoppedServerKeys(folder);
    keys =
        Keys.open(
            kept.store(),
            folder,
            new AuthConfig("the-given-admin-key", 100, Duration.ofDays(30), List.of(), 0),
            InstantSource.fixed(Instant.parse("2026-11-21T09:00:00Z")),
            new SecureRandom());
    routes = new KeyRoutes(keys, audited.audit, offloads);
  }

  @AfterEach
  void close() throws IOException {
    kept.close();
    audited.close();
    offloads.close();
    meters.close();
  }

  @Test
  void routes_all_neverOpenToBoundKeys() {
    assertThat(routes.routes())
        .extracting(Route::method, Route::path, Route::scope, Route::ownershipRule)
        .containsExactly(
            tuple("POST", "/v1/keys", Scope.OPERATE, OwnershipRule.UNBOUND_ONLY),
            tuple("GET", "/v1/keys", Scope.ADMIN, OwnershipRule.UNBOUND_ONLY),
            tuple("DELETE", "/v1/keys/{id}", Scope.ADMIN, OwnershipRule.UNBOUND_ONLY));
  }

  @Test
  void post_smallest_aGoodKeyShownOnce() throws Exception {
    TestExchange exchange = post(ADMIN, "{\"name\":\"app\",\"scopes\":[\"collect\"]}");
    Reply reply = exchange.await();

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.json().propertyNames()).containsExactly("id", "key");
    assertThat(exchange.replyHeaders()).containsEntry("Cache-Control", "no-store");
    assertThat(keys.check(reply.json().path("key").stringValue(), null, null))
        .isInstanceOfSatisfying(
            Principal.class,
            principal -> {
              assertThat(principal.scopes()).containsExactly(Scope.COLLECT);
              assertThat(principal.binding()).isNull();
            });
  }

  @ParameterizedTest
  @EnumSource(Binding.Kind.class)
  void post_allFields_listedWithoutTheSecret(Binding.Kind kind) throws Exception {
    Reply made =
        post(
                ADMIN,
                "{\"name\":\"app\",\"scopes\":[\"read\",\"collect\"],\"%s\":\"7\",\"expiresIn\":60,\"rate\":5}"
                    .formatted(kind.label()))
            .await();
    assertThat(made.status()).isEqualTo(201);

    Reply list = run("GET", ADMIN, "", "").await();

    assertThat(list.status()).isEqualTo(200);
    JsonNode item = list.json().path("items").path(0);
    assertThat(item.toString())
        .isEqualTo(
            ("{\"id\":\"%s\",\"name\":\"app\",\"scopes\":[\"collect\",\"read\"],\"%s\":\"7\","
                    + "\"createdAt\":\"2026-11-21T09:00:00Z\",\"expiresAt\":\"2026-11-21T09:01:00Z\","
                    + "\"rate\":5}")
                .formatted(made.json().path("id").stringValue(), kind.label()));
    assertThat(list.json().path("next").isNull()).isTrue();
    assertThat(list.json().propertyNames()).containsExactly("items", "next");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "7", "null", "{} x", "{\"name\":\"a\",\"name\":\"b\"}"})
  void post_notAnObject_unreadable(String body) throws Exception {
    assertThat(post(ADMIN, body).await().refusal()).isEqualTo(Refusal.UNREADABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          name      | {"scopes":["read"]}
          name      | {"name":7,"scopes":["read"]}
          name      | {"name":"","scopes":["read"]}
          scopes    | {"name":"n"}
          scopes    | {"name":"n","scopes":"read"}
          scopes    | {"name":"n","scopes":[]}
          scopes    | {"name":"n","scopes":["READ"]}
          scopes    | {"name":"n","scopes":[null]}
          scopes    | {"name":"n","scopes":["admin"],"rider":"7"}
          rider     | {"name":"n","scopes":["read"],"rider":7}
          shop      | {"name":"n","scopes":["read"],"rider":"7","shop":"8"}
          agency    | {"name":"n","scopes":["read"],"agency":""}
          expiresIn | {"name":"n","scopes":["read"],"expiresIn":"60"}
          expiresIn | {"name":"n","scopes":["read"],"expiresIn":0}
          expiresIn | {"name":"n","scopes":["read"],"expiresIn":1.5}
          expiresIn | {"name":"n","scopes":["read"],"expiresIn":99999999999999999999}
          rate      | {"name":"n","scopes":["read"],"rate":-1}
          rate      | {"name":"n","scopes":["read"],"rate":99999999999}
          secret    | {"name":"n","scopes":["read"],"secret":"x"}
          """)
  void post_badField_refusedNamingIt(String field, String body) throws Exception {
    Reply reply = post(ADMIN, body).await();

    assertThat(reply.refusal()).isEqualTo(Refusal.INVALID);
    assertThat(reply.field()).isEqualTo(field);
    assertThat(reply.body()).isNotEmpty();
    assertThat(keys.list()).isEmpty();
  }

  @Test
  void post_nullFields_asIfAbsent() throws Exception {
    String body =
        "{\"name\":\"n\",\"scopes\":[\"read\"],\"rider\":null,\"shop\":\"7\",\"expiresIn\":null,\"rate\":null}";

    assertThat(post(ADMIN, body).await().status()).isEqualTo(201);
    assertThat(keys.list().getFirst().binding()).isEqualTo(new Binding(Binding.Kind.SHOP, "7"));
  }

  @Test
  void post_thirdOfAName_conflict() throws Exception {
    String body = "{\"name\":\"n\",\"scopes\":[\"read\"]}";
    post(ADMIN, body).await();
    post(ADMIN, body).await();

    assertThat(post(ADMIN, body).await().refusal()).isEqualTo(Refusal.CONFLICT);
  }

  @Test
  void post_operateKey_onlyForRidersWithCollectAndRead() throws Exception {
    assertThat(
            post(OPERATE, "{\"name\":\"n\",\"scopes\":[\"read\",\"collect\"],\"rider\":\"7\"}")
                .await()
                .status())
        .isEqualTo(201);
    for (String body :
        new String[] {
          "{\"name\":\"m\",\"scopes\":[\"read\"]}",
          "{\"name\":\"m\",\"scopes\":[\"read\"],\"shop\":\"7\"}",
          "{\"name\":\"m\",\"scopes\":[\"read\"],\"agency\":\"7\"}",
          "{\"name\":\"m\",\"scopes\":[\"operate\"],\"rider\":\"7\"}",
          "{\"name\":\"m\",\"scopes\":[\"read\",\"admin\"],\"rider\":\"7\"}"
        }) {
      assertThat(post(OPERATE, body).await().refusal()).as(body).isEqualTo(Refusal.SCOPE_MISSING);
    }
    assertThat(keys.list()).hasSize(1);
  }

  @Test
  void delete_aKey_onceThenNotFound() throws Exception {
    JsonNode made = post(ADMIN, "{\"name\":\"n\",\"scopes\":[\"read\"]}").await().json();
    String id = made.path("id").stringValue();

    assertThat(run("DELETE", ADMIN, id, "").await().status()).isEqualTo(204);
    assertThat(keys.check(made.path("key").stringValue(), null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(run("DELETE", ADMIN, id, "").await().refusal()).isEqualTo(Refusal.NOT_FOUND);
  }

  @Test
  void post_keysCannotBeWritten_busyAndNothingMade() throws Exception {
    kept.close();
    offloads.close();
    meters.close();

    assertThat(post(ADMIN, "{\"name\":\"n\",\"scopes\":[\"read\"]}").await().refusal())
        .isEqualTo(Refusal.BUSY);
    assertThat(keys.list()).isEmpty();
  }

  private TestExchange post(Principal principal, String body) {
    return run("POST", principal, "", body);
  }

  private TestExchange run(String method, Principal principal, String id, String body) {
    TestExchange exchange = new TestExchange(principal, Map.of("id", id), Map.of(), body);
    routes.routes().stream()
        .filter(route -> route.method().equals(method))
        .findFirst()
        .orElseThrow()
        .handler()
        .handle(exchange);
    return exchange;
  }
}
