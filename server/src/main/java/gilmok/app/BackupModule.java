package gilmok.app;

import gilmok.backup.BackupRoutes;
import gilmok.backup.BackupStage;
import gilmok.documents.SqliteDatabase;
import gilmok.runtime.Version;
import java.io.IOException;

/** Lets {@code gilmok backup} copy this server's data. */
final class BackupModule {
  private BackupModule() {}

  static void start(ServerContext context) throws IOException {
    SqliteDatabase database =
        context.documents instanceof Documents.InSqlite own ? own.database() : null;
    BackupStage stage =
        new BackupStage(
            context.folder,
            Version.ofThis(),
            context.node.log(),
            database,
            () -> context.settings,
            context.clock);
    context.meters.gauge(
        "gilmok_backup_copy_bytes",
        "Bytes of the copy that a backup reads, on this node's disk.",
        stage::bytes);
    String node = context.folder.node().toString();
    context.answers(new BackupRoutes(stage, context.audit, node, context.offloads).routes());
  }
}
