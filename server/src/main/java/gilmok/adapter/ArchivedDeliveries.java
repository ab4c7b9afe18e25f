package gilmok.adapter;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.StoredDelivery;
import gilmok.retention.DocumentArchive;
import gilmok.sinks.file.ArchiveColumn;
import gilmok.sinks.file.ArchiveColumn.Kind;
import gilmok.sinks.file.ArchiveFolder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Archives deliveries as Parquet files. docs/documents.md describes the columns. Owned by the
 * thread that archives; blocks.
 */
public record ArchivedDeliveries(ArchiveFolder folder) implements DocumentArchive<StoredDelivery> {
  private static final List<ArchiveColumn> COLUMNS =
      List.of(
          new ArchiveColumn("id", Kind.TEXT, true),
          new ArchiveColumn("shop_id", Kind.TEXT, true),
          new ArchiveColumn("order_id", Kind.TEXT, true),
          new ArchiveColumn("agency_id", Kind.TEXT, false),
          new ArchiveColumn("rider_id", Kind.TEXT, false),
          new ArchiveColumn("status", Kind.TEXT, true),
          new ArchiveColumn("version", Kind.NUMBER, true),
          new ArchiveColumn("created_at", Kind.TIME, true),
          new ArchiveColumn("updated_at", Kind.TIME, true),
          new ArchiveColumn("fee", Kind.NUMBER, false),
          new ArchiveColumn("currency", Kind.TEXT, false),
          new ArchiveColumn("record", Kind.TEXT, true),
          new ArchiveColumn("relays", Kind.TEXT, true));

  @Override
  public void write(String name, Pages<StoredDelivery> pages)
      throws IOException, InterruptedException {
    folder.write("deliveries", name, COLUMNS, ArchivedRows.of(pages, ArchivedDeliveries::row));
  }

  private static List<@Nullable Object> row(StoredDelivery stored) {
    Delivery one = stored.delivery();
    return Arrays.asList(
        one.id(),
        one.order().shopId(),
        one.order().orderId(),
        one.agencyId(),
        one.riderId(),
        one.status().name(),
        (long) one.version(),
        one.createdAtMillis(),
        one.updatedAtMillis(),
        one.order().terms().fee(),
        one.order().terms().currency(),
        stored.record(),
        stored.relays());
  }
}
