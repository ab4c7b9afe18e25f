package gilmok.auth;

/** What became of the wish for a key. */
public sealed interface KeyResult {
  /**
   * It was made and is on disk.
   *
   * @param key the whole key, secret included; shown this once and kept nowhere
   */
  record Created(KeyInfo info, String key) implements KeyResult {
    /** Without the key. */
    @Override
    public String toString() {
      return "Created[" + info + "]";
    }
  }

  /**
   * It was not made.
   *
   * @param field what is wrong with the request, as clients name it
   * @param reason why, in a few words
   */
  record Refused(String field, String reason) implements KeyResult {}

  /**
   * It was not made, as it does not fit beside the keys that are there.
   *
   * @param field what of the request does not fit
   * @param reason why, in a few words
   */
  record Conflict(String field, String reason) implements KeyResult {}
}
