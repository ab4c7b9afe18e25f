package gilmok.lab.data;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings a set onto this machine by the program that its origin is read with, holds it to its
 * checksum, and puts it in its place whole, or not at all. Blocks; used by one thread.
 */
final class SetFetch {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final PublicSet set;
  private final @Nullable String from;

  /**
   * A fetch that has not started.
   *
   * @param from a copy to take it from: a repository's URL or path, or an archive; null: its origin
   */
  SetFetch(PublicSet set, @Nullable String from) {
    this.set = set;
    this.from = from;
  }

  /**
   * Brings the set, in place of one that is there.
   *
   * @param sets the folder of all sets
   * @return the set's folder
   * @throws IOException naming what failed, or what is not as it was published
   */
  Path into(Path sets) throws IOException, InterruptedException {
    Path scratch = ScratchFolder.create(sets, ".fetch-");
    try {
      Path files = Files.createDirectory(scratch.resolve("files"));
      switch (set.origin()) {
        case SetOrigin.PythonSources sources ->
            TarFile.unpack(
                from == null ? byPip(sources, scratch) : Path.of(from),
                sources.folder(),
                this::isWanted,
                files);
        case SetOrigin.GitCommit commit -> byGit(commit, scratch.resolve("clone"), files);
      }
      check(files);
      Path place = set.in(sets);
      if (Files.exists(place)) {
        ScratchFolder.delete(place);
      }
      return Files.move(files, place);
    } finally {
      ScratchFolder.delete(scratch);
    }
  }

  private boolean isWanted(String name) {
    return set.files().matcher(name).matches();
  }

  /** The archive. Its hash is pip's to check, before it runs anything of the package's. */
  private static Path byPip(SetOrigin.PythonSources sources, Path scratch)
      throws IOException, InterruptedException {
    Path wanted = scratch.resolve("wanted.txt");
    Files.writeString(
        wanted,
        sources.name() + "==" + sources.version() + " --hash=sha256:" + sources.sha256() + "\n");
    Path folder = Files.createDirectory(scratch.resolve("pip"));
    run(
        List.of(
            "python3",
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--no-binary",
            ":all:",
            "--require-hashes",
            "-r",
            wanted.toString(),
            "-d",
            folder.toString()));
    try (Stream<Path> brought = Files.list(folder)) {
      return brought
          .findFirst()
          .orElseThrow(() -> new IOException("pip brought no " + sources.name()));
    }
  }

  private void byGit(SetOrigin.GitCommit commit, Path clone, Path files)
      throws IOException, InterruptedException {
    String url = from == null ? commit.url() : from;
    run(List.of("git", "init", "--quiet", clone.toString()));
    git(clone, "remote", "add", "origin", url);
    // Files are brought when they are checked out, so only those of the folder.
    git(clone, "fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", commit.commit());
    git(clone, "checkout", "--quiet", commit.commit(), "--", commit.folder());
    Path folder = clone.resolve(commit.folder());
    for (String name : FolderHash.names(folder)) {
      if (isWanted(name)) {
        Path file = files.resolve(name);
        Files.createDirectories(file.getParent());
        Files.copy(folder.resolve(name), file);
      }
    }
  }

  private static void git(Path clone, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", clone.toString()));
    command.addAll(List.of(words));
    run(command);
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    int status =
        Shell.run(new ProcessBuilder(command).redirectErrorStream(true), PATIENCE, said::add);
    if (status != 0) {
      throw new IOException(String.join(" ", command) + "\n" + String.join("\n", said));
    }
  }

  private void check(Path files) throws IOException {
    int count = FolderHash.names(files).size();
    String hash = FolderHash.of(files);
    if (count != set.count() || !hash.equals(set.sha256())) {
      throw new IOException(
          "%s is not as it was published: %,d files with SHA-256 %s, not %,d with %s"
              .formatted(set.name(), count, hash, set.count(), set.sha256()));
    }
  }
}
