package gilmok.auth;

/** The one rider, shop or agency that a key is bound to. */
public record Binding(Kind kind, String id) {
  /** What a key can be bound to. */
  public enum Kind {
    RIDER("rider"),
    SHOP("shop"),
    AGENCY("agency");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The name of its field in requests and replies. */
    public String label() {
      return label;
    }
  }
}
