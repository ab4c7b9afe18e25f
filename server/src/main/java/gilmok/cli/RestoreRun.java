package gilmok.cli;

import gilmok.backup.repository.BackupManifest;
import gilmok.backup.repository.BackupManifest.StoredFile;
import gilmok.backup.repository.BackupManifest.StoredSegment;
import gilmok.backup.repository.BackupRepository;
import gilmok.documents.SqliteDatabase;
import gilmok.log.SegmentFiles;
import gilmok.log.SequenceEpoch;
import gilmok.privacy.ErasedList;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.FileOutput;
import gilmok.storage.FolderFacts;
import gilmok.storage.FolderTree;
import gilmok.storage.NodeFile;
import gilmok.storage.NodeId;
import gilmok.storage.OwnerOnly;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes a data folder out of a backup: beside its place, checked and forced, and only then renamed.
 * What was killed leaves a folder that no server takes for its own, and the next run deletes it.
 *
 * @param segments those to bring back
 * @param newest who was erased, as far as is known now
 */
record RestoreRun(
    BackupRepository repository,
    BackupManifest manifest,
    List<StoredSegment> segments,
    ErasedList newest,
    PrintWriter err) {
  private static final String JOBS = "jobs";
  private static final String BESIDE = ".restoring";
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long MEGABYTE = 1_000_000;

  /** Reads everything, and checks it. */
  void check() throws IOException, InterruptedException {
    AtomicLong done = new AtomicLong();
    try (ProgressLine _ = new ProgressLine(err, () -> line(done))) {
      for (StoredSegment segment : segments) {
        repository.get(segment.chunks(), OutputStream.nullOutputStream());
        done.addAndGet(segment.bytes());
      }
      for (StoredFile file : manifest.files()) {
        repository.get(file.chunks(), OutputStream.nullOutputStream());
        done.addAndGet(file.bytes());
      }
    }
  }

  private String line(AtomicLong done) {
    return "%,d of %,d MB".formatted(done.get() / MEGABYTE, manifest.bytes() / MEGABYTE);
  }

  /**
   * Makes the folder.
   *
   * @param isNewNode whether it gets another node's id
   * @return what its log has
   */
  LogVerification into(Path target, boolean isNewNode) throws IOException, InterruptedException {
    int format = manifest.source().format();
    if (format > NodeFile.AUDIT_FORMAT) {
      throw new CommandFailure(
          "its data folder has format %d, this program knows %d: use a newer one"
              .formatted(format, NodeFile.AUDIT_FORMAT));
    }
    Disk disk = new FileDisk();
    Path whole = target.toAbsolutePath().normalize();
    Path beside = whole.resolveSibling(whole.getFileName() + BESIDE);
    if (Files.exists(beside)) {
      err.println("gilmok: " + beside + " is of a restore that did not end; it is deleted");
      FolderTree.delete(beside);
    }
    disk.createFolder(FolderTree.parent(whole));
    checkRoom(FolderTree.parent(whole));
    Files.createDirectory(beside, OwnerOnly.FOLDER);
    write(disk, beside);
    LogVerification log;
    try (ReadProgress progress = new ReadProgress(err)) {
      log = LogVerification.of(folder(disk, beside.resolve("log")), progress::read);
    }
    String damage =
        Files.exists(beside.resolve(SqliteDatabase.FILE)) ? SqliteDatabase.damage(beside) : null;
    if (damage != null) {
      throw new CommandFailure("the documents of this backup are damaged: " + damage);
    }
    listErased(disk, beside);
    SequenceEpoch.begin(beside, Math.max(manifest.through(), log.last()));
    NodeId node = NodeId.parse(manifest.source().node());
    NodeFile.write(
        beside,
        format,
        isNewNode ? NodeId.random(new SecureRandom()) : node,
        isNewNode ? node : null,
        FolderFacts.HOST);
    disk.forceFolder(beside);
    Files.deleteIfExists(whole); // it is empty, or not there
    disk.rename(beside, whole);
    disk.forceFolder(FolderTree.parent(whole));
    return log;
  }

  /** Who was erased on the node when a backup was made. */
  static ErasedList erased(BackupRepository repository, BackupManifest manifest)
      throws IOException, InterruptedException {
    StoredFile file = manifest.file(ErasedList.FILE);
    if (file == null) {
      return ErasedList.NOBODY;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    repository.get(file.chunks(), bytes);
    return ErasedList.read(bytes.toByteArray());
  }

  /** Lists who was erased, and of those whom this folder may have still. */
  private void listErased(Disk disk, Path beside) throws IOException, InterruptedException {
    ErasedList then = ErasedList.read(disk, beside.resolve(ErasedList.FILE));
    ErasedList pending = ErasedList.read(disk, beside.resolve(ErasedList.AGAIN));
    ErasedList again = pending.plus(newest.since(then));
    if (!newest.isEmpty()) {
      then.plus(newest).write(disk, beside.resolve(ErasedList.FILE));
    }
    if (!again.isEmpty()) {
      again.write(disk, beside.resolve(ErasedList.AGAIN));
      FolderTree.delete(beside.resolve(JOBS)); // they can be asked for again
    }
  }

  private void checkRoom(Path folder) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < manifest.bytes()) {
      throw new CommandFailure(
          "%s has %,d bytes free, and %,d are needed".formatted(folder, free, manifest.bytes()));
    }
  }

  private void write(Disk disk, Path beside) throws IOException, InterruptedException {
    AtomicLong done = new AtomicLong();
    try (ProgressLine _ = new ProgressLine(err, () -> line(done))) {
      for (StoredSegment segment : segments) {
        Path log = folder(disk, beside.resolve("log"));
        write(disk, SegmentFiles.path(log, segment.first()), segment.chunks());
        done.addAndGet(segment.bytes());
      }
      for (StoredFile file : manifest.files()) {
        Path path = beside.resolve(file.path()).normalize();
        if (!path.startsWith(beside)) {
          throw new CommandFailure(file.path() + " would be outside of the folder");
        }
        folder(disk, FolderTree.parent(path));
        write(disk, path, file.chunks());
        done.addAndGet(file.bytes());
      }
    }
  }

  private void write(Disk disk, Path path, List<String> chunks)
      throws IOException, InterruptedException {
    Files.createFile(path, OwnerOnly.FILE);
    try (FileOutput out = new FileOutput(disk.open(path), ByteBuffer.allocate(BUFFER_BYTES))) {
      repository.get(chunks, out);
      out.force();
    }
    disk.forceFolder(FolderTree.parent(path));
  }

  /** Makes a folder of the restored one, for its owner alone. */
  private static Path folder(Disk disk, Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      Path parent = folder(disk, FolderTree.parent(path));
      Files.createDirectory(path, OwnerOnly.FOLDER);
      disk.forceFolder(parent);
    }
    return path;
  }
}
