package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.event.DayRange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.http.TestExchange;
import gilmok.observe.Meters;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Statements with their entries; both the store and the reader of the answer can fail. */
@Tag("unit")
final class EntryStreamsTest {
  private static final long MARCH = 1_772_323_200_000L;
  private static final Principal READER = new Principal("k", "app", Set.of(Scope.READ), null);

  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final StatementMeters shown = new StatementMeters(meters);
  private final Offload pages = offloads.of(new Offload.Part("pages", "no", 4, shown.failures));
  private final Offload writers = offloads.of(new Offload.Part("writers", "no", 4, shown.failures));
  private final MemoryEntries store = new MemoryEntries();
  private final Taken taken = new Taken();
  private boolean canStream = true;

  /** A stream that is writable until a set number of pieces is written. */
  private static final class Taken implements ReplyStream {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int largest;
    int piecesMax = Integer.MAX_VALUE;
    boolean isEnded;
    boolean isWhole;
    boolean isGone;

    @Override
    public boolean isWritable() {
      return !isEnded() && piecesMax > 0;
    }

    @Override
    public void write(byte[] piece) {
      piecesMax--;
      largest = Math.max(largest, piece.length);
      bytes.writeBytes(piece);
    }

    @Override
    public void end() {
      isEnded = true;
      isWhole = true;
    }

    @Override
    public void breakOff() {
      isEnded = true;
    }

    @Override
    public boolean isEnded() {
      return isEnded || isGone;
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  @AfterEach
  void close() {
    offloads.close();
    meters.close();
  }

  @Test
  void manyPages_areWrittenInPieces_andSummed() throws Exception {
    fill(5000);
    stream(streams(Duration.ofSeconds(30)));
    assertThat(taken.isWhole).isTrue();
    assertThat(taken.largest).isLessThan(20_000);
    JsonNode statement = JsonMapper.shared().readTree(taken.text());
    assertThat(statement.path("entries")).hasSize(5000);
    assertThat(statement.at("/total/count").asInt()).isEqualTo(5000);
    assertThat(statement.at("/total/fee").asLong()).isEqualTo(4999L * 5000 / 2);
    assertThat(statement.path("days")).hasSize(2);
    assertThat(statement.at("/days/1/date").asString()).isEqualTo("2026-03-02");
  }

  @Test
  void otherCurrencies_areListed_andNotSummed() throws Exception {
    fill(2);
    store.add(List.of(new StatementEntry("x", "r", MARCH, EntryKind.FEE, 9, "USD", null, 0)));
    stream(streams(Duration.ofSeconds(30)));
    JsonNode statement = JsonMapper.shared().readTree(taken.text());
    assertThat(statement.path("entries")).hasSize(3);
    assertThat(statement.at("/total/count").asInt()).isEqualTo(2);
    assertThat(statement.at("/otherCurrencies/0").asString()).isEqualTo("USD");
  }

  @Test
  void storeThatFailsInTheMiddle_breaksOff() throws Exception {
    fill(3000);
    store.failAfterPages(2);
    stream(streams(Duration.ofSeconds(30)));
    assertThat(taken.isEnded).isTrue();
    assertThat(taken.isWhole).isFalse();
    assertThat(taken.text()).doesNotContain("total");
  }

  @Test
  void readerThatTakesNothing_isBrokenOff() throws Exception {
    fill(3000);
    taken.piecesMax = 3;
    stream(streams(Duration.ofMillis(1)));
    assertThat(taken.isEnded).isTrue();
    assertThat(taken.isWhole).isFalse();
  }

  @Test
  void readerThatIsGone_endsIt_andNoPageIsReadAnyMore() throws Exception {
    fill(3000);
    taken.isGone = true;
    store.failAfterPages(1);
    stream(streams(Duration.ofSeconds(30)));
    assertThat(taken.isEnded).isFalse();
    assertThat(taken.bytes.size()).isZero();
  }

  @Test
  void storeThatThrowsAnErrorInTheMiddle_breaksOff_andItsPlaceIsFree() throws Exception {
    fill(3000);
    store.failAfterPages(2);
    store.fault = new StackOverflowError("told to fail");
    stream(streams(Duration.ofSeconds(30)));
    assertThat(taken.isEnded).isTrue();
    assertThat(taken.isWhole).isFalse();
    assertThat(metric("gilmok_writers_in_flight")).isZero();
    assertThat(metric("gilmok_offload_failures_total{cause=\"bug\",part=\"writers\"}")).isOne();
  }

  @Test
  void replyThatCannotBegin_isBroken_andItsPlaceIsFree() throws Exception {
    fill(3);
    canStream = false;
    TestExchange exchange = stream(streams(Duration.ofSeconds(30)));
    assertThat(exchange.await().refusal()).isEqualTo(Refusal.BROKEN);
    assertThat(metric("gilmok_writers_in_flight")).isZero();
    assertThat(metric("gilmok_offload_failures_total{cause=\"bug\",part=\"writers\"}")).isOne();
  }

  private double metric(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  private EntryStreams streams(Duration patience) {
    return new EntryStreams(store, pages, writers, shown, patience.toNanos());
  }

  private TestExchange stream(EntryStreams streams) throws Exception {
    DayRange days =
        DayRange.of(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 31), ZoneOffset.UTC);
    StatementQuestion asked = new StatementQuestion("r", days, "KRW", true);
    TestExchange exchange = new TestExchange(READER, Map.of(), Map.of(), "");
    streams.stream(canStream ? exchange.streamingTo(taken) : exchange, asked);
    pages.drain(Duration.ofSeconds(30));
    writers.drain(Duration.ofSeconds(30));
    return exchange;
  }

  private void fill(int count) {
    List<StatementEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(
          new StatementEntry(
              "e-" + i, "r", MARCH + i * 20_000L, EntryKind.FEE, i, "KRW", "d-" + i, i));
    }
    store.add(entries);
  }
}
