package gilmok.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Fails a test that gets a reason of which {@code reasons-ko.txt} has no Korean text. */
public final class ReasonCheck {
  private ReasonCheck() {}

  /** Checks the reason of a refusal, if it has one. */
  public static void reason(@Nullable String reason) {
    if (reason != null && KoreanReasons.find(reason) == null) {
      throw new AssertionError("reasons-ko.txt has no Korean for \"" + reason + "\"");
    }
  }

  /** Checks an answer, which may be a refusal. */
  public static void answer(String body) {
    if (body.startsWith("{\"type\":\"/docs/errors#")) {
      JsonNode refusal = JsonMapper.shared().readTree(body);
      reason(refusal.path("reason").asString(null));
    }
  }
}
