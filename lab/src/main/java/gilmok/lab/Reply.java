package gilmok.lab;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** What a server answered. */
public record Reply(int status, String body) {
  private static final int SHOWN_CHARS = 300;

  /** Nothing was answered yet. */
  public static final Reply NONE = new Reply(0, "");

  static Reply of(HttpResponse<byte[]> response) {
    return new Reply(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
  }

  /** Whether it is 2xx. */
  public boolean isGood() {
    return status / 100 == 2;
  }

  /** Its body; a missing node when it is no JSON. */
  public JsonNode json() {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException unreadable) {
      return MissingNode.getInstance();
    }
  }

  @Override
  public String toString() {
    String text = body.strip();
    return status + " " + (text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) : text);
  }
}
