package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.CommandFailure;
import gilmok.cli.SettingsOptions;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import gilmok.documents.SqliteCompaction;
import gilmok.documents.SqliteDatabase;
import gilmok.log.SegmentOwner;
import gilmok.storage.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gilmok compact}: the documents' file without the room that removed ones have left. */
@Command(
    name = "compact",
    description = {
      "Write the documents (documents.db) of a stopped server anew, without the room that removed"
          + " ones have left. A file that an earlier version made needs it once after"
          + " deliveries.keep has removed much: it cannot be shortened while a server runs, and"
          + " only uses its free room again. It needs as much free disk as the file will have, and"
          + " reads and writes all of it.",
      "",
      "Exit code: 0 when it is done; 1 when it could not be: the file is then as it was."
    },
    footer = {"", "Examples:", "  gilmok compact --data data"})
final class CompactCommand extends CliCommand implements Callable<Integer> {
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Override
  public Integer call() throws IOException {
    ServerConfig config = ServerConfig.from(new Settings(options.sources()));
    if (config.of(MongoConfig.class).uri() != null) {
      throw new CommandFailure("the documents are in MongoDB, which uses its free room by itself");
    }
    Path data = config.data();
    if (!Files.exists(data.resolve(SqliteDatabase.FILE))) {
      throw new CommandFailure(data + " has no " + SqliteDatabase.FILE);
    }
    SecureRandom random = new SecureRandom();
    try (DataFolder folder =
        DataFolder.open(data, SegmentOwner::ofNewest, config.onClone(), random)) {
      SqliteCompaction.Sizes sizes = SqliteCompaction.compact(folder.path());
      out().println(SqliteDatabase.FILE + ": " + mib(sizes.before()) + " -> " + mib(sizes.after()));
      return 0;
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
  }

  private static String mib(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
