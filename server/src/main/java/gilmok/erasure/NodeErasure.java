package gilmok.erasure;

import gilmok.event.JsonBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a node is with an erasure. Immutable.
 *
 * @param done the steps that are done, in order
 * @param begun the step that was begun last; null before the first
 * @param stores what was done in each store
 * @param doneAtMillis when the last step was done, epoch ms; 0 before
 */
record NodeErasure(
    List<String> done, @Nullable String begun, List<Store> stores, long doneAtMillis) {
  /** Of a node that has not begun. */
  static final NodeErasure BEGIN = new NodeErasure(List.of(), null, List.of(), 0);

  NodeErasure {
    done = List.copyOf(done);
    stores = List.copyOf(stores);
  }

  /**
   * What was done in a store.
   *
   * @param isAtLeast whether a process was killed on the way, and what it had done is not counted
   */
  record Store(
      String name, long erased, long pseudonymised, boolean isAtLeast, List<Erasable.Left> left) {
    Store {
      left = List.copyOf(left);
    }

    private Store plus(Store more) {
      Set<Erasable.Left> both = new LinkedHashSet<>(left);
      both.addAll(more.left);
      return new Store(
          name,
          erased + more.erased,
          pseudonymised + more.pseudonymised,
          isAtLeast || more.isAtLeast,
          List.copyOf(both));
    }
  }

  boolean isDone() {
    return doneAtMillis > 0;
  }

  /** With a step that begins now. */
  NodeErasure begins(String step) {
    return new NodeErasure(done, step, stores, doneAtMillis);
  }

  /**
   * With a step that is done.
   *
   * @param isResumed whether it was begun by a process that did not end it
   */
  NodeErasure did(String step, String store, Erasable.Outcome outcome, boolean isResumed) {
    Map<String, Store> all = new LinkedHashMap<>();
    stores.forEach(one -> all.put(one.name, one));
    Store more =
        new Store(store, outcome.erased(), outcome.pseudonymised(), isResumed, outcome.left());
    all.merge(store, more, Store::plus);
    List<String> steps = new ArrayList<>(done);
    steps.add(step);
    return new NodeErasure(steps, step, List.copyOf(all.values()), 0);
  }

  /** As one whose last step is done. */
  NodeErasure ended(long atMillis) {
    return new NodeErasure(done, begun, stores, atMillis);
  }

  /** The state in answers. */
  String state() {
    return isDone() ? "done" : equals(BEGIN) ? "waiting" : "running";
  }

  /** Writes the members of the certificate that a node has. */
  void write(JsonBuffer out) {
    out.ascii("\"state\":\"").ascii(state()).put('"');
    if (isDone()) {
      out.ascii(",\"doneAt\":").time(doneAtMillis);
    }
    out.ascii(",\"stores\":").list(stores, NodeErasure::write);
  }

  private static void write(Store store, JsonBuffer out) {
    out.ascii("{\"store\":").string(store.name);
    out.ascii(",\"erased\":").number(store.erased);
    out.ascii(",\"pseudonymised\":").number(store.pseudonymised);
    if (store.isAtLeast) {
      out.ascii(",\"atLeast\":true");
    }
    if (!store.left.isEmpty()) {
      out.ascii(",\"left\":")
          .list(
              store.left,
              (left, json) ->
                  json.ascii("{\"place\":")
                      .string(left.place())
                      .ascii(",\"key\":")
                      .string(left.key())
                      .put('}'));
    }
    out.put('}');
  }
}
