package gilmok.adapter;

import gilmok.missions.ClosedMissions;
import gilmok.missions.MissionStore;
import gilmok.missions.OldMission;
import gilmok.retention.DocumentArchive;
import gilmok.sinks.file.ArchiveColumn;
import gilmok.sinks.file.ArchiveColumn.Kind;
import gilmok.sinks.file.ArchiveFolder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Archives progress in missions, and missions, as Parquet files. docs/documents.md describes the
 * columns. Owned by the thread that archives; blocks.
 */
public record ArchivedMissions(ArchiveFolder folder) implements DocumentArchive<OldMission> {
  private static final List<ArchiveColumn> COLUMNS =
      List.of(
          new ArchiveColumn("mission_id", Kind.TEXT, true),
          new ArchiveColumn("rider_id", Kind.TEXT, false),
          new ArchiveColumn("ended_at", Kind.TIME, true),
          new ArchiveColumn("settled_at", Kind.TIME, false),
          new ArchiveColumn("version", Kind.NUMBER, false),
          new ArchiveColumn("record", Kind.TEXT, true));

  @Override
  public void write(String name, Pages<OldMission> pages) throws IOException, InterruptedException {
    folder.write(ClosedMissions.KIND, name, COLUMNS, ArchivedRows.of(pages, ArchivedMissions::row));
  }

  private static List<@Nullable Object> row(OldMission one) {
    MissionStore.Progress progress = one.progress();
    return Arrays.asList(
        progress.missionId(),
        one.isMission() ? null : one.riderId(),
        one.endMillis(),
        progress.settledAt() == 0 ? null : progress.settledAt(),
        one.isMission() ? null : progress.version(),
        one.record());
  }
}
