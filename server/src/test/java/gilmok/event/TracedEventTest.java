package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class TracedEventTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String OTHER = TRACE.replace('4', '5');

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"attributes\":{\"a\":1}",
        ",\"attributes\":{\"a\":\"x:\\\"y\\\"\",\"b\":{\"c\":[1,2]}},\"d\":null",
        ",\"id\":\"i\"",
        ",\"provider\":\"gps\",\"battery\":0.5,\"e\":\"ü\""
      })
  void trace_isAddedAndTakenOut_andChangesNoKey(String more) {
    byte[] plain = event(more);
    TracedEvent traced = new TracedEvent();
    assertThat(traced.add(plain, 0, plain.length, bytes(TRACE))).isTrue();
    byte[] with = Arrays.copyOf(traced.bytes(), traced.size());
    assertThat(json(with)).contains("\"traceparent\":\"" + TRACE + "\"}");
    assertThat(json(with).replaceFirst("[,{]\"traceparent\":\"[^\"]*\"", ""))
        .isIn(json(plain), json(plain).replaceFirst("}$", ",\"attributes\":}}"));
    assertThat(TracedEvent.has(with, 0, with.length)).isTrue();
    traced.remove(with, 0, with.length);
    assertThat(Arrays.copyOf(traced.bytes(), traced.size())).isEqualTo(plain);

    assertThat(traced.add(plain, 0, plain.length, bytes(OTHER))).isTrue();
    byte[] again = Arrays.copyOf(traced.bytes(), traced.size());
    assertThat(dedup(with)).isEqualTo(dedup(plain)).isEqualTo(dedup(again));
    assertThat(shipped(with)).isEqualTo(shipped(plain)).isEqualTo(shipped(again));
  }

  @Test
  void itsOwnTrace_isKept() {
    byte[] own = event(",\"attributes\":{\"traceparent\":\"mine\",\"a\":1}");
    assertThat(new TracedEvent().add(own, 0, own.length, bytes(TRACE))).isFalse();
  }

  @Test
  void whatHasNoRoom_isLeftAlone() {
    StringBuilder many = new StringBuilder(",\"attributes\":{\"a0\":0");
    for (int i = 1; i < Attributes.MEMBERS_MAX; i++) {
      many.append(",\"a").append(i).append("\":0");
    }
    byte[] full = event(many.append('}').toString());
    assertThat(new TracedEvent().add(full, 0, full.length, bytes(TRACE))).isFalse();
    byte[] large =
        event(",\"attributes\":{\"a\":\"" + "x".repeat(Attributes.BYTES_MAX - 99) + "\"}");
    assertThat(new TracedEvent().add(large, 0, large.length, bytes(TRACE))).isFalse();
  }

  /** What only looks like a trace is a part of the record, and its keys cover it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"attributes\":{\"traceparent\":\"00-4bf92f3577b34da6a3ce929d\",\"b\":\"@\",\"c\":\"eeeeee\"}",
        ",\"attributes\":{\"a\":{\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-@\"}}",
        ",\"attributes\":{\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-@0f067aa0ba902b7-01\"}"
      })
  void looksLikeOne_isPartOfTheRecord(String more) {
    byte[] one = event(more.replace('@', 'X'));
    byte[] two = event(more.replace('@', 'Y'));
    assertThat(TracedEvent.has(one, 0, one.length)).isFalse();
    assertThat(dedup(one)).isNotEqualTo(dedup(two));
    assertThat(shipped(one)).isNotEqualTo(shipped(two));
  }

  private static byte[] event(String more) {
    byte[] json = bytes("{\"riderId\":\"r\",\"at\":1000,\"lat\":1.5,\"lon\":2" + more + "}");
    Events events = new Events();
    var _ = new JsonDecoder().decode(EventKind.POSITION, json, 0, json.length, events);
    assertThat(events.count()).as(more).isEqualTo(1);
    return Arrays.copyOfRange(
        events.bytes(), events.offset(0), events.offset(0) + events.length(0));
  }

  private static String json(byte[] event) {
    JsonBuffer out = new JsonBuffer();
    new EventView().wrap(event, 0, event.length).writeJson(out);
    return Objects.requireNonNull(out.toString());
  }

  private static String dedup(byte[] event) {
    DedupKey key = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
    key.hash(1, event, 0, event.length);
    return key.high() + "/" + key.low();
  }

  private static String shipped(byte[] event) {
    EventView view = new EventView().wrap(event, 0, event.length);
    return new ShippedRecordKey().text(1, view, 0, event.length);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
