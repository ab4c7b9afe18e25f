package gilmok.erasure;

import gilmok.event.RiderAlias;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One erasure, as it is now. Immutable.
 *
 * @param id 16 hexadecimal digits
 * @param riderId whom to erase; null once all nodes have
 * @param phones the ids of the rider's phones; none once all nodes are done
 * @param pseudonym by which the rider is called where something has to stay
 * @param askedAtMillis epoch ms
 * @param keyId of the key that asked for it
 * @param nodes how far each node is
 */
record Erasure(
    String id,
    @Nullable String riderId,
    List<String> phones,
    String pseudonym,
    long askedAtMillis,
    String keyId,
    Map<String, NodeErasure> nodes) {
  Erasure {
    phones = List.copyOf(phones);
    nodes = Map.copyOf(nodes);
  }

  /** The rider, by both names; null once all nodes are done. */
  @Nullable RiderAlias rider() {
    return riderId == null ? null : new RiderAlias(riderId, pseudonym, phones);
  }

  /** How far a node is. */
  NodeErasure of(String node) {
    return nodes.getOrDefault(node, NodeErasure.BEGIN);
  }

  /** With another state of a node. */
  Erasure with(String node, NodeErasure state) {
    Map<String, NodeErasure> all = new TreeMap<>(nodes);
    all.put(node, state);
    return new Erasure(id, riderId, phones, pseudonym, askedAtMillis, keyId, all);
  }

  /** As one that all nodes have done. */
  Erasure withoutRider() {
    return new Erasure(id, null, List.of(), pseudonym, askedAtMillis, keyId, nodes);
  }

  /** Whether all nodes have done it. */
  boolean isDone() {
    return nodes.values().stream().allMatch(NodeErasure::isDone);
  }

  /** Its state in answers. */
  String state() {
    boolean isBegun = nodes.values().stream().anyMatch(node -> !node.equals(NodeErasure.BEGIN));
    return isDone() ? "done" : isBegun ? "running" : "waiting";
  }
}
