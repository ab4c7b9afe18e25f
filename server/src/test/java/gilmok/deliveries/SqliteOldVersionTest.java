package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.Outbox.Due;
import gilmok.documents.Query;
import gilmok.documents.SqlitePlans;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that an older version has written: {@code version-5.db} has eight deliveries in all
 * states. Four are of a partner that did not answer, so their webhooks wait for a retry.
 */
@Tag("unit")
final class SqliteOldVersionTest {
  private static final Instant BEFORE_THE_RETRIES = Instant.ofEpochMilli(1_795_749_550_000L);
  private static final Instant AFTER_THE_RETRIES = Instant.ofEpochMilli(1_795_749_600_000L);

  @TempDir Path folder;

  @BeforeEach
  void restore() throws IOException {
    try (InputStream kept =
        new GZIPInputStream(
            Objects.requireNonNull(getClass().getResourceAsStream("/documents/version-5.db.gz")))) {
      Files.copy(kept, folder.resolve("documents.db"));
    }
  }

  @Test
  void open_whatWaitedForARetry_waitsForIt_andIsDueInTheOrderOfTime() throws Exception {
    for (int start = 0; start < 2; start++) {
      try (SqliteRig rig = new SqliteRig(folder, InstantSource.fixed(AFTER_THE_RETRIES))) {
        assertThat(due(rig, OutboxReader.SHOP, BEFORE_THE_RETRIES)).isEmpty();
        List<Due> due = due(rig, OutboxReader.SHOP, AFTER_THE_RETRIES);
        assertThat(due)
            .extracting(one -> one.delivery().order().orderId())
            .containsExactly("o-6", "o-4", "o-2", "o-0");
        assertThat(due).extracting(Due::told).containsOnly(0);
        assertThat(due).extracting(Due::attempts).containsOnly(3);
        assertThat(due(rig, OutboxReader.LOG, AFTER_THE_RETRIES)).isEmpty();
        assertThat(rig.outbox().isEmpty(OutboxReader.LOG)).isTrue();
        assertThat(rig.outbox().isEmpty(OutboxReader.SHOP)).isFalse();
      }
    }
  }

  @Test
  void open_aDeliveryGoesOn_andIsDueForTheLogAlone() throws Exception {
    Day day = new Day();
    try (SqliteRig rig = new SqliteRig(folder, InstantSource.fixed(AFTER_THE_RETRIES))) {
      List<Delivery> all = rig.deliveries().after("", 100);
      assertThat(all).hasSize(8);
      Delivery created = all.getFirst();
      assertThat(created.status()).isEqualTo(Status.NEW);
      DeliveryStore.Moving moved = rig.deliveries().move(created.id(), day.move(Step.ACCEPT));
      assertThat(moved).isInstanceOf(DeliveryStore.Moving.Moved.class);
      assertThat(due(rig, OutboxReader.LOG, AFTER_THE_RETRIES))
          .singleElement()
          .satisfies(one -> assertThat(one.told()).isEqualTo(1))
          .satisfies(one -> assertThat(one.delivery().version()).isEqualTo(2));
    }
  }

  @Test
  void open_everyQueryFindsItsIndex() throws Exception {
    new SqliteRig(folder, InstantSource.system()).close();
    List<Query> queries = new ArrayList<>(SqliteDeliveries.queries());
    queries.addAll(SqliteOutbox.queries());
    try (SqlitePlans plans = new SqlitePlans(folder)) {
      assertThat(plans.faults()).isEmpty();
      assertThat(queries).noneMatch(query -> plans.explain(query).verdict().isBad());
    }
  }

  private static List<Due> due(SqliteRig rig, OutboxReader reader, Instant now) throws Exception {
    return rig.outbox().due(reader, Shards.ALL, now.toEpochMilli(), 100);
  }
}
