package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.crash.Entry;
import gilmok.lab.crash.Letter;
import gilmok.lab.crash.Violations;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rig's check of the log's lines: which faults it must notice. */
@Tag("unit")
class LogLinesTest {
  private static final long NOW = 1_790_000_000_000L;
  private static final int AT_FIREHOSE = 9;

  private final Violations findings = new Violations();
  private final Journal journal = Journal.of(findings, NOW);
  private final LogLines lines = new LogLinesFixture(journal).lines();

  /**
   * The lines of a log with one position, one action of a probe and one delivery, all acknowledged.
   */
  private record LogLinesFixture(Journal journal) {
    LogLines lines() {
      List<Entry> sent = journal.book().fresh("traces", 1);
      journal.book().answered(Letter.of(sent, List.of()), receipt(1));
      journal.extras().sent("probe-1-1");
      journal.extras().acknowledged("probe-1-1");
      journal.extras().sent("probe-1-2");
      Order order =
          journal.order(
              number ->
                  new Order(number, Order.Shop.GOOD, "earner-1", List.of(Edge.DECLINED), false));
      order.created("d1");
      order.reached(2);
      return new LogLines(journal, sequence -> sequence == AT_FIREHOSE);
    }
  }

  @BeforeEach
  void nothingIsFoundYet() {
    assertThat(findings.first()).isEmpty();
  }

  @Test
  void end_allOfIt_isRight() {
    read(position(1), extra(2, "probe-1-1"), event(3, 1), event(4, 2));
    assertThat(findings.first()).isEmpty();
    assertThat(lines.size()).isEqualTo(4);
    assertThat(lines.recordIds().get("deliveries")).containsExactlyInAnyOrder("n:3", "n:4");
  }

  @Test
  void end_positionMissing_isNoticed() {
    read(extra(1, "probe-1-1"), event(3, 1), event(4, 2));
    assertThat(findings.first()).singleElement().asString().contains("lost");
  }

  @Test
  void end_extraMissing_isNoticed() {
    read(position(1), event(3, 1), event(4, 2));
    assertThat(findings.first()).containsExactly("acknowledged and lost: probe-1-1");
  }

  @Test
  void end_notAcknowledgedAndThere_isRight() {
    read(position(1), extra(2, "probe-1-1"), event(3, 1), event(4, 2), extra(5, "probe-1-2"));
    assertThat(findings.first()).isEmpty();
  }

  @Test
  void end_extraTwice_isNoticed() {
    read(position(1), extra(2, "probe-1-1"), extra(3, "probe-1-1"), event(4, 1), event(5, 2));
    assertThat(findings.first()).containsExactly("stored 2 times: probe-1-1");
  }

  @Test
  void end_positionTwice_isNoticed() {
    read(position(1), position(6), extra(2, "probe-1-1"), event(3, 1), event(4, 2));
    assertThat(findings.first()).anyMatch(what -> what.startsWith("stored 2 times"));
  }

  @Test
  void end_neverSent_isNoticed() {
    read(position(1), extra(2, "probe-1-1"), event(3, 1), event(4, 2), extra(5, "stranger"));
    assertThat(findings.first()).containsExactly("never sent, and in the log: stranger");
  }

  @Test
  void end_eventOfDeliveryMissing_isNoticed() {
    read(position(1), extra(2, "probe-1-1"), event(3, 1));
    assertThat(findings.first()).singleElement().asString().contains("not in the log: event 2");
  }

  @Test
  void poison_isWhatASinkMayRefuse() {
    journal.extras().sent("poison-0");
    String poison = extra(5, "poison-0").replace("}}", ",\"note\":\"" + PoisonLane.MARK + "\"}}");
    read(position(1), extra(2, "probe-1-1"), event(3, 1), event(4, 2), poison);
    assertThat(findings.first()).isEmpty();
    assertThat(lines.poison()).containsExactly("n:5");
  }

  @Test
  void end_eventTwice_isNoticed() {
    read(position(1), extra(2, "probe-1-1"), event(3, 1), event(4, 2), event(5, 2));
    assertThat(findings.first()).containsExactly("stored 2 times: event d1:2");
  }

  @Test
  void line_recordIdTwice_isNoticed() {
    read(position(1), extra(2, "probe-1-1"), extra(2, "probe-1-2"), event(3, 1), event(4, 2));
    assertThat(findings.first()).anyMatch(what -> what.startsWith("a record id comes twice"));
  }

  @Test
  void line_noJson_isNoticed() {
    lines.line("{\"sequence\":");
    assertThat(findings.first()).singleElement().asString().contains("cannot be read");
  }

  @Test
  void end_letGoAndShipped_isRight() {
    lines.letGo(position(1));
    lines.letGo(extra(2, "probe-1-1"));
    lines.letGo(event(3, 1));
    read(event(4, 2));
    assertThat(findings.first()).isEmpty();
    assertThat(lines.size()).isEqualTo(4);
    assertThat(lines.recordIds().get("actions")).contains("n:2");
  }

  @Test
  void end_letGoAndNotShipped_isNoticed() {
    lines.letGo(extra(2, "probe-1-1"));
    read(event(3, 1), event(4, 2));
    assertThat(findings.first())
        .singleElement()
        .asString()
        .startsWith("let go of and not shipped, at 1");
  }

  @Test
  void end_extraAndEventLetGoAndNotShipped_isNoticed() {
    lines.letGo(position(1));
    read(event(4, 2));
    assertThat(findings.first())
        .hasSize(2)
        .allMatch(what -> what.contains("or let go of and not shipped"));
  }

  @Test
  void end_notInTheFilesAndAtFirehose_isRightAndCounts() {
    LogLines lateLines = acknowledgedAlsoAt(AT_FIREHOSE);
    lateLines.letGo(position(1));
    lateLines.letGo(extra(2, "probe-1-1"));
    lateLines.letGo(event(3, 1));
    lateLines.line(event(10, 2));
    lateLines.end();
    assertThat(findings.first()).isEmpty();
    assertThat(lateLines.recordIds().get("traces")).contains("n:" + AT_FIREHOSE);
  }

  @Test
  void end_missingAfterTheFirstOfTheLog_isNoticed() {
    LogLines lateLines = acknowledgedAlsoAt(12);
    lateLines.letGo(position(1));
    lateLines.letGo(extra(2, "probe-1-1"));
    lateLines.line(event(10, 1));
    lateLines.line(event(11, 2));
    lateLines.end();
    assertThat(findings.first())
        .singleElement()
        .asString()
        .startsWith("acknowledged at 12 and lost");
  }

  private LogLines acknowledgedAlsoAt(int sequence) {
    journal
        .book()
        .answered(Letter.of(journal.book().fresh("traces", 1), List.of()), receipt(sequence));
    return new LogLines(journal, one -> one == AT_FIREHOSE);
  }

  private static JsonNode receipt(int sequence) {
    return JsonMapper.shared()
        .readTree(
            """
            {"accepted":1,"duplicates":0,"quarantined":[],\
            "receipt":{"node":"n","first":%d,"last":%d}}\
            """
                .formatted(sequence, sequence));
  }

  private void read(String... all) {
    for (String one : all) {
      lines.line(one);
    }
    lines.end();
  }

  private String position(long sequence) {
    Entry entry =
        journal.book().entries().stream().filter(Entry::acknowledged).findFirst().orElseThrow();
    return """
    {"sequence":%d,"recordId":"n:%d","stream":"%s",\
    "record":{"riderId":"%s","at":"%s","lat":%s,"lon":127.5}}\
    """
        .formatted(
            sequence,
            sequence,
            entry.stream(),
            entry.riderId(),
            Instant.ofEpochMilli(entry.atMillis()),
            JsonMapper.shared()
                .readTree(Letter.of(List.of(entry), List.of()).body())
                .path("lat")
                .asDouble(0));
  }

  private static String extra(long sequence, String id) {
    return """
    {"sequence":%d,"recordId":"n:%d","stream":"actions","record":{"riderId":"p","id":"%s"}}\
    """
        .formatted(sequence, sequence, id);
  }

  private static String event(long sequence, int version) {
    return """
    {"sequence":%d,"recordId":"n:%d","stream":"deliveries","record":{"id":"d1:%d"}}\
    """
        .formatted(sequence, sequence, version);
  }
}
