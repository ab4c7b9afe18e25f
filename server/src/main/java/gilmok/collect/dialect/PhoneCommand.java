package gilmok.collect.dialect;

import gilmok.collect.json.JsonDocument;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command for a phone, sent with the answer to its next upload.
 *
 * @param id its identifier
 * @param type what the phone is to do
 * @param settings with {@link Type#CONFIGURE}: a JSON object of settings by the app's own names;
 *     with {@link Type#CUSTOM}: a JSON value in the app's own form; else null
 * @param text with {@link Type#TEXT}: the text as it is sent; else null
 */
public record PhoneCommand(String id, Type type, @Nullable String settings, @Nullable String text) {
  /**
   * Reads the settings.
   *
   * @return the outermost value; {@link JsonDocument#NONE} when there are no settings, or they
   *     cannot be written again
   */
  public int read(JsonDocument document) {
    if (settings == null) {
      return JsonDocument.NONE;
    }
    byte[] json = settings.getBytes(StandardCharsets.UTF_8);
    int value = document.read(json, 0, json.length);
    boolean sound = value != JsonDocument.NONE && document.fault(value) == null;
    return sound ? value : JsonDocument.NONE;
  }

  /** The kinds of commands. */
  public enum Type {
    /** Send a position now. */
    REPORT,
    /** Change settings. */
    CONFIGURE,
    /** A text, for apps whose commands are texts. */
    TEXT,
    /** JSON as the app understands it. */
    CUSTOM;

    /** The type of that name; null if there is none. */
    public static @Nullable Type of(@Nullable String label) {
      return Stream.of(values()).filter(one -> one.label().equals(label)).findFirst().orElse(null);
    }

    /** The name in the API. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
