package gilmok.auth;

/** Why a credential was refused. */
public enum Denial implements AuthResult {
  /** No credential was sent. */
  MISSING,
  /** It is not a key of this server, or is revoked, or its secret is wrong. */
  UNKNOWN,
  /**
   * It was not known when this server last read all keys, and since its start the server could not
   * read them again.
   */
  NOT_SEEN,
  /** Only its bcrypt hash is known, which is being compared: the caller should come again. */
  VERIFYING,
  /** Likewise, but its address has many that wait to be compared; it counts as a wrong key. */
  CROWDED,
  EXPIRED,
  /** It is over the key's rate limit. */
  TOO_FAST;

  /** Whether too many of them from one address are no longer looked at. */
  public boolean isLikeAWrongKey() {
    return this == UNKNOWN || this == CROWDED;
  }
}
