package gilmok.auth;

import java.util.Locale;

/** What a key may do. {@link #ADMIN} implies the others, the others imply nothing. */
public enum Scope {
  COLLECT,
  READ,
  OPERATE,
  ADMIN;

  /** Its name in requests and replies. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
