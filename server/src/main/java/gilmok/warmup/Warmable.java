package gilmok.warmup;

/** A part whose hot routes are run before the server says that it is ready. */
public interface Warmable {
  /** The part's name, as in {@code collect}. */
  String name();

  /** What is asked of it, on a server that is there to be asked: every hot route and branch. */
  default WarmUpScript script() {
    return WarmUpScript.beside(getClass(), name());
  }
}
