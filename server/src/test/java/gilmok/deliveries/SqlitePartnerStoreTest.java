package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqlitePartnerStoreTest extends PartnerStoreContract {
  @TempDir Path folder;

  @Test
  void all_kindCannotBeRead_isOfNoKind() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (SqliteRig rig = new SqliteRig(other, new Day())) {
      String sql =
          rig.own(
              "INSERT INTO partners (reader, id, url, secrets, events, updated_at)"
                  + " VALUES ('SHOQ', 'x', 'https://e.com', 'whsec_a', '*', 1)");
      rig.database().write(session -> session.prepare(sql).executeUpdate());

      assertThat(rig.partners().all().partners()).isEmpty();
      assertThat(rig.partners().all().unreadable())
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.reader()).isNull();
                assertThat(one.id()).isEqualTo("x");
              });
    }
  }

  @Override
  StoreRig open(InstantSource clock) throws IOException {
    return new SqliteRig(folder, clock);
  }
}
