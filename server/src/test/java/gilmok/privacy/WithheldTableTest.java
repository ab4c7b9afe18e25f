package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class WithheldTableTest {
  private static WithheldTable put(WithheldTable table, RiderDigest who, int code) {
    WithheldTable now = table.hasRoom() ? table : table.grown();
    now.put(who.high(), who.low(), code);
    return now;
  }

  @Test
  void table_isAMap_alsoAfterItHasGrownAndShrunk() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    List<RiderDigest> riders = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      // Some share their upper bits, and some have none of them.
      riders.add(new RiderDigest(i % 3 == 0 ? i % 7 : random.nextLong(), random.nextLong() & ~15));
    }
    Map<RiderDigest, Integer> model = new HashMap<>();
    WithheldTable table = WithheldTable.NONE;
    for (int i = 0; i < 40_000; i++) {
      RiderDigest who = riders.get(random.nextInt(riders.size()));
      int code = random.nextBoolean() ? 0 : 1 + random.nextInt(15);
      table = put(table, who, code);
      if (code == 0) {
        model.remove(who);
      } else {
        model.put(who, code);
      }
    }
    assertSame(table, model, riders);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    table.write(new DataOutputStream(bytes));
    assertSame(
        WithheldTable.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))),
        model,
        riders);
  }

  private static void assertSame(
      WithheldTable table, Map<RiderDigest, Integer> model, List<RiderDigest> riders) {
    assertThat(table.size()).isEqualTo(model.size());
    for (RiderDigest who : riders) {
      assertThat(table.find(who.high(), who.low())).isEqualTo(model.getOrDefault(who, 0));
    }
  }

  @Test
  void millionRiders_takeLessThan43Bytes_each() {
    SplittableRandom random = new SplittableRandom(4);
    WithheldTable table = WithheldTable.NONE;
    for (int i = 0; i < 1_000_000; i++) {
      table = put(table, new RiderDigest(random.nextLong(), random.nextLong()), 7);
    }
    assertThat(table.size()).isEqualTo(1_000_000);
    assertThat(table.bytes()).isLessThan(43_000_000);
  }
}
