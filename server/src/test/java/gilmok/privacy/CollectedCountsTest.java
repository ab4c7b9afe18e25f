package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.privacy.RegisterRow.Span;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table counts as a map of objects does. */
@Tag("unit")
final class CollectedCountsTest {
  private static final long NOON = 1_772_366_400_000L;

  private record Name(String rider, int key) {}

  @Test
  void counts_likeAMap() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<Name, Span> model = new HashMap<>();
    CollectedCounts counts = new CollectedCounts();
    for (int i = 0; i < 20_000; i++) {
      Name name =
          new Name(
              "라이더-" + "x".repeat(random.nextInt(100)) + random.nextInt(30), random.nextInt(3) - 1);
      byte[] id = name.rider.getBytes(StandardCharsets.UTF_8);
      byte[] room = Arrays.copyOf(id, 200); // what is behind the id does not count
      room[id.length] = (byte) random.nextInt();
      long at = NOON + random.nextInt(86_400_000) - 43_200_000;
      int many = 1 + random.nextInt(1_000);
      boolean isFirst = counts.add(name.key, room, id.length, at, many);
      assertThat(isFirst).as("seed %d", seed).isEqualTo(!model.containsKey(name));
      model.merge(name, new Span(at, at, many), Span::and);
    }
    Map<Name, Span> found = new HashMap<>();
    for (int i = 0; i < counts.size(); i++) {
      found.put(new Name(counts.rider(i), counts.key(i)), counts.span(i));
    }
    assertThat(found).as("seed %d", seed).isEqualTo(model);
  }
}
