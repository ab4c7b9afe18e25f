package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CsvRowsTest {
  @Test
  void next_plainFields_split() throws IOException {
    assertThat(rows("a,b,\n,,\nx\n"))
        .containsExactly(List.of("a", "b", ""), List.of("", "", ""), List.of("x"));
  }

  @Test
  void next_quotedFields_keepCommasBreaksAndQuotes() throws IOException {
    assertThat(rows("\"a,b\",\"c\r\nd\",\"e\"\"f\",\"\"\n1,2,3,4"))
        .containsExactly(List.of("a,b", "c\r\nd", "e\"f", ""), List.of("1", "2", "3", "4"));
  }

  @Test
  void next_anyLineEnding_andEmptyLines_rowsAreTheSame() throws IOException {
    List<List<String>> expected = List.of(List.of("a", "b"), List.of("c", "d"));
    assertThat(rows("a,b\nc,d")).isEqualTo(expected);
    assertThat(rows("a,b\r\n\r\nc,d\r\n")).isEqualTo(expected);
    assertThat(rows("\n\na,b\rc,d\r")).isEqualTo(expected);
  }

  @Test
  void rowLine_afterQuotedBreaks_isWhereTheRowStarts() throws IOException {
    CsvRows rows = new CsvRows(new StringReader("h\n\"a\nb\"\n\nlast\n"));
    List<Long> lines = new ArrayList<>();
    while (rows.next() != null) {
      lines.add(rows.rowLine());
    }
    assertThat(lines).containsExactly(1L, 2L, 5L);
  }

  @Test
  void next_quoteNeverClosed_namesTheLineItOpened() {
    assertThatThrownBy(() -> rows("a\nb\n\"c\nd\n"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("line 3:");
  }

  @Test
  void next_textAfterClosingQuote_isAFaultOfThatRow() throws IOException {
    CsvRows rows = new CsvRows(new StringReader("a\n\"b\"c\nd\n"));
    assertThat(rows.next()).containsExactly("a");
    assertThat(rows.fault()).isNull();
    assertThat(rows.next()).isNotNull();
    assertThat(rows.fault()).isEqualTo("text after the closing quote of a field");
    assertThat(rows.rowText()).isEqualTo("\"b\"c");
    assertThat(rows.next()).containsExactly("d");
    assertThat(rows.fault()).isNull();

    CsvRows good = new CsvRows(new StringReader("\"b\"c\n"));
    assertThatThrownBy(good::nextGood)
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("line 1:");
  }

  @Test
  void rowText_isTheRowAsItIsWritten() throws IOException {
    CsvRows rows = new CsvRows(new StringReader("\n\"k,1\";\"r \"\"x\"\"\n2\"\r\n\rl;m\n"), ';');
    rows.next();
    assertThat(rows.rowText()).isEqualTo("\"k,1\";\"r \"\"x\"\"\n2\"");
    rows.next();
    assertThat(rows.rowText()).isEqualTo("l;m");
  }

  @Test
  void next_rowWithoutEnd_isBounded() {
    assertThatThrownBy(() -> rows("x".repeat(CsvRows.ROW_CHARS_MAX + 1)))
        .isInstanceOf(CommandFailure.class);
  }

  private static List<List<String>> rows(String text) throws IOException {
    CsvRows rows = new CsvRows(new StringReader(text));
    List<List<String>> all = new ArrayList<>();
    for (List<String> row = rows.next(); row != null; row = rows.next()) {
      all.add(row);
    }
    return all;
  }
}
