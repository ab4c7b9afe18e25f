package gilmok.positions.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.redis.FlatReply;
import gilmok.redis.Resp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a reader of the stream has to begin anew. */
@Tag("unit")
final class StreamStateTest {
  @Test
  void reply_isRead_whateverElseItHas() {
    Resp entry = new Resp().array(2).texts("5-0").array(2).texts("last-generated-id", "9-9");
    Resp info = new Resp().array(14).texts("length").number(2).texts("groups").number(0);
    info.texts("first-entry").all(entry).texts("last-generated-id", "7-18446744073709551615");
    info.texts("max-deleted-entry-id", "0-0", "entries-added").number(12);
    info.texts("recorded-first-entry-id", "5-3");
    assertThat(StreamState.of(info.into(new FlatReply(100))))
        .isEqualTo(new StreamState(new EntryId(5, 3), new EntryId(7, -1), 12, 2));
  }

  @Test
  void nothingIsLost_whileTheStreamReachesBack() {
    assertThat(state(5, 9, 20, 5).hasLost(id(9), 20)).as("at the end").isFalse();
    assertThat(state(5, 9, 20, 5).hasLost(id(6), 17)).as("behind").isFalse();
    assertThat(state(5, 9, 20, 5).hasLost(id(4), 15)).as("the one before is gone").isFalse();
    assertThat(state(1, 9, 9, 9).hasLost(EntryId.NONE, 0)).as("a new stream").isFalse();
    assertThat(StreamState.ABSENT.hasLost(EntryId.NONE, 0)).as("no stream").isFalse();
    StreamState emptied = new StreamState(EntryId.NONE, id(9), 20, 0);
    assertThat(emptied.hasLost(id(9), 20)).as("all were read before").isFalse();
  }

  @Test
  void whatWasRemovedUnread_isLost() {
    assertThat(state(5, 9, 20, 5).hasLost(id(3), 14)).as("one is gone").isTrue();
    assertThat(state(5, 9, 20, 5).hasLost(id(9), 19)).as("added and removed at once").isTrue();
    StreamState emptied = new StreamState(EntryId.NONE, id(9), 20, 0);
    assertThat(emptied.hasLost(id(8), 19)).isTrue();
    assertThat(StreamState.ABSENT.hasLost(id(9), 20)).as("deleted").isTrue();
    assertThat(state(5, 8, 19, 5).hasLost(id(9), 20)).as("lost its end").isTrue();
    assertThat(state(20, 21, 2, 2).hasLost(id(9), 20)).as("made anew").isTrue();
  }

  @Test
  void ids_areOrderedByTimeThenSequence() {
    assertThat(new EntryId(2, 0)).isGreaterThan(new EntryId(1, 7));
    assertThat(new EntryId(1, -1)).isGreaterThan(new EntryId(1, 7));
    assertThat(new EntryId(1, -1).bytes()).asString().isEqualTo("1-18446744073709551615");
  }

  private static EntryId id(long millis) {
    return new EntryId(millis, 0);
  }

  private static StreamState state(long first, long last, long added, long length) {
    return new StreamState(id(first), id(last), added, length);
  }
}
