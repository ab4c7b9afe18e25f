package gilmok.cli;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The reason for a server's refusal, from its problem+json; accepts answers that say less. */
record ServerProblem(String title, String field, String reason) {
  private static final int SHOWN_MAX = 200;

  static ServerProblem of(byte[] body) {
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      if (node.isObject()) {
        String title = node.path("detail").asString(node.path("title").asString(""));
        return new ServerProblem(
            title, node.path("field").asString(""), node.path("reason").asString(""));
      }
    } catch (JacksonException plain) {
      // No JSON: shown unchanged.
    }
    String text = new String(body, StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
    boolean isShort = text.length() <= SHOWN_MAX;
    return new ServerProblem(isShort ? text : text.substring(0, SHOWN_MAX) + "…", "", "");
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(title.isEmpty() ? "no reason given" : title);
    if (!field.isEmpty() && !title.contains(field)) {
      text.append(" ").append(field).append(":");
    }
    if (!reason.isEmpty() && !title.contains(reason)) {
      text.append(" ").append(reason);
    }
    return text.toString();
  }
}
