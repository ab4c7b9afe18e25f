package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.event.LittleEndian;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sums decoded straight from bytes equal those of the driver's own documents. */
@Tag("unit")
class BsonEntriesTest {
  private static final int ROUNDS = 400;

  private final Random random = new Random(11);
  private final DaySums sums = new DaySums(Bsons.DAYS.count());
  private final BsonEntries entries = new BsonEntries(Bsons.DAYS, "KRW", sums);

  @Test
  void reply_sumsWhatTheDriverReads() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<BsonDocument> some = some(random.nextInt(60), round % 2 == 0);
      byte[] reply = Bsons.bytes(Bsons.reply(some));
      DaySums mine = new DaySums(Bsons.DAYS.count());
      assertThat(new BsonEntries(Bsons.DAYS, "KRW", mine).addReply(reply)).isEqualTo(some.size());
      assertThat(Bsons.text(mine)).isEqualTo(Bsons.text(Bsons.oracle(reply, "KRW")));
    }
  }

  @Test
  void documents_inAnArray_sumTheSame() throws Exception {
    List<BsonDocument> some = some(50, true);
    byte[] run = Bsons.run(some);
    byte[] between = new byte[run.length + 20];
    System.arraycopy(run, 0, between, 7, run.length);
    assertThat(entries.addDocuments(between, 7, run.length)).isEqualTo(50);
    DaySums oracle = Bsons.oracle(Bsons.bytes(Bsons.reply(some)), "KRW");
    assertThat(Bsons.text(sums)).isEqualTo(Bsons.text(oracle));
    assertThatThrownBy(() -> entries.addDocuments(run, 0, run.length - 1))
        .isInstanceOf(DamagedBson.class);
    assertThatThrownBy(() -> entries.addDocuments(run, 1, run.length))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void plainEntryWithAByteChanged_isRefusedOrSummedAsTheDriverReadsIt() {
    int same = 0;
    for (int round = 0; round < 12; round++) {
      BsonDocument entry = Bsons.plain(random);
      byte[] plain = Bsons.bytes(Bsons.reply(List.of(entry)));
      int begin = Collections.indexOfSubList(list(plain), list(Bsons.bytes(entry)));
      for (int i = begin; i < begin + Bsons.bytes(entry).length; i++) {
        byte[] changed = plain.clone();
        changed[i] = (byte) (round < 8 ? changed[i] ^ (1 << round) : random.nextInt());
        DaySums mine = new DaySums(Bsons.DAYS.count());
        try {
          new BsonEntries(Bsons.DAYS, "KRW", mine).addReply(changed);
        } catch (DamagedBson refused) {
          continue;
        }
        same++;
        assertThat(Bsons.text(mine)).isEqualTo(Bsons.text(Bsons.oracle(changed, "KRW")));
      }
    }
    assertThat(same).isPositive();
  }

  @Test
  void ourOwnAnswers_arePlain_andNoOthers() {
    int letters = LittleEndian.getInt(BsonBytes.text("KRW"), 0);
    for (int round = 0; round < 50; round++) {
      BsonDocument entry = Bsons.plain(random);
      byte[] bytes = Bsons.bytes(entry);
      EntryKind kind = EntryKind.ofLabel(entry.getString("kind").getValue());
      assertThat(PlainEntry.kind(bytes, 0, bytes.length, letters)).isEqualTo(kind);
      assertThat(PlainEntry.kind(bytes, 0, bytes.length, letters + 1)).isNull();
      entry.put("amount", new BsonDouble(entry.getInt64("amount").getValue()));
      byte[] other = Bsons.bytes(entry);
      assertThat(PlainEntry.kind(other, 0, other.length, letters)).isNull();
    }
  }

  @Test
  void cursorAfterOtherFields_isFound() throws Exception {
    BsonDocument reply = new BsonDocument("$clusterTime", new BsonDocument("cursor", text("x")));
    reply.put("ok", new BsonDouble(1));
    reply.putAll(Bsons.reply(some(3, false)));
    assertThat(entries.addReply(Bsons.bytes(reply))).isEqualTo(3);
  }

  @Test
  void fullReply_endsBeforeItsLastMillisecond() throws Exception {
    long at = Bsons.DAYS.begin(3);
    List<BsonDocument> some = new ArrayList<>();
    for (long millis : new long[] {at, at + 1, at + 2, at + 2}) {
      BsonDocument entry = Bsons.plain(random);
      entry.put("at", new BsonInt64(millis));
      some.add(entry);
    }
    byte[] reply = Bsons.bytes(Bsons.reply(some));
    assertThat(BsonEntries.lastIfFull(reply, 5)).isEqualTo(Long.MAX_VALUE);
    assertThat(BsonEntries.lastIfFull(reply, 4)).isEqualTo(at + 2);
    assertThat(entries.addReply(reply, at + 2)).isEqualTo(4);
    assertThat(sums.count(3)).isEqualTo(2);
  }

  @Test
  void whatIsNoEntry_isRefusedWithItsPlace() {
    refused("a kind that is not known", "kind", text("bonus"));
    refused("a kind that is not known", "kind", text("feee"));
    refused("not a text but of type 16", "kind", new BsonInt32(1));
    refused("not a number but of type 2", "amount", text("100"));
    refused("not a whole number", "amount", new BsonDouble(0.5));
    refused("not a whole number", "amount", new BsonDouble(Double.NaN));
    refused("an amount that none has", "amount", new BsonInt64(-1));
    refused("an amount that none has", "amount", new BsonInt64(StatementEntry.AMOUNT_MAX + 1));
    refused("a distance that none has", "distance", new BsonDouble(1e18));
    refused("an entry of none of the days", "at", new BsonInt64(Bsons.DAYS.untilMillis()));
    refused("an entry of none of the days", "at", new BsonInt64(Bsons.DAYS.fromMillis() - 1));
    for (String field : List.of("at", "kind", "amount", "currency")) {
      BsonDocument entry = Bsons.plain(random);
      entry.remove(field);
      refused("an ", Bsons.reply(List.of(entry)));
    }
  }

  @Test
  void whatIsNoWholeAnswer_isRefused() {
    refused("no field cursor", new BsonDocument("ok", new BsonDouble(1)));
    refused("of type 2, not 3", new BsonDocument("cursor", text("x")));
    BsonDocument more = Bsons.reply(some(1, false));
    more.getDocument("cursor").put("id", new BsonInt64(77));
    refused("not the whole answer", more);
    BsonDocument numbers = Bsons.reply(List.of());
    numbers.getDocument("cursor").put("firstBatch", new BsonArray(List.of(new BsonInt32(1))));
    refused("not a document but of type 16", numbers);
    assertThatThrownBy(() -> entries.addReply(new byte[0]))
        .isInstanceOf(DamagedBson.class)
        .hasMessage("a value that is cut, at byte 0");
  }

  private void refused(String why, String field, BsonValue value) {
    BsonDocument entry = Bsons.plain(random);
    entry.put(field, value);
    refused(why, Bsons.reply(List.of(entry)));
  }

  private void refused(String why, BsonDocument reply) {
    byte[] bytes = Bsons.bytes(reply);
    assertThatThrownBy(() -> entries.addReply(bytes))
        .isInstanceOf(DamagedBson.class)
        .hasMessageContaining(why)
        .hasMessageMatching(".*, at byte \\d+");
  }

  private static List<Byte> list(byte[] bytes) {
    List<Byte> list = new ArrayList<>();
    for (byte one : bytes) {
      list.add(one);
    }
    return list;
  }

  private static BsonString text(String text) {
    return new BsonString(text);
  }

  private List<BsonDocument> some(int count, boolean odd) {
    List<BsonDocument> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(odd ? Bsons.odd(random) : Bsons.plain(random));
    }
    return some;
  }
}
