package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class JsonTextsTest {
  @Test
  void values_areGivenWithTheirMembers_andAllElseStaysAsItIs() {
    String json = "{ \"a\" : \"x\\\"y\", \"b\":[\"\\u0078\",{\"c\":\"\\\\\"}],\"e\":-1.5e3 }";
    List<String> seen = new ArrayList<>();
    String then =
        JsonTexts.changed(
            json,
            (member, text) -> {
              seen.add(member + "=" + text);
              return text.equals("x") ? "z\n" : text;
            });
    assertThat(seen).containsExactly("a=x\"y", "b=x", "c=\\");
    assertThat(then).isEqualTo(json.replace("\\u0078", "z\\n"));
    assertThat(JsonTexts.changed(json, (_, text) -> text)).isSameAs(json);
  }

  @Test
  void names_canBeChanged_too() {
    JsonTexts.Change change =
        new JsonTexts.Change() {
          @Override
          public String value(String member, String text) {
            return member + text;
          }

          @Override
          public String name(String name) {
            return name.toUpperCase(java.util.Locale.ROOT);
          }
        };
    assertThat(JsonTexts.changed("{\"a\":\"1\",\"b\" :2}", change))
        .isEqualTo("{\"A\":\"a1\",\"B\" :2}");
  }

  @Test
  void jsonThatIsCut_orNone_doesNotFail() {
    for (String json : new String[] {"\"abc", "\"a\\", "{\"\\u00", "\"", "\"\\uzzzz\"", ""}) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      assertThat(JsonTexts.anyValue(bytes, 0, bytes.length, (_, text) -> text.equals("no")))
          .isFalse();
    }
    byte[] cut = "\"abc".getBytes(StandardCharsets.UTF_8);
    assertThat(JsonTexts.anyValue(cut, 0, cut.length, (_, text) -> text.equals("abc"))).isTrue();
  }
}
