package gilmok.auth;

/** What a key may do. {@link #ADMIN} implies the others, the others imply nothing. */
public enum Scope {
  COLLECT("collect"),
  READ("read"),
  OPERATE("operate"),
  ADMIN("admin");

  private final String label;

  Scope(String label) {
    this.label = label;
  }

  /** Its name in requests and replies. */
  public String label() {
    return label;
  }
}
