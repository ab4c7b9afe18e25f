package gilmok.auth;

/** What a key may do. */
public enum Scope {
  COLLECT,
  READ,
  OPERATE,
  ADMIN
}
