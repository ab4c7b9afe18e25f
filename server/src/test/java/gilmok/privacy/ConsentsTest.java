package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class ConsentsTest {
  @TempDir Path folder;
  private final MemoryConsents store = new MemoryConsents();
  private final List<Meters> meters = new ArrayList<>();

  @AfterEach
  void close() {
    meters.forEach(Meters::close);
  }

  private Consents open(boolean isShared) throws Exception {
    Meters own = new Meters();
    meters.add(own);
    ConsentCopy copy =
        isShared
            ? new ConsentCopy(new Checkpoint(new FileDisk(), folder.resolve("consents")))
            : null;
    return MemoryConsents.consents(store, copy, own, 2);
  }

  private static Consent said(String rider, ConsentState state) {
    return ConsentStoreContract.consent(rider, state, Purpose.ALL);
  }

  private static @Nullable NotCollected closed(Consents consents, String rider) {
    byte[] utf8 = rider.getBytes(StandardCharsets.UTF_8);
    return consents.view().closed(utf8, 0, utf8.length);
  }

  @Test
  void state_andPurposes_sayWhatIsCollectedAndShown() throws Exception {
    Consents consents = open(false);
    assertThat(consents.isAny()).isFalse();
    consents.put(said("r", ConsentState.WITHDRAWN));
    assertThat(closed(consents, "r")).isEqualTo(NotCollected.WITHDRAWN);
    assertThat(closed(consents, "r2")).isNull();
    consents.put(said("r", ConsentState.OFF_DUTY));
    assertThat(closed(consents, "r")).isEqualTo(NotCollected.OFF_DUTY);
    assertThat(consents.hides(Purpose.CUSTOMER, "r")).isTrue();
    int dispatch = Purpose.DISPATCH.bit();
    consents.put(ConsentStoreContract.consent("r", ConsentState.GRANTED, dispatch));
    assertThat(closed(consents, "r")).isNull();
    assertThat(consents.hides(Purpose.DISPATCH, "r")).isFalse();
    assertThat(consents.hides(Purpose.HISTORY, "r")).isTrue();
    consents.put(ConsentStoreContract.consent("r", ConsentState.WITHDRAWN, dispatch));
    assertThat(consents.hides(Purpose.DISPATCH, "r")).isTrue();
    assertThat(consents.hides(Purpose.HISTORY, "r")).isFalse();
    consents.put(said("r", ConsentState.GRANTED));
    assertThat(consents.isAny()).isFalse();
    assertThat(consents.find("r")).isEqualTo(said("r", ConsentState.GRANTED));
  }

  @Test
  void whatIsNotStored_doesNotCount() throws Exception {
    Consents consents = open(false);
    store.isAway = true;
    assertThatThrownBy(() -> consents.put(said("r", ConsentState.WITHDRAWN)))
        .isInstanceOf(IOException.class);
    assertThat(closed(consents, "r")).isNull();
  }

  @Test
  void bound_keepsNobodyFromChangingWhatIsThere() throws Exception {
    Consents consents = open(false);
    assertThat(consents.put(said("a", ConsentState.WITHDRAWN))).isTrue();
    assertThat(consents.put(said("b", ConsentState.WITHDRAWN))).isTrue();
    assertThat(consents.put(said("c", ConsentState.WITHDRAWN))).isFalse();
    assertThat(store.all).containsOnlyKeys("a", "b");
    assertThat(consents.put(said("a", ConsentState.OFF_DUTY))).isTrue();
    assertThat(consents.put(said("b", ConsentState.GRANTED))).isTrue();
    assertThat(consents.put(said("c", ConsentState.WITHDRAWN))).isTrue();
  }

  @Test
  void erasedRider_isNotCollected_afterARestart() throws Exception {
    Consents consents = open(false);
    consents.put(said("r", ConsentState.WITHDRAWN));
    assertThat(consents.erase("r")).isEqualTo(1);
    assertThat(store.all).containsOnlyKeys(MemoryConsents.PSEUDONYMS.of("r"));
    assertThat(closed(consents, "r")).isEqualTo(NotCollected.WITHDRAWN);
    Consents again = open(false);
    assertThat(closed(again, "r")).isEqualTo(NotCollected.WITHDRAWN);
    assertThat(again.find("r")).isNotNull();
    again.put(said("r", ConsentState.GRANTED));
    assertThat(closed(again, "r")).isNull();
    assertThat(closed(open(false), "r")).isNull();
  }

  @Test
  void otherNodesChange_isSeenWithTheNextPass_andTold() throws Exception {
    Consents one = open(true);
    Consents other = open(true);
    List<String> hidden = new ArrayList<>();
    other.onHidden(Purpose.DISPATCH, hidden::add);
    one.put(said("r", ConsentState.WITHDRAWN));
    assertThat(closed(other, "r")).isNull();
    other.pass();
    assertThat(closed(other, "r")).isEqualTo(NotCollected.WITHDRAWN);
    one.put(said("r", ConsentState.OFF_DUTY));
    other.pass();
    assertThat(closed(other, "r")).isEqualTo(NotCollected.OFF_DUTY);
    assertThat(hidden).containsExactly("r");
  }

  @Test
  void anOldAnswer_doesNotUndoWhatThisNodeHasChangedMeanwhile() throws Exception {
    Consents consents = open(true);
    consents.put(said("r", ConsentState.GRANTED));
    store.meanwhile =
        () -> {
          try {
            consents.put(said("r", ConsentState.WITHDRAWN));
          } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
          }
        };
    consents.pass();
    assertThat(closed(consents, "r")).isEqualTo(NotCollected.WITHDRAWN);
    consents.pass();
    assertThat(closed(consents, "r")).isEqualTo(NotCollected.WITHDRAWN);
  }

  @Test
  void databaseAwayAtTheStart_theCopyCounts_andWithoutOneNothingIsKnown() throws Exception {
    Consents before = open(true);
    before.put(said("r", ConsentState.WITHDRAWN));
    before.end();
    store.isAway = true;
    Consents again = open(true);
    assertThat(again.isRead()).isTrue();
    assertThat(closed(again, "r")).isEqualTo(NotCollected.WITHDRAWN);
    Files.delete(folder.resolve("consents"));
    Consents unknowing = open(true);
    assertThat(unknowing.isRead()).isFalse();
    store.isAway = false;
    unknowing.pass();
    assertThat(unknowing.isRead()).isTrue();
    assertThat(closed(unknowing, "r")).isEqualTo(NotCollected.WITHDRAWN);
  }
}
