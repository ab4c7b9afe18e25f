package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the queries of docs/sinks.md and docs/shipped.md. */
@Tag("unit")
class SinksPageTest {
  private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void everyQueryOfThePage_findsWhatIsThere() throws Exception {
    for (String format : List.of("ndjson", "parquet")) {
      FilesRig rig = new FilesRig(folder, format);
      try (FilesSink sink = rig.sink()) {
        FilesRig.ship(sink, rig.positions(1, 50), rig.oneOfEach(51));
      }
    }
    List<String> queries = queries();
    assertThat(queries).hasSizeGreaterThan(3);
    for (String query : queries) {
      assertThat(FilesRig.query(query.replace("data/shipped", folder.toString())))
          .as(query)
          .isNotEmpty();
    }
  }

  private static List<String> queries() throws IOException {
    Path docs = Repository.root().resolve("docs");
    String page =
        Files.readString(docs.resolve("sinks.md")) + Files.readString(docs.resolve("shipped.md"));
    List<String> queries = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(page); block.find(); ) {
      for (String query : block.group(1).split(";", -1)) {
        if (!query.isBlank()) {
          queries.add(query.strip());
        }
      }
    }
    return queries;
  }
}
