package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.cli.Commands;
import gilmok.documents.Damaged;
import gilmok.documents.Query;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok doctor} over SQLite; it explains every query of every store. */
@Tag("unit")
final class DoctorCommandTest {
  private static final int QUERIES = SqliteDoctor.queries().size() + SqliteDoctor.removal().size();

  @TempDir Path folder;

  @BeforeEach
  void make() throws IOException {
    SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, new Meters()).close();
  }

  @Test
  void asItIs_everyQueryIsGood_alsoBesideAServer() throws Exception {
    try (SqliteDatabase database =
        SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, new Meters())) {
      assertThat(database.fault()).isNull();
      String said = doctor();
      assertThat(said)
          .startsWith("0\nMACHINE")
          .containsPattern("file handles +[0-9,]+ for 10,000 connections")
          .containsPattern("disk, speed +[0-9.]+ ms a forced write")
          .contains("\nQUERY ")
          .containsPattern("keys: all +SCAN keys +reads all, as meant")
          .containsPattern("missions: a rider's progress +SEARCH .*rider_id=. AND mission_id=.")
          .containsPattern("statement: sum +SEARCH entry_days USING PRIMARY KEY .* +good")
          .contains(QUERIES + " queries, none of them")
          .doesNotContain("SCANS", "FAILS");
    }
  }

  @Test
  void withoutAnIndex_theScanIsFound() throws Exception {
    Damaged.by(folder, "DROP INDEX log_due");
    assertThat(doctor())
        .startsWith("1\nMACHINE")
        .containsPattern("log: due +SCAN o +SCANS")
        .containsPattern("log: anything pending +SCAN outbox +SCANS")
        .containsPattern("log: due too late +SCAN outbox +SCANS")
        .containsPattern("log: bring forward +SCAN outbox +SCANS")
        .contains("lacks the index log_due of outbox: make it (sqlite3 ")
        .contains("4 of " + QUERIES + " queries read a whole table");
  }

  @Test
  void withoutATable_whatCannotBeAnsweredIsSaid() throws Exception {
    Damaged.by(folder, "DROP TABLE partners");
    assertThat(doctor())
        .startsWith("1\nMACHINE")
        .containsPattern("partners: one .*no such table: partners.* FAILS")
        .contains("lacks the table partners: put a backup");
  }

  @Test
  void olderFile_isToBeStartedFirst() throws Exception {
    Damaged.by(folder, "PRAGMA user_version = 1");
    assertThat(doctor()).startsWith("1\n").contains("was written by an older Gilmok");
  }

  @Test
  void noDocuments_saysSo() {
    assertThat(run("doctor", "--data", folder.resolve("none").toString()))
        .startsWith("1\n")
        .contains("documents.db is not there");
    assertThat(run("doctor", "--help")).startsWith("0\n").contains("gilmok doctor --data");
    assertThat(run("doctor", "--set", "no.such=1")).startsWith("2\n").contains("no.such");
  }

  @Test
  void namesOfQueries_areTheirOwn() {
    assertThat(SqliteDoctor.queries().stream().map(Query::name)).doesNotHaveDuplicates();
  }

  /**
   * Every store that prepares queries declares some, and the doctor knows them. The tests of
   * deliveries, missions and statements check that those stores declare all of theirs.
   */
  @Test
  void everyStore_declaresItsQueries() throws IOException {
    Path sources = Repository.root().resolve("server/src/main/java/gilmok");
    Path app = sources.resolve("doctor/SqliteDoctor.java");
    String doctor = Files.readString(app);
    int stores = 0;
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(DoctorCommandTest::isStore).toList()) {
        String text = Files.readString(file);
        if (text.contains(".prepare(")) {
          assertThat(text).as(file.toString()).contains("static List<Query> queries()");
        }
        String name = file.getFileName().toString().replace(".java", "");
        if (text.contains("public static List<Query> queries()")) {
          assertThat(doctor).contains(name + ".queries()");
          stores++;
        }
      }
    }
    assertThat(stores).isEqualTo(16);
  }

  private static boolean isStore(Path file) {
    return file.getFileName().toString().matches("Sqlite.*\\.java")
        && !file.toString().matches(".*/(documents|doctor)/[^/]*");
  }

  private String doctor() {
    return run("doctor", "--data", folder.toString());
  }

  private static String run(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    int code = Commands.run(out, out, arguments, new DoctorCommand());
    return code + "\n" + said;
  }
}
