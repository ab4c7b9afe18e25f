package gilmok.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The values of a reply, read from the bytes that Redis sends. */
@Tag("unit")
final class FlatReplyTest {
  private final FlatReply reply = new FlatReply(8);

  @Test
  void values_ofNestedArrays_followEachOther() {
    new Resp()
        .array(4)
        .texts("a")
        .array(3)
        .texts("가", "")
        .array(0)
        .number(-7)
        .nothing()
        .into(reply);
    assertThat(reply.count()).isEqualTo(8);
    assertThat(reply.elements(0)).isEqualTo(4);
    assertThat(text(1)).isEqualTo("a");
    assertThat(reply.elements(2)).isEqualTo(3);
    assertThat(text(3)).isEqualTo("가");
    assertThat(text(4)).isEmpty();
    assertThat(reply.elements(5)).isZero();
    assertThat(text(6)).isEqualTo("-7");
    assertThat(reply.isBytes(7)).isFalse();
    assertThat(reply.elements(7)).isEqualTo(-1);
    assertThat(reply.after(0)).isEqualTo(8);
    assertThat(reply.after(1)).isEqualTo(2);
    assertThat(reply.after(2)).isEqualTo(6);
    assertThat(reply.after(5)).isEqualTo(6);
  }

  @Test
  void aValueThatIsTooLong_isNotKept_andTheOthersAre() {
    new Resp().array(3).texts("12345678", "123456789", "after").into(reply);
    assertThat(text(1)).isEqualTo("12345678");
    assertThat(reply.isTooLong(2)).isTrue();
    assertThat(reply.isBytes(2)).isFalse();
    assertThat(text(3)).isEqualTo("after");
  }

  @Test
  void theNextReply_replacesTheLast_alsoALargeOne() {
    FlatReply large = new FlatReply(1 << 20);
    Resp resp = new Resp().array(5000);
    for (int i = 0; i < 5000; i++) {
      resp.texts("value-" + i);
    }
    resp.into(large);
    assertThat(large.is(5000, "value-4999".getBytes(StandardCharsets.US_ASCII))).isTrue();
    new Resp().nothing().into(large);
    assertThat(large.count()).isEqualTo(1);
    assertThat(large.is(5000, new byte[0])).isFalse();
  }

  private String text(int i) {
    assertThat(reply.isBytes(i)).isTrue();
    return new String(reply.bytes(), reply.offset(i), reply.length(i), StandardCharsets.UTF_8);
  }
}
