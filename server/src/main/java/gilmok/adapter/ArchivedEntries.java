package gilmok.adapter;

import gilmok.retention.DocumentArchive;
import gilmok.sinks.file.ArchiveColumn;
import gilmok.sinks.file.ArchiveColumn.Kind;
import gilmok.sinks.file.ArchiveFolder;
import gilmok.statements.EntryRecord;
import gilmok.statements.StatementEntry;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Archives entries of statements as Parquet files. docs/documents.md describes the columns. Owned
 * by the thread that archives; blocks.
 */
public record ArchivedEntries(ArchiveFolder folder) implements DocumentArchive<StatementEntry> {
  private static final List<ArchiveColumn> COLUMNS =
      List.of(
          new ArchiveColumn("id", Kind.TEXT, true),
          new ArchiveColumn("rider_id", Kind.TEXT, true),
          new ArchiveColumn("at", Kind.TIME, true),
          new ArchiveColumn("kind", Kind.TEXT, true),
          new ArchiveColumn("amount", Kind.NUMBER, true),
          new ArchiveColumn("currency", Kind.TEXT, true),
          new ArchiveColumn("delivery_id", Kind.TEXT, false),
          new ArchiveColumn("distance_mm", Kind.NUMBER, true),
          new ArchiveColumn("record", Kind.TEXT, true));

  @Override
  public void write(String name, Pages<StatementEntry> pages)
      throws IOException, InterruptedException {
    folder.write("statements", name, COLUMNS, ArchivedRows.of(pages, ArchivedEntries::row));
  }

  private static List<@Nullable Object> row(StatementEntry one) {
    return Arrays.asList(
        one.id(),
        one.riderId(),
        one.atMillis(),
        one.kind().label(),
        one.amount(),
        one.currency(),
        one.deliveryId(),
        one.distance(),
        EntryRecord.of(one));
  }
}
