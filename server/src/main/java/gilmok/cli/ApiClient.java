package gilmok.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A client of a running server's API; requests and answers are JSON. Not thread-safe. */
record ApiClient(Target target, HttpClient client) implements AutoCloseable {
  ApiClient(Target target) {
    this(target, target.client());
  }

  /** Adds a value to a request's body, unless it is null. */
  static void put(ObjectNode body, String field, @Nullable Object value) {
    if (value != null) {
      body.putPOJO(field, value);
    }
  }

  /**
   * Sends a request and returns the answer; an empty object when it has no body.
   *
   * @param body null for none
   * @throws CommandFailure when nobody answers, the request is refused, or the answer is no JSON
   */
  JsonNode ask(String method, String path, @Nullable JsonNode body) throws InterruptedException {
    return read(send(method, path, body));
  }

  /**
   * What is at a path; null when nothing is.
   *
   * @throws CommandFailure as {@link #ask} does
   */
  @Nullable JsonNode find(String path) throws InterruptedException {
    HttpResponse<byte[]> response = send("GET", path, null);
    return response.statusCode() == 404 ? null : read(response);
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }

  private HttpResponse<byte[]> send(String method, String path, @Nullable JsonNode body)
      throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target.resolve(path))
            .header("X-Api-Key", target.key())
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(JsonMapper.shared().writeValueAsBytes(body)))
            .build();
    return send(request, BodyHandlers.ofByteArray());
  }

  /**
   * Sends a request of one's own, which has the target's key.
   *
   * @throws CommandFailure when nobody answers
   */
  <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws InterruptedException {
    return send(
        request,
        handler,
        () -> new CommandFailure("no answer from " + target.base() + " (request timed out)"));
  }

  /**
   * Sends it likewise.
   *
   * @param silence what is thrown when the request's time is over
   */
  <T> HttpResponse<T> send(
      HttpRequest request, BodyHandler<T> handler, Supplier<CommandFailure> silence)
      throws InterruptedException {
    try {
      return client.send(request, handler);
    } catch (ConnectException away) {
      throw new CommandFailure(target.isNotRunning());
    } catch (SSLException untrusted) {
      throw new CommandFailure(target.isNotTrusted(untrusted));
    } catch (HttpConnectTimeoutException away) {
      throw new CommandFailure("no answer from " + target.base() + " (" + away.getMessage() + ")");
    } catch (HttpTimeoutException over) {
      throw silence.get();
    } catch (IOException broken) {
      throw new CommandFailure(
          "no answer from " + target.base() + " (" + broken.getMessage() + ")");
    }
  }

  private JsonNode read(HttpResponse<byte[]> response) {
    byte[] body = response.body();
    if (response.statusCode() / 100 != 2) {
      throw new CommandFailure(target.refusal(response.statusCode(), ServerProblem.of(body)));
    }
    JsonMapper mapper = JsonMapper.shared();
    try {
      return body.length == 0 ? mapper.createObjectNode() : mapper.readTree(body);
    } catch (JacksonException unreadable) {
      throw new CommandFailure(
          "the answer is not JSON; is a Gilmok server at " + target.base() + "?");
    }
  }
}
