package gilmok.auth;

import java.util.Locale;

/** The one rider, shop or agency that a key is bound to. */
public record Binding(Kind kind, String id) {
  /** What a key can be bound to. */
  public enum Kind {
    RIDER,
    SHOP,
    AGENCY;

    /** The name of its field in requests and replies. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
