package gilmok.cli;

import gilmok.auth.KeyRequest;
import gilmok.auth.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The keys of a running server, over its API. Not thread-safe. */
final class HttpKeys implements Keyring {
  private static final String PATH = "/v1/keys";

  private final ApiClient server;

  HttpKeys(Target target) {
    server = new ApiClient(target);
  }

  @Override
  public String create(KeyRequest wanted) throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode().put("name", wanted.name());
    ArrayNode scopes = body.putArray("scopes");
    wanted.scopes().stream().sorted().map(Scope::label).forEach(scopes::add);
    if (wanted.binding() != null) {
      body.put(wanted.binding().kind().label(), wanted.binding().id());
    }
    if (wanted.expiresIn() != null) {
      body.put("expiresIn", wanted.expiresIn().toSeconds());
    }
    if (wanted.rate() != null) {
      body.put("rate", wanted.rate());
    }
    return server.ask("POST", PATH, body).path("key").asString("");
  }

  @Override
  public List<List<String>> list() throws IOException, InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode key : server.ask("GET", PATH, null).path("items")) {
      rows.add(row(key));
    }
    return rows;
  }

  @Override
  public void revoke(String id) throws IOException, InterruptedException {
    server.ask("DELETE", PATH + "/" + ApiClient.encoded(id), null);
  }

  @Override
  public void close() {
    server.close();
  }

  /** What a list of keys shows of one. */
  static List<String> row(JsonNode key) {
    List<String> scopes = new ArrayList<>();
    key.path("scopes").forEach(scope -> scopes.add(scope.asString("")));
    String bound = "-";
    for (String kind : List.of("rider", "shop", "agency")) {
      if (key.hasNonNull(kind)) {
        bound = kind + " " + key.path(kind).asString("");
      }
    }
    return List.of(
        key.path("id").asString("-"),
        key.path("name").asString("-"),
        String.join(",", scopes),
        bound,
        key.path("expiresAt").asString("-"),
        key.path("rate").asString("-"));
  }
}
