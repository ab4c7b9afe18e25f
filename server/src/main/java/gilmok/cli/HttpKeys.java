package gilmok.cli;

import gilmok.auth.KeyRequest;
import gilmok.auth.Scope;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The keys of a running server, over its API. Not thread-safe. */
final class HttpKeys implements Keyring {
  private static final String PATH = "/v1/keys";

  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final Target target;

  HttpKeys(Target target) {
    this.target = target;
  }

  @Override
  public String create(KeyRequest wanted) throws IOException, InterruptedException {
    ObjectNode body = mapper.createObjectNode().put("name", wanted.name());
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
    BodyPublisher bytes = BodyPublishers.ofByteArray(mapper.writeValueAsBytes(body));
    return ask("POST", PATH, bytes).path("key").asString("");
  }

  @Override
  public List<List<String>> list() throws IOException, InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode key : ask("GET", PATH, BodyPublishers.noBody()).path("items")) {
      rows.add(row(key));
    }
    return rows;
  }

  @Override
  public void revoke(String id) throws IOException, InterruptedException {
    String encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    ask("DELETE", PATH + "/" + encoded, BodyPublishers.noBody());
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }

  private JsonNode ask(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target.resolve(path))
            .header("X-Api-Key", target.key())
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(30))
            .method(method, body)
            .build();
    HttpResponse<byte[]> response;
    try {
      response = client.send(request, BodyHandlers.ofByteArray());
    } catch (ConnectException away) {
      throw new Failure(target.isNotRunning());
    } catch (IOException broken) {
      throw new Failure("no answer from " + target.base() + " (" + broken.getMessage() + ")");
    }
    if (response.statusCode() / 100 != 2) {
      throw new Failure(target.refusal(response.statusCode(), Problem.of(mapper, response.body())));
    }
    try {
      return response.body().length == 0
          ? mapper.createObjectNode()
          : mapper.readTree(response.body());
    } catch (JacksonException unreadable) {
      throw new Failure("the answer is not JSON; is a Gilmok server at " + target.base() + "?");
    }
  }

  private static List<String> row(JsonNode key) {
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
