package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class RiderAliasTest {
  private static final RiderAlias ALIAS = new RiderAlias("rider-7", "p-x");

  @Test
  void idAndAuthor_areReplaced_othersAreNot() {
    assertThat(ALIAS.in("rider-7")).isEqualTo("p-x");
    assertThat(ALIAS.in("rider:rider-7")).isEqualTo("rider:p-x");
    assertThat(ALIAS.in("rider-77")).isEqualTo("rider-77");
    assertThat(ALIAS.in("xrider-7")).isEqualTo("xrider-7");
    assertThat(ALIAS.inOptional(null)).isNull();
  }

  @Test
  void withinALongerText_whereNoLetterOrDigitTouchesIt() {
    assertThat(ALIAS.in("phone of rider-7, not of rider-70; rider-7's"))
        .isEqualTo("phone of p-x, not of rider-70; p-x's");
    assertThat(new RiderAlias("aaaa", "p-x").in("aaaa aaaaa aaaa-aaaa"))
        .isEqualTo("p-x aaaaa p-x-p-x");
  }

  @Test
  void betweenSlashes_andOfItsPhones() {
    RiderAlias one = new RiderAlias("1", "p-x", List.of("ph"));
    assertThat(one.in("device/1/x")).isEqualTo("device/p-x/x");
    assertThat(one.in("device/ph")).isEqualTo("device/p-x");
    assertThat(one.in("ph")).isEqualTo("p-x");
    assertThat(one.in("phone/11")).isEqualTo("phone/11");
  }

  @Test
  void shortId_isReplacedAsAWholeTextOnly() {
    RiderAlias one = new RiderAlias("1", "p-x");
    assertThat(one.in("10.0.0.1")).isEqualTo("10.0.0.1");
    assertThat(one.in("1")).isEqualTo("p-x");
    assertThat(one.in("rider:1")).isEqualTo("rider:p-x");
  }

  @Test
  void json_isTheSameButForTheId() {
    String json =
        "{\"a\":\"rider-7\",\"rider-7\":1,\"b\":[\"x\\\"rider-7\",{\"by\":\"rider:\\u0072ider-7\"}],"
            + "\"c\":\"\\\\\",\"d\":\"rider-70\",\"e\":-1.5e3}";
    assertThat(ALIAS.inJson(json))
        .isEqualTo(
            "{\"a\":\"p-x\",\"p-x\":1,\"b\":[\"x\\\"p-x\",{\"by\":\"rider:p-x\"}],"
                + "\"c\":\"\\\\\",\"d\":\"rider-70\",\"e\":-1.5e3}");
    String without = "{\"a\":\"other\",\"b\":\"\\n\"}";
    assertThat(ALIAS.inJson(without)).isSameAs(without);
  }

  @Test
  void jsonThatIsCut_doesNotFail() {
    for (String json : new String[] {"\"rider-7", "\"a\\", "{\"\\u00", "\""}) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      assertThat(ALIAS.inJson(bytes, 0, bytes.length))
          .satisfiesAnyOf(then -> assertThat(then).isNull(), then -> assertThat(then).isNotEmpty());
    }
  }

  @Test
  void isIn_findsItPlainAndEscaped() {
    RiderAlias odd = new RiderAlias("r\"7", "p-x");
    assertThat(odd.isIn("..r\"7..".getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(odd.isIn("..r\\\"7..".getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(odd.isIn("..r7..".getBytes(StandardCharsets.UTF_8))).isFalse();
  }
}
