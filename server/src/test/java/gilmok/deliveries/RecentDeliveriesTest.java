package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written last is known, until it may not be what the database has. */
@Tag("unit")
final class RecentDeliveriesTest {
  @TempDir Path folder;
  private final Day day = new Day();
  private final RecentDeliveries recent = new RecentDeliveries();

  @Test
  void wrote_isKnownToTheWriter_andAtItsVersionToOthers() throws Exception {
    Delivery one = day.delivery();
    try (SqliteDatabase database = open("one")) {
      assertThat(isKnown(database, one)).isFalse();
      write(database, one);
      assertThat(isKnown(database, one)).isTrue();
      assertThat(isKnown(database, day.delivery())).isFalse();
    }
    assertThat(recent.at(one.id(), one.version())).isSameAs(one);
    assertThat(recent.at(one.id(), one.version() + 1)).isNull();
  }

  @Test
  void wrote_rolledBack_allIsForgotten() throws Exception {
    Delivery one = day.delivery();
    try (SqliteDatabase database = open("one")) {
      write(database, one);
      assertThatThrownBy(
              () ->
                  database.write(
                      session -> {
                        recent.wrote(session, 1, one);
                        throw new IllegalStateException("a test's");
                      }))
          .hasRootCauseMessage("a test's");
      assertThat(isKnown(database, one)).isFalse();
      assertThat(recent.at(one.id(), one.version())).isNull();
    }
  }

  @Test
  void find_onAnotherConnection_allIsForgotten() throws Exception {
    Delivery one = day.delivery();
    try (SqliteDatabase database = open("one");
        SqliteDatabase other = open("other")) {
      write(database, one);
      assertThat(isKnown(other, one)).isFalse();
      assertThat(isKnown(database, one)).isFalse();
    }
  }

  @Test
  void wrote_moreThanThereIsRoomFor_theLastIsKnown_theFirstMakesRoom() throws Exception {
    Delivery first = day.delivery();
    try (SqliteDatabase database = open("one")) {
      write(database, first);
      Delivery last =
          database.write(
              session -> {
                Delivery written = first;
                for (int i = 0; i < 40_000; i++) {
                  written = day.delivery();
                  recent.wrote(session, i, written);
                }
                return written;
              });
      assertThat(isKnown(database, last)).isTrue();
      assertThat(isKnown(database, first)).isFalse();
    }
  }

  private SqliteDatabase open(String name) throws IOException {
    Path own = Files.createDirectory(folder.resolve(name));
    return SqliteDatabase.open(own, SqliteConfig.DEFAULTS, new Meters());
  }

  private void write(SqliteDatabase database, Delivery one) throws Exception {
    boolean _ =
        database.write(
            session -> {
              recent.wrote(session, 1, one);
              return true;
            });
  }

  private boolean isKnown(SqliteDatabase database, Delivery one) throws Exception {
    return database.write(
        session -> {
          RecentDeliveries.Entry entry = recent.find(session, one.id());
          return entry != null && entry.delivery().equals(one);
        });
  }
}
