package gilmok.audit;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.LogConfig;
import gilmok.log.Stream;
import gilmok.log.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log has and the documents have not is copied at the start, whatever they lost. */
@Tag("unit")
class AuditCopyTest {
  @TempDir Path folder;

  /** What an earlier process could not copy any more is copied at the next start. */
  @Test
  void start_entriesInTheLogThatWereNotCopied_areCopied() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      AuditTest.append(rig, 10);
      rig.audit.drain(Duration.ofSeconds(5));
      boolean _ = rig.audit.change(AuditTest.entry("first"), () -> true);
      rig.audit.drain(Duration.ofSeconds(5));
      boolean _ = rig.audit.change(AuditTest.entry("second"), () -> true);
    }
    try (AuditRig rig = new AuditRig(folder)) {
      rig.awaitRows(2);
    }
  }

  /**
   * Found bug: the cursor was past them, so entries from after a backup were never listed again.
   */
  @Test
  void start_documentsFromABackup_orBegunAnew_orWithoutTheTable_entriesOfTheLogAreListedAgain()
      throws Exception {
    Path documents = folder.resolve("documents.db");
    Path backup = folder.resolve("backup");
    try (AuditRig rig = new AuditRig(folder)) {
      make(rig, 5);
      assertThat(rig.rows()).hasSize(5);
    }
    Files.copy(documents, backup);
    List<String> all;
    try (AuditRig rig = new AuditRig(folder)) {
      rig.now.addAndGet(1000);
      make(rig, 5);
      all = ids(rig.rows());
      assertThat(all).hasSize(10);
    }
    for (String lost : List.of("backup", "anew", "table", "rows")) {
      switch (lost) {
        case "backup" -> Files.copy(backup, documents, StandardCopyOption.REPLACE_EXISTING);
        case "anew" -> Files.delete(documents);
        case "table" -> sql("DROP TABLE audit");
        default -> sql("DELETE FROM audit");
      }
      try (Told told = new Told("gilmok.audit");
          AuditRig rig = new AuditRig(folder)) {
        rig.awaitRows(10);
        assertThat(ids(rig.rows())).as(lost).isEqualTo(all);
        assertThat(lacks(told)).hasSize(1);
        assertThat(lacks(told).getFirst())
            .contains(
                (lost.equals("backup") ? "5" : "10") + " entries are in the log", " 0 are not");
        assertThat(rig.log.accepted().of(Stream.AUDIT)).isEqualTo(10);
        assertThat(rig.failures).isEmpty();
      }
      try (Told told = new Told("gilmok.audit");
          AuditRig rig = new AuditRig(folder)) {
        assertThat(ids(rig.rows())).isEqualTo(all);
        assertThat(lacks(told)).isEmpty();
      }
    }
  }

  /** What the log has given up after it was copied can only come from a backup: that is said. */
  @Test
  void start_documentsBegunAnew_andTheLogHasNotAllEntries_saysHowMany_once() throws Exception {
    try (AuditRig rig = new AuditRig(folder, LogConfig.WhenFull.DETACH)) {
      make(rig, 3);
      assertThat(rig.rows()).hasSize(3);
      rig.fill();
      rig.fill();
      assertThat(AuditTest.inLog(rig)).isEmpty();
      make(rig, 2);
      assertThat(rig.rows()).hasSize(5);
    }
    Files.delete(folder.resolve("documents.db"));
    try (Told told = new Told("gilmok.audit");
        AuditRig rig = new AuditRig(folder, LogConfig.WhenFull.DETACH)) {
      rig.awaitRows(2);
      assertThat(lacks(told)).hasSize(1);
      assertThat(lacks(told).getFirst()).contains(". 2 entries are in the log", " 3 are not");
      rig.fill();
      rig.fill();
      assertThat(AuditTest.inLog(rig)).isEmpty();
    }
    Files.delete(folder.resolve("documents.db"));
    for (int expected : new int[] {1, 0}) {
      try (Told told = new Told("gilmok.audit");
          AuditRig rig = new AuditRig(folder, LogConfig.WhenFull.DETACH)) {
        AuditTest.append(rig, 1);
        await(() -> rig.audit.lagRecords() == 0);
        assertThat(lacks(told)).hasSize(expected);
        assertThat(String.join("", lacks(told)))
            .matches("|.* 0 entries are in the log.* 5 are not.*");
      }
    }
  }

  /** Much was received since the last entry: a start does not read it. */
  @Test
  void start_muchInTheLogSinceTheLastEntry_isNotRead() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      make(rig, 1);
      for (int i = 0; i < 25; i++) {
        AuditTest.append(rig, 40);
      }
      AuditTest.append(rig, 1);
      await(() -> rig.audit.lagRecords() == 0);
    }
    try (AuditRig rig = new AuditRig(folder)) {
      AuditTest.append(rig, 1);
      await(() -> rig.audit.lagRecords() == 0);
      assertThat(rig.log.segments()).isGreaterThan(3);
      assertThat(rig.reads.get()).isLessThan(30);
      assertThat(rig.rows()).hasSize(1);
    }
  }

  /** The warnings of documents that lack entries. */
  private static List<String> lacks(Told told) {
    return List.copyOf(told.lines()).stream()
        .filter(line -> line.contains("the documents have the entries"))
        .toList();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited").isLessThan(end);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static void make(AuditRig rig, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      AuditTest.append(rig, 10);
      rig.now.incrementAndGet();
      boolean _ = rig.audit.change(AuditTest.entry("sink-" + i), () -> true);
    }
  }

  private static List<String> ids(List<AuditStore.Row> rows) {
    return rows.stream().map(AuditStore.Row::id).toList();
  }

  private void sql(String statement) throws SQLException {
    try (Connection documents =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("documents.db"));
        Statement run = documents.createStatement()) {
      run.execute(statement);
    }
  }
}
