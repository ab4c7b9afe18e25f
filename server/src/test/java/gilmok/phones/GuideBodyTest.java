package gilmok.phones;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Tag("unit")
class GuideBodyTest {
  private static final String GOOD =
      "\"url\":\"https://fleet.example.com\",\"riderId\":\"r-7\",\"key\":\"gk_abcd_0123456789\"";

  @Test
  void read_withoutApp_isForAllOfThem() {
    GuideBody.Wish wish =
        new GuideBody.Wish(
            new PhoneSetup("https://fleet.example.com", "r-7", "gk_abcd_0123456789"),
            List.of(PhoneApp.values()));
    assertThat(read("{" + GOOD + "}")).isEqualTo(wish);
    assertThat(read("{" + GOOD + ",\"app\":null}")).isEqualTo(wish);
  }

  @Test
  void read_withApp_isForThatOne() {
    assertThat(((GuideBody.Wish) read("{" + GOOD + ",\"app\":\"overland\"}")).apps())
        .containsExactly(PhoneApp.OVERLAND);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"app\":\"fax\"|app|must be one of owntracks, traccar,",
        "\"app\":7|app|must be one of",
        "\"rider\":\"r-7\"|rider|is not a field of a phone's setup"
      })
  void read_wrongField_isNamed(String more, String field, String reason) {
    GuideBody.Wrong wrong = (GuideBody.Wrong) read("{" + GOOD + "," + more + "}");
    assertThat(wrong.field()).isEqualTo(field);
    assertThat(wrong.reason()).startsWith(reason);
  }

  @ParameterizedTest
  @CsvSource({"url", "riderId", "key"})
  void read_missingOrNoText_isNamed(String field) {
    GuideBody wrong = new GuideBody.Wrong(field, "needs a text");
    ObjectNode body = (ObjectNode) JsonMapper.shared().readTree("{" + GOOD + "}");
    assertThat(read(body.put(field, 7).toString())).isEqualTo(wrong);
    assertThat(read(body.without(field).toString())).isEqualTo(wrong);
  }

  @Test
  void read_badUrl_isNamedWithItsReason() {
    GuideBody.Wrong wrong = (GuideBody.Wrong) read("{" + GOOD.replace("https", "gopher") + "}");
    assertThat(wrong.field()).isEqualTo("url");
    assertThat(wrong.reason()).contains("https://fleet.example.com");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "7", "{", "{} {}", "{\"key\":\"a\",\"key\":\"b\"}"})
  void read_noObject_isUnreadable(String body) {
    assertThat(read(body)).isEqualTo(new GuideBody.Unreadable());
  }

  private static GuideBody read(String body) {
    byte[] bytes = ("#" + body + "##").getBytes(StandardCharsets.UTF_8);
    return GuideBody.read(bytes, 1, bytes.length - 3);
  }
}
