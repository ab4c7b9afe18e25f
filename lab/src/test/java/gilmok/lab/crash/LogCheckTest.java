package gilmok.lab.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rig's check of the log: which faults it must notice. */
@Tag("unit")
class LogCheckTest {
  private final Violations violations = new Violations();
  private final Book book = new Book(violations, 1_763_000_000_000L);
  private List<Entry> stored;

  @BeforeEach
  void acknowledgeThree() {
    stored = book.fresh("traces", 3);
    book.answered(
        Letter.of(stored, List.of()), answer(3, 0, "{\"node\":\"n1\",\"first\":7,\"last\":9}"));
    assertThat(violations.first()).isEmpty();
  }

  @Test
  void check_asAcknowledged_isRight() {
    check(line(7, 0), line(8, 1), line(9, 2));
    assertThat(violations.first()).isEmpty();
  }

  @Test
  void check_acknowledgedButMissing_isNoticed() {
    check(line(7, 0), line(8, 1));
    assertThat(violations.first()).singleElement().asString().contains("lost");
  }

  @Test
  void check_storedTwice_isNoticed() {
    check(line(7, 0), line(8, 1), line(9, 2), line(10, 2));
    assertThat(violations.first()).anyMatch(what -> what.contains("stored 2 times"));
  }

  @Test
  void check_underAnotherSequence_isNoticed() {
    check(line(7, 0), line(8, 2), line(9, 1));
    assertThat(violations.first()).hasSize(2).allMatch(what -> what.startsWith("the receipt of"));
  }

  @Test
  void check_sequenceTwice_isNoticed() {
    check(line(7, 0), line(8, 1), line(8, 2));
    assertThat(violations.first()).anyMatch(what -> what.startsWith("sequence 8 after 8"));
  }

  @Test
  void check_otherContent_isNoticed() {
    check(line(7, 0).replace("rider-", "rider-9"), line(8, 1), line(9, 2));
    assertThat(violations.first()).singleElement().asString().startsWith("sent as");
  }

  @Test
  void check_neverSent_isNoticed() {
    check(line(7, 0), line(8, 1), line(9, 2), line(10, 2).replace("2025", "2035"));
    assertThat(violations.first()).singleElement().asString().startsWith("never sent");
  }

  @Test
  void answered_knownRecordAcceptedAgain_isNoticed() {
    book.answered(
        Letter.of(List.of(), stored), answer(3, 0, "{\"node\":\"n1\",\"first\":10,\"last\":12}"));
    assertThat(violations.count()).isEqualTo(1);
  }

  @Test
  void answered_newRecordCalledRepeat_isNoticed() {
    book.answered(Letter.of(book.fresh("traces", 1), List.of()), answer(0, 1, "null"));
    assertThat(violations.count()).isEqualTo(1);
  }

  @Test
  void answered_unansweredRecordCalledRepeat_mustBeThereOnce() {
    List<Entry> again = book.fresh("traces", 1);
    book.answered(Letter.again(again), answer(0, 1, "null"));
    assertThat(violations.first()).isEmpty();
    check(line(7, 0), line(8, 1), line(9, 2));
    assertThat(violations.first()).singleElement().asString().contains("lost");
  }

  private void check(String... lines) {
    LogCheck check = new LogCheck(book, violations);
    for (String line : lines) {
      check.line(line);
    }
    check.end();
  }

  private String line(long sequence, int index) {
    Entry entry = stored.get(index);
    return String.format(
        "{\"sequence\":%d,\"recordId\":\"n1:%d\",\"stream\":\"traces\",\"record\":"
            + "{\"riderId\":\"%s\",\"at\":\"%s\",\"lat\":%f}}",
        sequence, sequence, entry.riderId(), Instant.ofEpochMilli(entry.atMillis()), entry.lat());
  }

  private static JsonNode answer(int accepted, int duplicates, String receipt) {
    return JsonMapper.shared()
        .readTree(
            String.format(
                "{\"accepted\":%d,\"duplicates\":%d,\"quarantined\":[],\"receipt\":%s}",
                accepted, duplicates, receipt));
  }
}
