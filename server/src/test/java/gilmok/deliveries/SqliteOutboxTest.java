package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.SqliteSession;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteOutboxTest extends OutboxContract {
  @TempDir Path folder;

  @Override
  StoreRig open(InstantSource clock) throws IOException {
    return new SqliteRig(folder, clock);
  }

  @Test
  void due_documentOfAnother_isPutOff_andNotToldForEver() throws Exception {
    Delivery damaged = day.created(store, day.delivery());
    Delivery sound = day.created(store, day.delivery());
    SqliteRig sqlite = (SqliteRig) rig;
    sqlite.database().write(session -> exchange(sqlite, session, damaged.id(), sound.id()));
    sqlite.forget();
    assertOnlyDue(sound);
  }

  @Test
  void due_documentOfAnotherVersion_isPutOff_andNotToldForEver() throws Exception {
    Delivery damaged = day.created(store, day.delivery());
    Delivery sound = day.created(store, day.delivery());
    SqliteRig sqlite = (SqliteRig) rig;
    sqlite.database().write(session -> raise(sqlite, session, damaged.id()));
    sqlite.forget();
    assertOnlyDue(sound);
  }

  private void assertOnlyDue(Delivery sound) throws Exception {
    for (OutboxReader reader : OutboxReader.values()) {
      assertThat(outbox.due(reader, Shards.ALL, day.millis(), 10))
          .extracting(due -> due.delivery().id())
          .containsExactly(sound.id());
      String name = reader.name().toLowerCase(Locale.ROOT);
      assertThat(rig.metric("gilmok_outbox_unreadable_total{reader=\"" + name + "\"}"))
          .isEqualTo(1);
    }
  }

  private static int exchange(SqliteRig rig, SqliteSession session, String id, String other)
      throws SQLException {
    PreparedStatement exchange =
        session.prepare(
            rig.own(
                "UPDATE deliveries SET document = (SELECT document FROM deliveries WHERE id = ?1)"
                    + " WHERE id = ?2"));
    exchange.setString(1, other);
    exchange.setString(2, id);
    return exchange.executeUpdate();
  }

  private static int raise(SqliteRig rig, SqliteSession session, String id) throws SQLException {
    PreparedStatement raise =
        session.prepare(
            rig.own(
                "UPDATE deliveries SET document = replace(document, '\"version\":1',"
                    + " '\"version\":2') WHERE id = ?"));
    raise.setString(1, id);
    return raise.executeUpdate();
  }
}
