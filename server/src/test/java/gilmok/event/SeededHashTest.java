package gilmok.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Texts that share one {@link String#hashCode} have different seeded hashes. */
@Tag("unit")
final class SeededHashTest {
  private static final int BITS = 12;

  /** "Aa" and "BB" have the same hash in Java, and so have all texts made of twelve such pairs. */
  @Test
  void textsOfOneJavaHash_areSpread() {
    Set<Integer> javas = new HashSet<>();
    Set<Integer> ours = new HashSet<>();
    for (int number = 0; number < 1 << BITS; number++) {
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < BITS; bit++) {
        text.append((number >>> bit & 1) == 0 ? "Aa" : "BB");
      }
      byte[] bytes = ("x" + text).getBytes(UTF_8);
      javas.add(text.toString().hashCode());
      ours.add(SeededHash.of(bytes, 1, bytes.length - 1));
    }
    assertThat(javas).hasSize(1);
    assertThat(ours).as("two of 4,096 may meet").hasSizeGreaterThan((1 << BITS) - 3);
  }

  @Test
  void sameBytes_haveTheSame_whereverTheyStand_othersNot() {
    Set<Integer> all = new HashSet<>();
    for (int length = 0; length < 40; length++) {
      byte[] bytes = "r".repeat(length).getBytes(UTF_8);
      byte[] within = ("ab" + "r".repeat(length) + "c").getBytes(UTF_8);
      int hash = SeededHash.of(bytes, 0, length);
      assertThat(SeededHash.of(within, 2, length)).isEqualTo(hash);
      all.add(hash);
    }
    assertThat(all).hasSize(40);
  }
}
