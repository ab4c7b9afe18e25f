package gilmok.ledger;

import gilmok.storage.NodeId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the fleet's nodes answer. Thread-safe; calls block. */
@FunctionalInterface
public interface NodeAddresses {
  /** Of a node that shares nothing with others. */
  NodeAddresses NONE = node -> null;

  /**
   * The address of a node, as {@code https://gilmok-1.example}; null when it is not known.
   *
   * @throws IOException when the place where they are kept does not answer
   */
  @Nullable String of(NodeId node) throws IOException, InterruptedException;
}
