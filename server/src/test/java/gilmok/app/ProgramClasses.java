package gilmok.app;

import gilmok.Repository;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The program's classes for processes that tests start: in a jar, as users have them, with an
 * archive of loaded classes (CDS), which takes no classes from a folder. Starting without it costs
 * half as much processor time again. Both are made by the first process that needs them, and again
 * when a class or a library has changed.
 */
final class ProgramClasses {
  private static final Path FOLDER = Repository.root().resolve("server/target/program");
  private static final Path JAR = FOLDER.resolve("program.jar");
  private static final Path ARCHIVE = FOLDER.resolve("program.jsa");
  private static final List<String> OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
  private static final String MAIN = "gilmok.process.Main";
  private static final long PATIENCE_SECONDS = 60;

  private static final List<String> JAVA = java();

  private ProgramClasses() {}

  /** Java's own options for the program, and its main class; {@code more} options come first. */
  static List<String> command(String... more) {
    List<String> command = new ArrayList<>();
    command.add(executable());
    command.addAll(List.of(more));
    command.addAll(JAVA);
    return command;
  }

  private static String executable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> java() {
    try {
      List<Path> path =
          Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
              .map(Path::of)
              .toList();
      List<Path> folders =
          path.stream()
              .filter(entry -> Files.exists(entry.resolve("gilmok/process/Main.class")))
              .toList();
      List<String> libraries =
          path.stream().filter(Files::isRegularFile).map(Path::toString).toList();
      List<String> options = new ArrayList<>(OPTIONS);
      options.add("-cp");
      options.add(JAR + File.pathSeparator + String.join(File.pathSeparator, libraries));
      make(folders.getFirst(), options);
      List<String> java = new ArrayList<>();
      java.add("-XX:SharedArchiveFile=" + ARCHIVE);
      // Else the JVM says on standard output that these options leave a part of it unused.
      java.add("-Xlog:cds=off");
      java.addAll(options);
      java.add(MAIN);
      return java;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /** Makes the jar and the archive, unless another process of the tests has. */
  private static void make(Path classes, List<String> options)
      throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    try (FileChannel channel =
            FileChannel.open(
                FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      List<Path> files = files(classes);
      Path made = FOLDER.resolve("made-of");
      String now = contents(files, options);
      if (Files.exists(made) && Files.readString(made).equals(now)) {
        return;
      }
      Files.deleteIfExists(made);
      Files.deleteIfExists(ARCHIVE);
      pack(classes, files);
      archive(options);
      Files.writeString(made, now);
    }
  }

  private static List<Path> files(Path classes) throws IOException {
    try (Stream<Path> all = Files.walk(classes)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /**
   * Tells whether something has changed: the JVM, the libraries, or a file of the program. Each
   * build writes some files again as they were, so their times tell nothing.
   */
  private static String contents(List<Path> files, List<String> options) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(System.getProperty("java.vm.version")).append('\n');
    text.append(executable()).append(' ').append(options).append('\n');
    for (Path file : files) {
      CRC32 sum = new CRC32();
      sum.update(Files.readAllBytes(file));
      text.append(file).append(' ').append(sum.getValue()).append('\n');
    }
    return text.toString();
  }

  private static void pack(Path classes, List<Path> files) throws IOException {
    try (OutputStream out = Files.newOutputStream(JAR);
        ZipOutputStream jar = new ZipOutputStream(out)) {
      jar.setLevel(1);
      for (Path file : files) {
        jar.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, jar);
      }
    }
  }

  /** Starts a server and stops it, and has Java keep the classes that it loaded. */
  private static void archive(List<String> options) throws IOException, InterruptedException {
    Path data = Files.createTempDirectory(FOLDER, "data");
    List<String> command = new ArrayList<>();
    command.add(executable());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:ArchiveClassesAtExit=" + ARCHIVE);
    command.addAll(options);
    command.add(MAIN);
    command.addAll(Program.serving(data));
    command.add("--until-ready");
    Path said = FOLDER.resolve("archive.log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GILMOK_"));
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    if (process.waitFor() != 0 || !Files.exists(ARCHIVE)) {
      throw new IOException("no archive of classes: " + Files.readString(said));
    }
    remove(data);
  }

  /** Removes a folder and what is in it; nothing where there is none. */
  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
