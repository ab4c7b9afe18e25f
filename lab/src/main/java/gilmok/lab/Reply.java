package gilmok.lab;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** A response of a server. */
public record Reply(int status, String body) {
  private static final int SHOWN_CHARS = 300;

  /** The value before the first response. */
  public static final Reply NONE = new Reply(0, "");

  static Reply of(HttpResponse<byte[]> response) {
    return new Reply(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
  }

  /** Whether the status is 2xx. */
  public boolean isGood() {
    return status / 100 == 2;
  }

  /** The body as JSON; a missing node if it is none. */
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
