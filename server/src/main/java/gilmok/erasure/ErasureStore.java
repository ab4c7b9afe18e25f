package gilmok.erasure;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps erasures: those that go on, and the certificates of those that are done. Changes are
 * durable on return. Thread-safe; calls block, and throw {@link IOException} when the storage
 * fails.
 */
interface ErasureStore {
  /** Adds an erasure. */
  void add(Erasure erasure) throws IOException, InterruptedException;

  /** The erasure of that id; null when there is none. */
  @Nullable Erasure find(String id) throws IOException, InterruptedException;

  /** Those that not all nodes have done, the oldest first. */
  List<Erasure> open() throws IOException, InterruptedException;

  /**
   * Puts the state of this node; where all nodes are done with it, the rider's id is removed.
   *
   * @param erasure as this node knows it
   */
  void save(Erasure erasure) throws IOException, InterruptedException;
}
