package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class FirstInOrderTest {
  @Test
  void whatIsOffered_isKeptAsASortedSetWouldKeepIt() throws Exception {
    Seeds.each(
        200,
        seed -> {
          Random random = new Random(seed);
          int max = 1 + random.nextInt(20);
          int offered = random.nextInt(200);
          FirstInOrder<Integer> first =
              new FirstInOrder<>(Comparator.naturalOrder(), max, Long.MAX_VALUE / 4, _ -> 1);
          TreeSet<Integer> all = new TreeSet<>();
          for (int i = 0; i < offered; i++) {
            int one = random.nextInt(100);
            first.add(one);
            all.add(one);
          }
          List<Integer> kept = List.copyOf(first.all());
          assertThat(kept).isEqualTo(all.stream().limit(max).toList());
          assertThat(first.bound()).isEqualTo(all.size() > max ? kept.getLast() : null);
        });
  }

  @Test
  void bytes_boundWhatIsKept_butOneIsAlwaysKept() {
    FirstInOrder<String> first =
        new FirstInOrder<>(Comparator.naturalOrder(), 100, 10, String::length);
    List<String> texts = new ArrayList<>(List.of("aaaa", "bbbb", "cccc", "dddd"));
    texts.reversed().forEach(first::add);
    assertThat(first.all()).containsExactly("aaaa", "bbbb");
    assertThat(first.bound()).isEqualTo("bbbb");
    first.clear();
    first.add("a much longer text");
    assertThat(first.all()).containsExactly("a much longer text");
    assertThat(first.bound()).isNull();
  }
}
