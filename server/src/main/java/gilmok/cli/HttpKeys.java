package gilmok.cli;

import gilmok.auth.KeyRequest;
import gilmok.auth.Scope;
import gilmok.phones.PhoneSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The keys of a running server, over its API. Not thread-safe. */
record HttpKeys(ApiClient server) implements Keyring {
  private static final String PATH = "/v1/keys";

  @Override
  public Made create(KeyRequest wanted) throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode().put("name", wanted.name());
    ArrayNode scopes = body.putArray("scopes");
    wanted.scopes().stream().sorted().map(Scope::label).forEach(scopes::add);
    if (wanted.binding() != null) {
      body.put(wanted.binding().kind().label(), wanted.binding().id());
    }
    Duration expiresIn = wanted.expiresIn();
    ApiClient.put(body, "expiresIn", expiresIn == null ? null : expiresIn.toSeconds());
    ApiClient.put(body, "rate", wanted.rate());
    if (wanted.secret() != null) {
      wanted.secret().fields().forEach(body::put);
    }
    JsonNode made = server.ask("POST", PATH, body);
    String expiresAt = made.path("expiresAt").asString("");
    return new Made(made.path("key").asString(""), expiresAt.isEmpty() ? null : expiresAt);
  }

  @Override
  public List<List<String>> list() throws IOException, InterruptedException {
    return server.ask("GET", PATH, null).path("items").valueStream().map(HttpKeys::row).toList();
  }

  @Override
  public void revoke(String id) throws IOException, InterruptedException {
    server.ask("DELETE", PATH + "/" + PhoneSetup.encoded(id), null);
  }

  @Override
  public void close() {
    server.close();
  }

  /** A key's row in the list of keys. */
  static List<String> row(JsonNode key) {
    Stream<String> scopes = key.path("scopes").valueStream().map(scope -> scope.asString(""));
    String bound = "-";
    for (String kind : List.of("rider", "shop", "agency")) {
      if (key.hasNonNull(kind)) {
        bound = kind + " " + key.path(kind).asString("");
      }
    }
    return List.of(
        key.path("id").asString("-"),
        key.path("name").asString("-"),
        scopes.collect(Collectors.joining(",")),
        bound,
        key.path("expiresAt").asString("-"),
        key.path("rate").asString("-"));
  }
}
