package gilmok.auth;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Is shown each change of a key before it is made, and makes it. */
@FunctionalInterface
public interface KeyWitness {
  /** Makes each change without a word, as for a command while no server runs. */
  KeyWitness NONE = (_, _, change) -> change.make();

  /** A change of the stored keys. */
  @FunctionalInterface
  interface Change {
    /** Makes it; durable on return. */
    void make() throws IOException;
  }

  /**
   * Makes the change, or throws and does not.
   *
   * @param before the key as it is; null when it is made, and when it cannot be understood
   * @param after the key as it will be; null when it is revoked
   */
  void change(@Nullable KeyInfo before, @Nullable KeyInfo after, Change change) throws IOException;
}
