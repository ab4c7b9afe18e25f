package gilmok.auth;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Where keys are kept: for each its id and a JSON text that {@link KeyJson} writes and reads. Calls
 * block; from any thread that may.
 */
public interface KeyStore {
  /**
   * A key as it is kept.
   *
   * @param json without the secret: only its hash is kept
   */
  record Kept(String id, String json) {}

  /** All keys. */
  List<Kept> all() throws IOException, InterruptedException;

  /** Adds or replaces some, takes others away; durable on return. */
  void change(Collection<Kept> put, Collection<String> removed)
      throws IOException, InterruptedException;

  /** Another number whenever something was changed; always the same where nobody else can. */
  long revision() throws IOException, InterruptedException;

  /** Whether it is outside of this node, which then can be without it for a time. */
  default boolean isShared() {
    return false;
  }
}
