package gilmok.auth;

/** The one rider, shop or agency that a key is bound to. */
public record Binding(Kind kind, String id) {
  /** What a key can be bound to. */
  public enum Kind {
    RIDER,
    SHOP,
    AGENCY
  }
}
