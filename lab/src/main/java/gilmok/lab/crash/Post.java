package gilmok.lab.crash;

import gilmok.lab.LabClient;
import gilmok.lab.Reply;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Sends letters to a server and records the responses. Thread-safe; blocks. */
public final class Post implements AutoCloseable {
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(20);

  private final LabClient client;
  private final Book book;
  private final Violations violations;

  public Post(String url, String key, Book book, Violations violations) {
    this.client = new LabClient(url, key, ANSWER_WAIT);
    this.book = book;
    this.violations = violations;
  }

  /**
   * Sends a letter once.
   *
   * @return false if the server had no room for it: try again later
   * @throws IOException when there was no response; whether it is stored is unknown
   */
  public boolean send(Letter letter) throws IOException, InterruptedException {
    Reply reply = client.post("/v1/" + letter.stream(), letter.body());
    if (reply.status() == 429 || reply.status() == 503) {
      return false;
    }
    JsonNode answer = reply.json();
    if (reply.status() == 202 && answer.isObject()) {
      book.answered(letter, answer);
    } else {
      violations.add("answered " + reply);
    }
    return true;
  }

  @Override
  public void close() {
    client.close();
  }
}
