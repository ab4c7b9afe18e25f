package gilmok.auth;

/** Why a credential was not taken. */
public enum Denial implements AuthResult {
  /** None was sent. */
  MISSING,
  /** Not a key of this server, or revoked, or its secret is wrong. */
  UNKNOWN,
  /** Not one that was known when this server last saw all keys, and it has not since its start. */
  NOT_SEEN,
  EXPIRED,
  /** Over the key's own rate. */
  TOO_FAST
}
