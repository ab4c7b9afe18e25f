package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What spreadsheets make of a cell. */
@Tag("unit")
final class CsvCellTest {
  @Test
  void usualTexts_areAsTheyAre() {
    for (String text :
        List.of("", "r-7", "배달 7", "a=b", "1+1", "a@b.c", "p-x", "2026-03-01T09:00:00Z")) {
      assertThat(CsvCell.of(text)).isEqualTo(text);
    }
    assertThat(CsvCell.quoted("r-7")).isEqualTo("\"r-7\"");
    assertThat(CsvCell.of("a,b")).isEqualTo("\"a,b\"");
    assertThat(CsvCell.of("a \"b\"")).isEqualTo("\"a \"\"b\"\"\"");
  }

  @Test
  void noCell_beginsAFormula() {
    for (String begin : List.of("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")) {
      assertThat(CsvCell.of(begin + "1+1")).isEqualTo("'" + begin + "1+1");
    }
    assertThat(CsvCell.of("=HYPERLINK(\"http://a\",\"b\")"))
        .isEqualTo("\"'=HYPERLINK(\"\"http://a\"\",\"\"b\"\")\"");
    for (String control : List.of("\t", "\r", "\n", "\0", "\u001b", "\u007f")) {
      assertThat(CsvCell.of(control + "=1")).startsWith("\"'" + control).endsWith("=1\"");
    }
  }

  /** Where a list is separated by semicolons, a quotation mark within a line means nothing. */
  @Test
  void noPartOfACell_beginsAFormula() {
    assertThat(CsvCell.of("a;=1;-2")).isEqualTo("\"a;'=1;'-2\"");
    assertThat(CsvCell.of("a\r\n=1")).isEqualTo("\"a\r'\n'=1\"");
    assertThat(CsvCell.of("a\t@b")).isEqualTo("\"a\t'@b\"");
    assertThat(CsvCell.of("a;b")).isEqualTo("\"a;b\"");
  }
}
