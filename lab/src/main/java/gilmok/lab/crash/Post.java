package gilmok.lab.crash;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Sends letters to a server and takes its answers down. Thread-safe; blocks. */
final class Post implements AutoCloseable {
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(20);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String url;
  private final String key;
  private final Book book;
  private final Violations violations;

  Post(String url, String key, Book book, Violations violations) {
    this.url = url;
    this.key = key;
    this.book = book;
    this.violations = violations;
  }

  /**
   * Sends a letter once.
   *
   * @return false when the server had no room for it: try again later
   * @throws IOException when there was no answer; whether it is stored is not known
   */
  boolean send(Letter letter) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/" + letter.stream()))
            .timeout(ANSWER_WAIT)
            .header("Content-Type", "application/json")
            .header("X-Api-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(letter.body()))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    switch (response.statusCode()) {
      case 202 -> {
        try {
          book.answered(letter, JsonMapper.shared().readTree(response.body()));
        } catch (JacksonException e) {
          violations.add("a 202 that is no JSON: " + response.body());
        }
        return true;
      }
      case 429, 503 -> {
        return false;
      }
      default -> {
        violations.add("answered " + response.statusCode() + ": " + response.body());
        return true;
      }
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
