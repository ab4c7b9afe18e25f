package gilmok.auth;

/** The result of a request for a new key. */
public sealed interface KeyResult {
  /**
   * The key was made and is durable.
   *
   * @param key the whole key, secret included; shown this once and kept nowhere
   */
  record Created(KeyInfo info, String key) implements KeyResult {
    /** A text without the key. */
    @Override
    public String toString() {
      return "Created[" + info + "]";
    }
  }

  /** A key that was made elsewhere is durable and in force. */
  record Brought(KeyInfo info) implements KeyResult {}

  /**
   * The key was not made.
   *
   * @param field what is wrong with the request, as clients name it
   * @param reason why, in a few words
   */
  record Refused(String field, String reason) implements KeyResult {}

  /**
   * The key was not made, as it conflicts with keys that exist.
   *
   * @param field what of the request conflicts
   * @param reason why, in a few words
   */
  record Conflict(String field, String reason) implements KeyResult {}
}
