package gilmok.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a store of erasures does, whatever keeps them. */
abstract class ErasureStoreContract {
  static final String NODE = "n1";

  /** The store of a node, as a process that has just begun has it. */
  abstract ErasureStore of(String node) throws Exception;

  static Erasure asked(String id, long atMillis) {
    return new Erasure(id, "r " + id, List.of("phone"), "p-" + id, atMillis, "k1", Map.of());
  }

  static NodeErasure did() {
    Erasable.Outcome outcome =
        new Erasable.Outcome(3, 2, List.of(new Erasable.Left("a lake", "riderId")));
    return NodeErasure.BEGIN.begins("a/1").did("a/1", "a", outcome, true);
  }

  static Erasure found(ErasureStore store, String id) throws Exception {
    return Objects.requireNonNull(store.find(id));
  }

  @Test
  void added_isOpen_theOldestFirst_andFound() throws Exception {
    ErasureStore store = of(NODE);
    assertThat(store.open()).isEmpty();
    assertThat(store.find("0000000000000001")).isNull();
    store.add(asked("0000000000000002", 20));
    store.add(asked("0000000000000001", 30));
    ErasureStore again = of(NODE);
    assertThat(again.open())
        .extracting(Erasure::id)
        .containsExactly("0000000000000002", "0000000000000001");
    Erasure one = found(again, "0000000000000002");
    assertThat(one).isEqualTo(asked("0000000000000002", 20).with(NODE, NodeErasure.BEGIN));
    assertThat(one.state()).isEqualTo("waiting");
  }

  @Test
  void saved_isAsItWas_forTheNextProcess() throws Exception {
    ErasureStore store = of(NODE);
    store.add(asked("0000000000000001", 30));
    Erasure running = found(store, "0000000000000001").with(NODE, did());
    store.save(running);
    assertThat(found(of(NODE), "0000000000000001")).isEqualTo(running);
    assertThat(running.state()).isEqualTo("running");
  }

  @Test
  void done_isNotOpen_andHasTheCertificate_withoutTheRider() throws Exception {
    ErasureStore store = of(NODE);
    store.add(asked("0000000000000001", 30));
    Erasure running = found(store, "0000000000000001");
    store.save(running.with(NODE, did().ended(99)));
    assertThat(of(NODE).open()).isEmpty();
    Erasure done = found(of(NODE), "0000000000000001");
    assertThat(done.state()).isEqualTo("done");
    assertThat(done.riderId()).isNull();
    assertThat(done.phones()).isEmpty();
    assertThat(done.of(NODE)).isEqualTo(did().ended(99));
  }
}
