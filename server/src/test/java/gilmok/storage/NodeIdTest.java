package gilmok.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node's id is written and read as twelve characters. */
@Tag("unit")
final class NodeIdTest {
  @Test
  void parse_written_isTheSame() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      NodeId node = NodeId.random(random);
      assertThat(node.toString()).matches("[a-z2-7]{12}");
      assertThat(NodeId.parse(node.toString())).isEqualTo(node);
      assertThat(node.bits()).isBetween(0L, (1L << 60) - 1);
    }
  }

  @Test
  void toString_isTheSameForever() {
    assertThat(new NodeId(0)).hasToString("aaaaaaaaaaaa");
    assertThat(new NodeId((1L << 60) - 1)).hasToString("777777777777");
    assertThat(new NodeId(0x123456789ABCDEFL)).hasToString("ci2fm6e2xtpp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "aaaaaaaaaaa", "aaaaaaaaaaaaa", "aaaaaaaaaaa1", "AAAAAAAAAAAA"})
  void parse_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> NodeId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
