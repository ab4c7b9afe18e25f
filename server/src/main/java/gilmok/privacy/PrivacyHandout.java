package gilmok.privacy;

import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of whose location it is, for the rider: what the rider agrees to, and who has
 * collected, seen and been given the location. Thread-safe; blocks.
 */
public final class PrivacyHandout {
  private static final int PAGE_ROWS = 1_000;

  private final Consents consents;
  private final RegisterStore rows;
  private final @Nullable Register register;

  PrivacyHandout(Consents consents, RegisterStore rows, @Nullable Register register) {
    this.consents = consents;
    this.rows = rows;
    this.register = register;
  }

  /** What the rider agrees to; nothing if nothing was said. */
  public void consent(String riderId, JsonLines out) throws IOException, InterruptedException {
    Consent consent = consents.find(riderId);
    if (consent != null) {
      JsonBuffer json = new JsonBuffer();
      consent.of(riderId).writeJson(json);
      out.line(json);
    }
  }

  /** The rows of the register that are about the rider alone, the newest first. */
  public void register(String riderId, JsonLines out) throws IOException, InterruptedException {
    if (register != null) {
      boolean _ = register.flush(riderId);
    }
    String pseudonym = consents.pseudonyms().of(riderId);
    JsonBuffer json = new JsonBuffer();
    String below = RegisterStore.ABOVE_ALL;
    List<RegisterRow> page = page(pseudonym, below);
    while (!page.isEmpty()) {
      for (RegisterRow row : page) {
        json.clear();
        row.writeJson(null, json);
        out.line(json);
        below = row.id();
      }
      page = page(pseudonym, below);
    }
  }

  private List<RegisterRow> page(String pseudonym, String below)
      throws IOException, InterruptedException {
    return rows.page(
        new RegisterStore.Question(pseudonym, null, "0", below, 0, Long.MAX_VALUE, PAGE_ROWS));
  }
}
