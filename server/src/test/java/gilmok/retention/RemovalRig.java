package gilmok.retention;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.log.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What the tests of each kind's archive and removal do alike. */
public final class RemovalRig {
  /** A disk that takes nothing more. */
  public static final FaultyDisk.Fault FULL =
      (operation, path) -> {
        if (operation == FaultyDisk.Operation.WRITE) {
          throw new IOException("No space left on device");
        }
      };

  private static final int PASSES_MAX = 10_000;
  private static final long PUT_OFF_NANOS = 1_000_000_000L;
  private static final long LOOK_NANOS = 10_000_000L;

  private RemovalRig() {}

  /** Lets a housekeeper do all that is to be done now. */
  public static void run(DocumentHousekeeper<?> housekeeper) throws Exception {
    int passes = 0;
    long pause = housekeeper.pass();
    while (pause < DocumentHousekeeper.IDLE_NANOS) {
      assertThat(passes++).isLessThan(PASSES_MAX);
      if (pause >= PUT_OFF_NANOS) { // the store has to come along
        LockSupport.parkNanos(LOOK_NANOS);
      }
      pause = housekeeper.pass();
    }
  }

  /** The names of a kind's files with that ending, in order; none if there is no folder. */
  public static List<String> files(Path kind, String ending) throws IOException {
    if (Files.notExists(kind)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(kind)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .sorted()
          .toList();
    }
  }

  /**
   * The ids in all of a kind's files, in order, one as often as it is there.
   *
   * @param id the SQL of a row's id
   */
  public static List<String> archived(Path kind, String id) throws Exception {
    List<String> ids = new ArrayList<>();
    if (files(kind, ".parquet").isEmpty()) {
      return ids;
    }
    String sql = "SELECT " + id + " FROM '" + kind.resolve("*.parquet") + "' ORDER BY 1";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }

  /** A run that is killed at a call, and goes on after it. */
  @FunctionalInterface
  public interface KilledRun {
    /**
     * Runs it; returns the number of calls.
     *
     * @param call none if it is {@link Integer#MAX_VALUE}
     * @param after whether the call still takes effect
     */
    int killedAt(int call, boolean after) throws Exception;
  }

  /** Runs it whole, and then killed at some of its calls, before and after each. */
  public static void killedAnywhere(int callsMin, KilledRun run) throws Exception {
    int calls = run.killedAt(Integer.MAX_VALUE, false);
    assertThat(calls).isGreaterThan(callsMin);
    for (int call : Seeds.some(calls).map(i -> i + 1).toArray()) {
      try {
        run.killedAt(call, false);
        run.killedAt(call, true);
      } catch (Exception | AssertionError broken) {
        throw Seeds.failed("killed at call " + call, broken);
      }
    }
  }
}
