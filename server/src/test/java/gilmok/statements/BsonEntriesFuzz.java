package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Any bytes must be either summed or refused: decoding ends, throws no other exception and reads
 * nothing beyond the bytes' end (an array would throw). {@link Seeds} says how many cases there
 * are.
 */
@Tag("unit")
@Tag("soak")
class BsonEntriesFuzz {
  private static final int ROUNDS = Seeds.share(200_000);

  private final Random random = new Random(Seeds.first());
  private int taken;
  private int refused;

  @Test
  void cutAnywhere_isRefused() {
    byte[] reply = Bsons.bytes(Bsons.reply(odd(6)));
    for (int length = 0; length < reply.length; length++) {
      ask(Arrays.copyOf(reply, length));
    }
    assertThat(refused).isEqualTo(reply.length);
    ask(reply);
    assertThat(taken).isEqualTo(1);
  }

  @Test
  void cutAnywhereWithItsSizePutRight_isRefusedOrSummed() {
    byte[] reply = Bsons.bytes(Bsons.reply(odd(6)));
    for (int length = 5; length < reply.length; length++) {
      byte[] cut = Arrays.copyOf(reply, length);
      cut[0] = (byte) length;
      cut[1] = (byte) (length >> 8);
      cut[length - 1] = 0;
      ask(cut);
    }
    assertThat(refused).isPositive();
  }

  @Test
  void someBytesChanged_isRefusedOrSummed() {
    byte[] reply = new byte[0];
    for (int round = 0; round < ROUNDS; round++) {
      if (round % 100 == 0) {
        reply = Bsons.bytes(Bsons.reply(odd(1 + random.nextInt(3))));
      }
      byte[] changed = reply.clone();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(random.nextInt(256) + 1);
      }
      ask(changed);
    }
    assertThat(taken).isPositive();
    assertThat(refused).isPositive();
  }

  @Test
  void anyBytes_areRefused() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 4) {
        bytes[0] = (byte) bytes.length;
        Arrays.fill(bytes, 1, 4, (byte) 0);
        bytes[bytes.length - 1] = 0;
      }
      ask(bytes);
    }
    assertThat(refused).isEqualTo(ROUNDS);
  }

  private void ask(byte[] bytes) {
    BsonEntries entries = new BsonEntries(Bsons.DAYS, "KRW", new DaySums(Bsons.DAYS.count()));
    try {
      assertThat(entries.addReply(bytes)).isNotNegative();
      BsonEntries.lastIfFull(bytes, 1);
      taken++;
    } catch (DamagedBson expected) {
      refused++;
    }
    try {
      entries.addDocuments(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
    } catch (DamagedBson expected) {
      assertThat(expected.getMessage()).contains("at byte");
    }
  }

  private List<BsonDocument> odd(int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> random.nextBoolean() ? Bsons.odd(random) : Bsons.plain(random))
        .toList();
  }
}
