package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store of consents does, whichever database keeps it. */
@SuppressWarnings("NullAway.Init") // open() is called before each test
abstract class ConsentStoreContract {
  ConsentStore store;

  /** A store in a database of its own. */
  abstract ConsentStore open() throws IOException, InterruptedException;

  /** Ends what {@link #open} began. */
  abstract void close() throws IOException;

  @BeforeEach
  void opened() throws Exception {
    store = open();
  }

  @AfterEach
  void closed() throws Exception {
    close();
  }

  static Consent consent(String rider, ConsentState state, int purposes) {
    return new Consent(rider, state, purposes, 1_000_000, "key-1");
  }

  @Test
  void nothing_isThereBeforeTheFirst() throws Exception {
    assertThat(store.find("r")).isNull();
    assertThat(store.page(null).consents()).isEmpty();
    assertThat(store.page(null).next()).isNull();
    assertThat(store.erase("r", "p-r", new RiderDigest(1, 2))).isZero();
  }

  @Test
  void put_replaces_andIsFound() throws Exception {
    String korean = "라이더 '\"$.\u0000".replace("\u0000", "") + "x".repeat(110);
    store.put(consent(korean, ConsentState.WITHDRAWN, Purpose.ALL), "p-r");
    store.put(consent("other", ConsentState.GRANTED, 5), "p-o");
    assertThat(store.find(korean)).isEqualTo(consent(korean, ConsentState.WITHDRAWN, 7));
    store.put(consent(korean, ConsentState.OFF_DUTY, Purpose.CUSTOMER.bit()), "p-r");
    assertThat(store.find(korean)).isEqualTo(consent(korean, ConsentState.OFF_DUTY, 2));
    assertThat(store.find("other")).isEqualTo(consent("other", ConsentState.GRANTED, 5));
  }

  @Test
  void page_hasAll_inTheOrderOfIds() throws Exception {
    List<String> ids = IntStream.range(0, 30).mapToObj(i -> "r%02d".formatted(i * 7 % 30)).toList();
    for (String id : ids) {
      store.put(consent(id, ConsentState.WITHDRAWN, 7), "p-" + id);
    }
    List<String> read = new ArrayList<>();
    store.page(null).consents().forEach(one -> read.add(one.riderId()));
    assertThat(read).containsExactlyElementsOf(ids.stream().sorted().toList());
    assertThat(store.page("r27").consents())
        .extracting(Consent::riderId)
        .containsExactly("r28", "r29");
  }

  @Test
  void erase_keepsWhatCounts_underThePseudonym_twiceAlike() throws Exception {
    store.put(consent("r", ConsentState.WITHDRAWN, Purpose.ALL), "p-r");
    RiderDigest digest = new RiderDigest(-5, Long.MIN_VALUE + 3);
    assertThat(store.erase("r", "p-r", digest)).isEqualTo(1);
    assertThat(store.erase("r", "p-r", digest)).isZero();
    assertThat(store.find("r")).isNull();
    assertThat(store.find("p-r"))
        .isEqualTo(new Consent("p-r", ConsentState.WITHDRAWN, 7, 1_000_000, "key-1", digest));
    store.put(consent("r", ConsentState.GRANTED, Purpose.ALL), "p-r");
    assertThat(store.page(null).consents())
        .containsExactly(consent("r", ConsentState.GRANTED, Purpose.ALL));
  }
}
