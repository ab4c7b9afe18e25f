package gilmok.cli;

import static java.util.Objects.requireNonNull;

import gilmok.backup.BackupPoint;
import gilmok.backup.repository.BackupKey;
import gilmok.backup.repository.BackupManifest;
import gilmok.backup.repository.BackupManifest.StoredFile;
import gilmok.backup.repository.BackupManifest.StoredSegment;
import gilmok.backup.repository.BackupRepository;
import gilmok.backup.repository.DamagedBackupException;
import gilmok.backup.repository.FullStoreException;
import gilmok.log.SegmentFiles;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gilmok backup}: a copy of a node's data, from which restore makes a folder again. */
@Command(
    name = "backup",
    description = {
      "Copy a node's data: log, documents, secrets, cursors and receipts, all as of one moment. The"
          + " server goes on; its key needs the scope admin. Without --url, the folder of a stopped"
          + " server is copied. Segments and parts of the documents that are stored already are not"
          + " copied again.",
      "",
      "Documents in MongoDB are not in it: back them up there, after this. Nor are the files that"
          + " the sink has written, nor secrets in settings.",
      "",
      "The backup holds everything that is secret: encrypt it, or guard it like the data folder."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok backup --to backups",
      "  gilmok backup --new-key backup.key",
      "  gilmok backup --to sealed --encryption-key backup.key --keep 14"
    })
final class BackupCommand extends CliCommand implements Callable<Integer> {
  private static final long MEGABYTE = 1_000_000;
  private static final int TRIES = 5;

  /** While it copies its documents, a server that is well says so each half second. */
  private static final Duration SILENT_MIN = Duration.ofSeconds(2);

  @Option(
      names = "--to",
      paramLabel = "PLACE",
      description =
          "A folder, which is made, or s3://BUCKET/PREFIX. Several nodes may share a place.")
  @Nullable String place;

  @Option(
      names = "--encryption-key",
      paramLabel = "FILE",
      description = "Encrypt with the key in this file. Without it nothing can be restored.")
  @Nullable Path keyFile;

  @Option(
      names = "--new-key",
      paramLabel = "FILE",
      description = "Make a key for encrypted backups, and do nothing else.")
  @Nullable Path newKey;

  @Option(
      names = "--bandwidth",
      paramLabel = "MB",
      defaultValue = "50",
      description = "Read at most so many megabytes a second (default: ${DEFAULT-VALUE}).")
  int bandwidth;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "Afterwards delete all backups of this node but the newest N (default: none).")
  int keep;

  @Option(
      names = "--read-timeout",
      paramLabel = "SPAN",
      converter = DurationOption.class,
      defaultValue = "60s",
      description =
          "How long the server may be silent in the middle of an answer before the command fails"
              + " (default: ${DEFAULT-VALUE}).")
  Duration readTimeout = Duration.ZERO;

  @Mixin Access access = new Access();

  /** What was stored, for progress and for the last line. Owned by the command's thread. */
  private final List<StoredSegment> segments = new ArrayList<>();

  private volatile String doing = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (newKey != null) {
      return makeKey(newKey);
    }
    if (place == null) {
      throw wronglyAsked("--to is missing: where shall the backup go?");
    }
    if (bandwidth < 1 || keep < 0) {
      throw wronglyAsked("--bandwidth must be at least 1, --keep at least 0");
    }
    if (readTimeout.compareTo(SILENT_MIN) < 0) {
      throw wronglyAsked("--read-timeout must be at least " + SILENT_MIN.toSeconds() + "s");
    }
    BackupKey key = keyFile == null ? null : BackupFiles.key(keyFile);
    PacedInput.Pace pace = new PacedInput.Pace(bandwidth * MEGABYTE);
    try (BackupSource source = source();
        BackupRepository repository =
            BackupRepository.open(BackupRepository.store(place), source.node(), key);
        ProgressLine _ = new ProgressLine(err(), () -> line(pace))) {
      BackupManifest made = make(source, repository, pace);
      report(made, repository);
    } catch (DamagedBackupException damaged) {
      throw new CommandFailure(
          place + ": " + damaged.getMessage() + "; name another place, or mend this one");
    } catch (FullStoreException full) {
      throw new CommandFailure(
          full.getMessage()
              + "; make room there, or name another place, and give the command again: what is"
              + " stored already is not copied again");
    }
    return 0;
  }

  private int makeKey(Path file) throws IOException {
    try {
      BackupKey.make(file);
    } catch (FileAlreadyExistsException there) {
      throw new CommandFailure(file + " is there already; name another file");
    }
    out().println("made " + file + ": keep a copy elsewhere, or no backup can be restored");
    return 0;
  }

  private BackupSource source() throws IOException, InterruptedException {
    FolderSource stopped = access.named() == null ? FolderSource.takeIfStopped(access.data) : null;
    if (stopped == null) {
      return new ServerSource(new ApiClient(access.target()), readTimeout);
    }
    err().println("gilmok: no server runs on " + access.data + "; copying the folder itself");
    return stopped;
  }

  private String line(PacedInput.Pace pace) {
    return "%s; %,d MB read".formatted(doing, pace.read() / MEGABYTE);
  }

  private BackupManifest make(
      BackupSource source, BackupRepository repository, PacedInput.Pace pace)
      throws IOException, InterruptedException {
    Map<String, StoredSegment> stored = stored(repository);
    // First what never changes and may be much, so that little is left when the point is made.
    for (BackupSource.Segment segment : source.ended()) {
      doing = "segment " + segment.first();
      StoredSegment one = segment(source, repository, pace, segment, stored);
      if (one != null) {
        stored.put(name(one.first(), one.epoch()), one);
      }
    }
    BackupSource.Point point =
        source.point(
            bandwidth * MEGABYTE,
            (bytes, of) ->
                doing =
                    "the server copies its documents, %,d of %,d MB"
                        .formatted(bytes / MEGABYTE, of / MEGABYTE));
    for (BackupSource.Segment segment : point.segments()) {
      doing = "segment " + segment.first();
      StoredSegment one = segment(source, repository, pace, segment, stored);
      if (one == null) {
        throw new CommandFailure(
            "the log has deleted the segment of sequence %d meanwhile; give the command again"
                .formatted(segment.first()));
      }
      segments.add(one);
    }
    List<StoredFile> files = new ArrayList<>();
    for (int i = 0; i < point.files().size(); i++) {
      BackupSource.PointFile file = point.files().get(i);
      doing = file.path();
      int index = i;
      List<String> chunks =
          store(repository, pace, file.bytes(), file.path(), () -> source.open(point, index));
      files.add(new StoredFile(file.path(), file.bytes(), requireNonNull(chunks)));
    }
    BackupManifest manifest =
        new BackupManifest(
            Instant.ofEpochMilli(point.atMillis()),
            point.source(),
            point.through(),
            segments,
            files,
            point.settings());
    repository.add(manifest);
    return manifest;
  }

  /** The ended segments of the newest backup that are stored wholly. */
  private Map<String, StoredSegment> stored(BackupRepository repository)
      throws IOException, InterruptedException {
    Map<String, StoredSegment> stored = new HashMap<>();
    List<String> ids = repository.ids();
    if (!ids.isEmpty()) {
      for (StoredSegment one : repository.manifest(ids.getLast()).segments()) {
        if (one.isEnded() && repository.has(one.chunks())) {
          stored.put(name(one.first(), one.epoch()), one);
        }
      }
    }
    return stored;
  }

  private static String name(long first, String epoch) {
    return first + " " + epoch;
  }

  /** Stores a segment, unless it is there; null if the log has deleted it. */
  private static @Nullable StoredSegment segment(
      BackupSource source,
      BackupRepository repository,
      PacedInput.Pace pace,
      BackupSource.Segment segment,
      Map<String, StoredSegment> stored)
      throws IOException, InterruptedException {
    String what = "segment " + segment.first();
    BackupSource.@Nullable Segment wanted = segment;
    for (int attempt = 1; wanted != null && attempt <= TRIES; attempt++) {
      StoredSegment there = stored.get(name(wanted.first(), wanted.epoch()));
      if (there != null && wanted.isEnded() && there.bytes() == wanted.bytes()) {
        return there;
      }
      BackupSource.Segment one = wanted;
      try {
        List<String> chunks = store(repository, pace, one.bytes(), what, () -> open(source, one));
        return chunks == null
            ? null
            : new StoredSegment(one.first(), one.epoch(), one.bytes(), one.isEnded(), chunks);
      } catch (RewrittenException rewritten) {
        wanted = source.again(segment.first());
      }
    }
    if (wanted != null) {
      throw new CommandFailure(what + " is rewritten again and again; give the command again");
    }
    return null;
  }

  /** The segment that was named has another in its place. */
  private static final class RewrittenException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Opens a segment, and makes sure that it is the one that was named. */
  private static @Nullable InputStream open(BackupSource source, BackupSource.Segment segment)
      throws IOException, InterruptedException {
    InputStream in = source.open(segment);
    if (in == null) {
      return null;
    }
    byte[] head = in.readNBytes(SegmentFiles.HEAD_BYTES);
    if (head.length == SegmentFiles.HEAD_BYTES
        && !Long.toHexString(SegmentFiles.epoch(head)).equals(segment.epoch())) {
      in.close();
      throw new RewrittenException();
    }
    return new SequenceInputStream(new ByteArrayInputStream(head), in);
  }

  /** Opens what is to be stored; null if it is gone. */
  private interface Opening {
    @Nullable InputStream open() throws IOException, InterruptedException;
  }

  /**
   * Stores something; null if it is gone. What breaks off is opened again: a place that answers
   * slowly lets the server wait, which then ends the answer. Chunks that are stored are not again.
   */
  private static @Nullable List<String> store(
      BackupRepository repository, PacedInput.Pace pace, long bytes, String what, Opening opening)
      throws IOException, InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      try (InputStream in = opening.open()) {
        return in == null ? null : repository.put(new PacedInput(in, pace), bytes);
      } catch (EOFException | PacedInput.BrokenException brokenOff) {
        // Tried again.
      }
    }
    throw new CommandFailure(what + " broke off again and again; give the command again");
  }

  private void report(BackupManifest made, BackupRepository repository)
      throws IOException, InterruptedException {
    out()
        .printf(
            "backup %s of node %s: log through sequence %d, %d segments and %d files, %,d MB;"
                + " %,d MB stored%n",
            made.id(),
            made.source().node(),
            made.through(),
            made.segments().size(),
            made.files().size(),
            made.bytes() / MEGABYTE,
            repository.storedBytes() / MEGABYTE);
    if (made.source().documents().equals(BackupPoint.MONGODB)) {
      out().println("documents are in MongoDB and not in it: back them up there, now");
    }
    if (keyFile == null) {
      out().println("not encrypted: whoever can read it has the secrets of the data folder");
    }
    if (keep > 0) {
      out().printf("deleted %d older backups%n", repository.prune(keep));
    }
    out().println("restore it with: gilmok restore --from " + place + " --data NEWDIR");
  }
}
