package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Span;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, over SQLite. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class SqliteRegisterTest extends RegisterStoreContract {
  private final Meters meters = new Meters();

  @TempDir Path folder;
  private SqliteDatabase database;

  @Override
  RegisterStore open() throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    return new SqliteRegister(database);
  }

  @Override
  void close() throws IOException {
    database.close();
    meters.close();
  }

  private static RegisterRow row(long number, Act act, long count) {
    String id = RegisterRow.time(number) + "-1";
    Span span = new Span(number, number, count);
    return RegisterRow.of(id, act, "p-1", "k1", RegisterRig.BASES, span, "node");
  }

  @Test
  void given_isFound_alsoBehindManyThatHaveSeen_andWhereAKillHasTakenTheCount() throws Exception {
    Act seen = Act.of(RegisterRow.Kind.SEEN, "position", Use.DISPATCH);
    List<RegisterRow> rows = new ArrayList<>();
    rows.add(row(1, Act.CUSTOMER, 3));
    rows.add(row(2, Act.PARTNER, 0));
    for (int i = 0; i < RegisterStore.ROWS_MAX; i++) {
      rows.add(row(3 + i, seen, 1));
    }
    store.put(rows);
    assertThat(store.timesGiven("p-1")).isEqualTo(4);
    assertThat(store.timesGiven("p-2")).isZero();
  }
}
