package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.Reason;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Korean texts: none is missing, none too many, and each is found by its English. */
@Tag("unit")
final class KoreanReasonsTest {
  private static final Pattern VARIES = Pattern.compile("[{](text|reason)?[}]");
  private static final Pattern HANGUL = Pattern.compile(".*[가-힣].*");

  private static String english(String line) {
    return VARIES.matcher(KoreanReasons.english(line)).replaceAll("{}");
  }

  private static Set<String> known() {
    return KoreanReasons.lines().stream()
        .map(KoreanReasonsTest::english)
        .collect(Collectors.toSet());
  }

  @Test
  void everyReasonOfTheSources_hasAKoreanText() throws IOException {
    Set<String> missing = new TreeSet<>(new SourceTexts().reasons());
    assertThat(missing).hasSizeGreaterThan(150);
    missing.removeAll(known());
    assertThat(missing).isEmpty();
  }

  @Test
  void everyText_isInTheSources() throws IOException {
    Set<String> unused = new TreeSet<>(known());
    unused.removeAll(new SourceTexts().all());
    assertThat(unused).isEmpty();
  }

  @Test
  void everyConstant_hasAKoreanText() throws IllegalAccessException {
    for (Field constant : Reason.class.getFields()) {
      String reason = (String) constant.get(null);
      assertThat(KoreanReasons.find(reason)).as(reason).isNotNull();
    }
  }

  @Test
  void everyRefusal_hasAKoreanTitleAndReason() {
    for (Refusal refusal : Refusal.values()) {
      assertThat(KoreanReasons.find(refusal.title())).as(refusal.title()).isNotNull();
      String reason = refusal.reason();
      if (reason != null) {
        assertThat(KoreanReasons.find(reason)).as(reason).isNotNull();
      }
    }
  }

  @Test
  void noText_isThereTwice_andEachIsKorean() {
    List<String> lines = KoreanReasons.lines();
    assertThat(lines).extracting(KoreanReasonsTest::english).doesNotHaveDuplicates();
    for (String line : lines) {
      String korean = line.substring(KoreanReasons.english(line).length() + 3);
      assertThat(HANGUL.matcher(korean).matches()).as(line).isTrue();
    }
  }

  /** A template is found with values in it, before one that says less, and keeps the values. */
  @Test
  void everyTemplate_isFoundByItsEnglish_withItsValues() {
    for (String line : KoreanReasons.lines()) {
      String reason = english(line);
      String korean = line.substring(KoreanReasons.english(line).length() + 3);
      for (int i = 1; reason.contains("{}"); i++) {
        reason = reason.replaceFirst("[{][}]", "70" + i);
        assertThat(korean).as(line).contains("{" + i + "}");
        korean = korean.replace("{" + i + "}", "70" + i);
      }
      assertThat(KoreanReasons.find(reason)).as(line).isEqualTo(korean);
      assertThat(korean).as(line).doesNotContain("{");
    }
  }

  @Test
  void reason_withinAReason_isKoreanToo() {
    assertThat(KoreanReasons.of("unexpected end at byte 17")).isEqualTo("중간에 끝났습니다 (17번째 바이트)");
    assertThat(KoreanReasons.of("not JSON at byte 2: send the corrected record as the body"))
        .isEqualTo("JSON이 아닙니다 (2번째 바이트). 고친 레코드를 본문으로 보내 주세요");
    assertThat(KoreanReasons.of("a longitude is over 180 degrees")).isEqualTo("경도가 180도를 넘었습니다");
    assertThat(KoreanReasons.of("send application/json")).isEqualTo("application/json 형식으로 보내 주세요");
  }

  @Test
  void reason_unknown_isKept() {
    for (String unknown :
        List.of(
            "", "no reason of ours", "over ", "over  bytes", "over ten", "{1}", "x".repeat(5000))) {
      assertThat(KoreanReasons.of(unknown)).isEqualTo(unknown);
    }
  }

  /** What a client sent and a reason repeats is not taken for a part of the text. */
  @Test
  void value_thatLooksLikeATemplate_isKeptAsItIs() {
    assertThat(KoreanReasons.of("is none of {2}, {1}")).isEqualTo("{2}, {1} 중 하나가 아닙니다");
  }
}
