package gilmok.lab.torture;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** What the server answered. */
record Reply(int status, String body) {
  private static final int SHOWN_CHARS = 300;

  /** Nothing was answered yet. */
  static final Reply NONE = new Reply(0, "");

  boolean isGood() {
    return status / 100 == 2;
  }

  /** Its body; a missing node when it is no JSON. */
  JsonNode json() {
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
