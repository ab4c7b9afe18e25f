package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class RiderAliasTest {
  private static final RiderAlias ALIAS = new RiderAlias("rider-7", "p-x", List.of("ph"));

  @Test
  void id_andThatOfAPhone_areThePseudonym_othersAreNot() {
    assertThat(ALIAS.inId("rider-7")).isEqualTo("p-x");
    assertThat(ALIAS.inId("ph")).isEqualTo("p-x");
    assertThat(ALIAS.inId("rider-77")).isEqualTo("rider-77");
    assertThat(ALIAS.inId("rider-7 ")).isEqualTo("rider-7 ");
  }

  @Test
  void author_isTheRiderAlone() {
    assertThat(ALIAS.inAuthor("rider:rider-7")).isEqualTo("rider:p-x");
    assertThat(ALIAS.inAuthor("rider:rider-77")).isEqualTo("rider:rider-77");
    assertThat(ALIAS.inAuthor("phone of rider-7")).isEqualTo("phone of p-x");
    RiderAlias word = new RiderAlias("rider", "p-x");
    assertThat(word.inAuthor("rider:r-8")).isEqualTo("rider:r-8");
    assertThat(word.inAuthor("rider:rider")).isEqualTo("rider:p-x");
  }

  @Test
  void withinALongerText_whereNoNameGoesOn() {
    assertThat(ALIAS.within("phone of rider-7, not of rider-70; rider-7's. rider-7."))
        .isEqualTo("phone of p-x, not of rider-70; p-x's. p-x.");
    for (String other : List.of("rider-7-b", "a.rider-7", "xrider-7", "rider-7@b", "rider-7_1")) {
      assertThat(ALIAS.within(other)).isEqualTo(other);
    }
    assertThat(new RiderAlias("aaaa", "p-x").within("aaaa aaaaa aaaa-aaaa - aaaa"))
        .isEqualTo("p-x aaaaa aaaa-aaaa - p-x");
    String odd = "가나 \"7\"";
    assertThat(new RiderAlias(odd, "p-x").within("<" + odd + ">")).isEqualTo("<p-x>");
  }

  @Test
  void shortId_isNotLookedForInTexts() {
    assertThat(new RiderAlias("1", "p-x").within("10.0.0.1 1 and 1")).isEqualTo("10.0.0.1 1 and 1");
  }
}
