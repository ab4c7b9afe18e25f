package gilmok.collect.json;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class JsonDocumentTest {
  private final JsonDocument document = new JsonDocument();

  @Test
  void read_bodies_sameAsJackson() {
    Bodies bodies = new Bodies(7);
    DocumentComparison comparison = new DocumentComparison();
    int read = 0;
    for (int i = 0; i < 5_000; i++) {
      read += comparison.check(bodies.next(bodies.kind())) ? 1 : 0;
    }
    assertThat(read).isBetween(1_000, 4_500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \r\n\t",
        "\ufeff",
        "\ufeff {\"a\":1}",
        "null",
        "true",
        "tru",
        "falsey",
        "nul",
        "\"\"",
        "\"\\",
        "\"\\u12",
        "\"\\ud83d\\ude00\\ud83d\"",
        "\"\u0000\"",
        "0",
        "-0",
        "-",
        "01",
        "1.",
        "1e",
        "1e400",
        "1 2",
        "1,2",
        "12x",
        "{}",
        "{} {}",
        "{}}",
        "[]",
        "[[]]",
        "[[],[]]",
        "[[],{},[{}],1]",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":{\"b\":{}},\"c\":[{\"d\":[]},2]}",
        "{\"a\":1,\"a\":2,\"\\u0061\":3}",
        "{\"\":{\"\":\"\"}}",
        "{\"a\\\"b\":1,\"\\ud800\":2,\"\uae38\":3}",
        "[\"a\" , 1 , null , true , false , -1.5e3 ]",
        "/**/1",
        "'a'",
        "NaN"
      })
  void read_text_sameAsJackson(String text) {
    new DocumentComparison().check(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void read_everyCutAndEveryByte_sameAsJackson() {
    DocumentComparison comparison = new DocumentComparison();
    byte[] whole =
        "{\"a\\n\":[1.5e3,\"\\u00e9\uae38\",{\"b\":null}],\"c\":false,\"d\":-0}"
            .getBytes(StandardCharsets.UTF_8);
    for (int cut = 0; cut < whole.length; cut++) {
      assertThat(comparison.check(Arrays.copyOf(whole, cut))).as("cut at " + cut).isFalse();
      for (int b = 0; b < 256; b++) {
        byte[] changed = whole.clone();
        changed[cut] = (byte) b;
        comparison.check(changed);
      }
    }
  }

  @Test
  void read_nesting_32AndNoMore() {
    assertThat(read("[".repeat(32) + "]".repeat(32))).isZero();
    assertThat(read("{\"a\":".repeat(32) + "1" + "}".repeat(32))).isZero();
    assertThat(read("[".repeat(33) + "]".repeat(33))).isEqualTo(JsonDocument.NONE);
    assertThat(document.errorReason()).isEqualTo(Reason.NESTED_TOO_DEEP);
  }

  @Test
  void read_moreValuesThanAllowed_isRefused_andTheNextTextIsRead() {
    int max = JsonDocument.VALUES_MAX;
    assertThat(read("[" + "1,".repeat(max - 2) + "1]")).isZero();
    assertThat(read("[" + "1,".repeat(max - 1) + "1]")).isEqualTo(JsonDocument.NONE);
    assertThat(document.errorReason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(document.number(document.first(read("[5]")))).isEqualTo(5);
  }

  @Test
  void read_largeThenSmall_answersAreOfTheSmall() {
    read("[\"" + "x".repeat(1 << 19) + "\"]");
    int root = read(" [\"y\"]");
    assertThat(document.text(document.first(root))).isEqualTo("y");
    assertThat(document.start(root)).isEqualTo(1);
    assertThat(document.next(document.first(root))).isEqualTo(JsonDocument.NONE);
  }

  @Test
  void read_emptyText_isEmpty() {
    read(" ");
    assertThat(document.errorReason()).isEqualTo(Reason.EMPTY);
  }

  @Test
  void none_everyQuestion_hasAnAnswer() {
    int root = read("{\"a\":[1]}");
    int none = document.member(root, "b");
    assertThat(none).isEqualTo(JsonDocument.NONE);
    assertThat(document.member(none, "a")).isEqualTo(JsonDocument.NONE);
    assertThat(document.first(none)).isEqualTo(JsonDocument.NONE);
    assertThat(document.next(none)).isEqualTo(JsonDocument.NONE);
    assertThat(document.isNull(none)).isTrue();
    assertThat(document.isObject(none) || document.isArray(none)).isFalse();
    assertThat(document.isText(none) || document.isNumber(none)).isFalse();
    assertThat(document.isBoolean(none) || document.isTrue(none)).isFalse();
    assertThat(document.text(none)).isNull();
    assertThat(document.number(none)).isNaN();
    assertThat(document.fault(none)).isNull();
    assertThat(document.name(none)).isEmpty();
    assertThat(document.isNamed(none, "a")).isFalse();
    assertThat(document.start(none)).isEqualTo(document.end(none)).isZero();
    JsonBuffer copy = new JsonBuffer();
    document.copy(none, copy);
    assertThat(copy).hasToString("null");
  }

  @Test
  void name_ofNoMember_isEmpty() {
    int root = read("[1,\"a\"]");
    int second = document.next(document.first(root));
    assertThat(document.name(root)).isEmpty();
    assertThat(document.name(second)).isEmpty();
    assertThat(document.isNamed(second, "a")).isFalse();
  }

  @Test
  void member_firstOfThatName_howeverSpelled() {
    int root = read("{\"lats\":1,\"la\":2,\"l\\u0061t\":3,\"lat\":4}");
    assertThat(document.number(document.member(root, "lat"))).isEqualTo(3);
    assertThat(document.member(document.first(root), "lat")).isEqualTo(JsonDocument.NONE);
  }

  @Test
  void fault_invalidText_isNamed() {
    assertThat(document.fault(read("[{\"a\":\"\\ud800\"}]"))).isEqualTo(Reason.LONE_SURROGATE);
    byte[] bytes = {'"', (byte) 0xff, '"'};
    assertThat(document.fault(document.read(bytes, 0, 3))).isEqualTo(Reason.INVALID_UTF8);
    assertThat(document.fault(read("\"a\""))).isNull();
  }

  private int read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return document.read(bytes, 0, bytes.length);
  }
}
