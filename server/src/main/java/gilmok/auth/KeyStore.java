package gilmok.auth;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * The store of keys: for each, its id and a JSON text that {@link KeyJson} writes and reads. Calls
 * block; from any thread that may block.
 */
public interface KeyStore {
  /**
   * A key in its stored form.
   *
   * @param json without the secret: only its hash is stored
   */
  record Kept(String id, String json) {}

  /** All keys. */
  List<Kept> all() throws IOException, InterruptedException;

  /** Adds or replaces some keys and removes others; durable on return. */
  void change(Collection<Kept> put, Collection<String> removed)
      throws IOException, InterruptedException;

  /**
   * A number that changes with every change to the keys; constant for a store that nobody else can
   * change.
   */
  long revision() throws IOException, InterruptedException;

  /**
   * Whether the store is outside of this node. The node then has to do without it for a while when
   * it is away.
   */
  default boolean isShared() {
    return false;
  }
}
