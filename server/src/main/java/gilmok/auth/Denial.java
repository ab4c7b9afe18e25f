package gilmok.auth;

/** Why a credential was not taken. */
public enum Denial implements Verdict {
  /** None was sent. */
  MISSING,
  /** Not a key of this server, or revoked, or its secret is wrong. */
  UNKNOWN,
  EXPIRED,
  /** Over the key's own rate. */
  TOO_FAST
}
