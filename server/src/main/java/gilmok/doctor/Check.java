package gilmok.doctor;

/**
 * Something that {@code gilmok doctor} looked at, or {@code gilmok accept}. Immutable.
 *
 * @param what it is
 * @param seen what was found
 * @param verdict {@code well}, {@code look}, or {@code unknown}
 * @param advice what to do; may be empty unless the verdict is {@code look}
 */
public record Check(String what, String seen, String verdict, String advice) {
  /** One that is well, or has to be looked at. */
  public static Check of(String what, String seen, boolean isWell, String advice) {
    return isWell ? new Check(what, seen, "well", "") : new Check(what, seen, "look", advice);
  }

  /** One that could not be learned. That is no fault. */
  public static Check unknown(String what, String seen, String advice) {
    return new Check(what, seen, "unknown", advice);
  }
}
