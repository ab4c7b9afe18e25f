package gilmok.warmup;

/** A part whose hot routes are warmed up before the server is ready. */
public interface Warmable {
  /** The part's name, as in {@code collect}. */
  String name();

  /** Its requests: every hot route and branch. */
  default WarmUpScript script() {
    return WarmUpScript.beside(getClass(), name());
  }
}
