package gilmok.cli;

import gilmok.backup.BackupPoint;
import gilmok.backup.repository.BackupKey;
import gilmok.backup.repository.BackupManifest;
import gilmok.backup.repository.BackupManifest.StoredSegment;
import gilmok.backup.repository.BackupRepository;
import gilmok.backup.repository.DamagedBackupException;
import gilmok.backup.repository.ObjectStore;
import gilmok.log.SequenceEpoch;
import gilmok.privacy.ErasedList;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gilmok restore}: a data folder out of a backup. */
@Command(
    name = "restore",
    description = {
      "Make a data folder out of a backup. Everything is checked before and while it is written; a"
          + " damaged backup is refused. The node keeps its id, so receipts answer; its sequences"
          + " go on far ahead, so that none is given out again. Start the server on the folder with"
          + " the settings of before. Riders who were erased since the backup are erased again by"
          + " that start, before the server is ready.",
      "",
      "The server that the backup is of must not run any more: both would ship. To look at a"
          + " restored folder beside it, give --new-node, and serve it without sinks"
          + " (--set sinks.enabled=) and without relay.",
      "",
      "Exit code: 0 if done or sound, else 1."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok restore --from backups --list",
      "  gilmok restore --from backups --data restored",
      "  gilmok restore --from sealed --encryption-key backup.key --check"
    })
final class RestoreCommand extends CliCommand implements Callable<Integer> {
  @Option(
      names = "--from",
      paramLabel = "PLACE",
      required = true,
      description = "Where the backups are: a folder, or s3://BUCKET/PREFIX.")
  String place = "";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data folder to make, which must be empty or not there.")
  @Nullable Path data;

  @Option(
      names = "--encryption-key",
      paramLabel = "FILE",
      description = "The key that the backup is encrypted with.")
  @Nullable Path keyFile;

  @Option(
      names = "--node",
      paramLabel = "ID",
      description = "Whose backup, where there are several nodes'.")
  @Nullable String node;

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description = "Which one, as --list names it (default: the newest).")
  @Nullable String id;

  @Option(names = "--list", description = "List the backups, and do nothing else.")
  boolean isList;

  @Option(names = "--check", description = "Read the backup and check it wholly; write nothing.")
  boolean isCheck;

  @Option(
      names = "--new-node",
      description = "Make it another node's, with an id of its own: the first one lives on.")
  boolean isNewNode;

  @Option(
      names = "--erased",
      paramLabel = "FILE",
      description =
          "The file \"erased\" of a newer folder of the node: whom it names is erased again, too. The"
              + " list of the newest backup always counts.")
  @Nullable Path erased;

  @Option(
      names = "--allow-loss",
      description = "Do without the oldest segments if they are missing.")
  boolean isLossy;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!isList && !isCheck && data == null) {
      throw wronglyAsked("--data is missing: where shall the folder be made?");
    }
    BackupKey key = keyFile == null ? null : BackupFiles.key(keyFile);
    try (ObjectStore store = BackupRepository.store(place)) {
      Set<String> nodes = BackupRepository.nodes(store);
      if (nodes.isEmpty()) {
        throw new CommandFailure("there is no backup in " + place);
      }
      if (isList) {
        for (String one : nodes) {
          list(BackupRepository.open(store, one, key), one);
        }
        return 0;
      }
      return restore(BackupRepository.open(store, node(nodes), key));
    }
  }

  private String node(Set<String> nodes) {
    if (node == null && nodes.size() > 1) {
      throw new CommandFailure(
          place + " has backups of " + String.join(", ", nodes) + ": name one with --node");
    }
    if (node != null && !nodes.contains(node)) {
      throw new CommandFailure(
          place + " has none of " + node + ", but of " + String.join(", ", nodes));
    }
    return node == null ? nodes.iterator().next() : node;
  }

  private void list(BackupRepository repository, String node)
      throws IOException, InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NODE", "BACKUP", "TAKEN", "THROUGH", "BYTES", "STATE"));
    for (String one : repository.ids()) {
      try {
        BackupManifest manifest = repository.manifest(one);
        rows.add(
            List.of(
                node,
                one,
                manifest.at().toString(),
                Long.toString(manifest.through()),
                Long.toString(manifest.bytes()),
                repository.has(manifest.chunks()) ? "whole" : "objects are missing"));
      } catch (DamagedBackupException unreadable) {
        rows.add(List.of(node, one, "-", "-", "-", String.valueOf(unreadable.getMessage())));
      }
    }
    Table.lines(rows).forEach(out()::println);
  }

  private int restore(BackupRepository repository) throws IOException, InterruptedException {
    List<String> ids = repository.ids();
    String wanted = id == null ? ids.getLast() : id;
    if (!ids.contains(wanted)) {
      throw new CommandFailure("there is no backup " + wanted + "; --list shows them");
    }
    Path target = data;
    if (target != null && !isCheck && !isFree(target)) {
      throw new CommandFailure(target + " is not empty: name another folder, or move it away");
    }
    try {
      BackupManifest manifest = repository.manifest(wanted);
      List<StoredSegment> segments = segments(repository, manifest);
      tell(manifest, segments);
      ErasedList newest = newest(repository, ids);
      RestoreRun run = new RestoreRun(repository, manifest, segments, newest, err());
      if (isCheck || target == null) {
        run.check();
        out().println("sound");
      } else {
        run.into(target, isNewNode).lines().forEach(out()::println);
        out().println("restored into " + target + "; start the server on it");
      }
      return 0;
    } catch (DamagedBackupException damaged) {
      throw new CommandFailure(
          "backup "
              + wanted
              + " is not sound: "
              + damaged.getMessage()
              + "; nothing was restored. Try another with --backup; there are "
              + String.join(", ", ids));
    }
  }

  /** Who was erased, as the newest backup says, and the file by hand. */
  private ErasedList newest(BackupRepository repository, List<String> ids)
      throws IOException, InterruptedException {
    ErasedList byHand = ErasedList.NOBODY;
    if (erased != null) {
      if (!Files.isRegularFile(erased)) {
        throw new CommandFailure("there is no " + erased);
      }
      byHand = ErasedList.read(new FileDisk(), erased);
    }
    try {
      return byHand.plus(RestoreRun.erased(repository, repository.manifest(ids.getLast())));
    } catch (DamagedBackupException damaged) {
      if (erased == null) {
        throw new CommandFailure(
            "who was erased since cannot be read from the newest backup: "
                + damaged.getMessage()
                + "; nothing was restored. Give the file \"erased\" of the node's folder, or of"
                + " another backup, with --erased");
      }
      return byHand;
    }
  }

  private static boolean isFree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /** The segments to bring back; some of the oldest may be left out if that is allowed. */
  private List<StoredSegment> segments(BackupRepository repository, BackupManifest manifest) {
    List<StoredSegment> all = manifest.segments();
    int from = 0;
    for (int i = 0; i < all.size(); i++) {
      from = repository.has(all.get(i).chunks()) ? from : i + 1;
    }
    if (from == 0) {
      return all;
    }
    String what =
        "objects of the segments of sequences %d to %s are missing"
            .formatted(
                all.getFirst().first(),
                from < all.size() ? Long.toString(all.get(from).first() - 1) : "the end");
    if (!isLossy || from == all.size()) {
      throw new CommandFailure(
          "backup %s is not sound: %s; nothing was restored. Try another with --backup%s"
              .formatted(
                  manifest.id(),
                  what,
                  from == all.size() ? "" : ", or do without them with --allow-loss"));
    }
    err().println("gilmok: " + what + "; they are left out");
    return all.subList(from, all.size());
  }

  private void tell(BackupManifest manifest, List<StoredSegment> segments) {
    out()
        .printf(
            "backup %s of node %s, taken %s by %s: %,d bytes%n",
            manifest.id(),
            manifest.source().node(),
            manifest.at(),
            manifest.source().version(),
            manifest.bytes());
    out()
        .println(
            segments.isEmpty()
                ? "  log: no records"
                : "  log: sequences %d to %d, %d segments"
                    .formatted(segments.getFirst().first(), manifest.through(), segments.size()));
    out()
        .println(
            manifest.source().documents().equals(BackupPoint.SQLITE)
                ? "  documents: in it"
                : "  documents: in MongoDB, not in it; restore them there to a moment after this");
    out().printf("  other files: %d%n", manifest.files().size());
    out()
        .printf(
            "  what was accepted since %s is not in it; sequences go on at %d%n",
            manifest.at(), SequenceEpoch.after(manifest.through()));
  }
}
