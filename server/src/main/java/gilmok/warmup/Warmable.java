package gilmok.warmup;

/**
 * A part that wants its hot routes run before the server says it is ready. (The runner comes later;
 * parts declare themselves now.)
 */
public interface Warmable {
  /** The part's name, as in {@code collect}. */
  String name();

  /** Runs every hot path of the part once more. Leaves no trace. Called on the runner's thread. */
  void warm();
}
