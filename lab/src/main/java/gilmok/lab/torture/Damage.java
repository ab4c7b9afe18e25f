package gilmok.lab.torture;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Damage to one file of a stopped server's data folder; it can be undone. Not thread-safe; blocks.
 */
final class Damage {
  private static final int FLIPPED_BITS = 0x5a;
  private static final String SINK_CURSORS = "cursors/ship.";
  private static final String CURSOR = ".cursor";
  private static final String FIRST_SEGMENT = "log/00000000000000000001.log";

  /** A segment's header and first footer are before this offset. */
  private static final int MARKED = 256;

  /** The beginning of a line by which the server's log or its programs ask for attention. */
  private static final Pattern LOUD = Pattern.compile("^(gilmok: |[^ ]+ (WARN|ERROR) )");

  private final Path data;
  private final Path place;
  private final How how;
  private final long at;
  private final byte[] good;

  /** The kind of damage. */
  enum How {
    FLIPPED,
    CUT,
    DELETED
  }

  /**
   * Prepares the damage and reads the good copy.
   *
   * @param place the file's path within the data folder
   * @param at the offset of a flipped byte, or the remaining length of a cut file
   */
  Damage(Path data, Path place, How how, long at) throws IOException {
    this.data = data;
    this.place = place;
    this.how = how;
    this.at = at;
    this.good = Files.readAllBytes(data.resolve(place));
  }

  /** Chooses a random file of the server, except those that it has shipped. */
  static Damage choose(Path data, RandomGenerator random) throws IOException {
    List<Path> folders = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        if (isHurt(data.relativize(file)) && Files.size(file) > 0) {
          files.add(file);
          folders.add(file.getParent());
        }
      }
    }
    // Chooses a folder first, so that a single file like node is chosen as often as many segments.
    List<Path> different = folders.stream().distinct().toList();
    Path folder = different.get(random.nextInt(different.size()));
    List<Path> own = files.stream().filter(file -> folder.equals(file.getParent())).toList();
    Path file = own.get(random.nextInt(own.size()));
    How how = howFor(file, random);
    long size = Files.size(file);
    return new Damage(
        data, data.relativize(file), how, how == How.FLIPPED ? random.nextLong(size) : size / 2);
  }

  /** SQLite cannot detect a flipped bit, so its file is only cut or deleted. */
  private static How howFor(Path file, RandomGenerator random) {
    boolean isDatabase = file.getFileName().toString().startsWith("documents.db");
    How[] ways = isDatabase ? new How[] {How.CUT, How.DELETED} : How.values();
    return ways[random.nextInt(ways.length)];
  }

  private static boolean isHurt(Path place) {
    String text = place.toString();
    return !text.startsWith("shipped")
        && !text.startsWith("receipts")
        && !text.startsWith("log/prepared-")
        && !text.equals("gilmok.lock")
        && !text.equals("drained")
        && !text.endsWith("-shm")
        && !text.endsWith("-wal");
  }

  /** Damages the file. */
  void hurt() throws IOException {
    Path file = data.resolve(place);
    switch (how) {
      case DELETED -> Files.delete(file);
      case CUT -> {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          open.setLength(at);
        }
      }
      case FLIPPED -> {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          open.seek(at);
          open.write(good[(int) at] ^ FLIPPED_BITS);
        }
      }
    }
  }

  /** Restores the good copy, unless the file was deleted by retention meanwhile. */
  void undo() throws IOException {
    if (how == How.DELETED || Files.exists(data.resolve(place))) {
      Files.write(data.resolve(place), good);
    }
  }

  /** The allowed outcomes. */
  Set<Outcome> expected() throws IOException {
    return DamageTable.of(kind(), how == How.DELETED);
  }

  /** The losses that are allowed if the server starts with the damage. */
  Toll toll() throws IOException {
    String name = place.toString();
    boolean isSink = name.startsWith(SINK_CURSORS);
    return new Toll(
        name.equals("snapshots/live"),
        isSink
            ? Set.of(name.substring(SINK_CURSORS.length(), name.length() - CURSOR.length()))
            : Set.of(),
        how == How.DELETED && kind().startsWith("oldest segment"));
  }

  /** Whether documents were damaged: then all documents ever written must be checked. */
  boolean isOfDocuments() {
    return place.toString().startsWith("documents.db");
  }

  /** Whether a start does not read the file: the good copy can then be restored after it. */
  boolean isOfAnOlderSegment() throws IOException {
    return isSegment(place) && how != How.DELETED && !kind().startsWith("newest");
  }

  private static boolean isSegment(Path place) {
    return place.toString().matches("log/\\d+\\.log");
  }

  /**
   * The name of the file's kind in the table. It depends on the other files; the file itself may be
   * gone.
   */
  private String kind() throws IOException {
    String name = place.toString();
    if (isSegment(place)) {
      return segmentKind();
    }
    if (name.equals("node") && how == How.CUT) {
      String left = new String(good, 0, (int) at, StandardCharsets.ISO_8859_1);
      return left.contains("\nborn=") || left.contains("\ndevice=")
          ? name
          : "node without where it lay";
    }
    if (name.equals("documents.db") && Files.exists(data.resolve("documents.db-wal"))) {
      return "documents.db beside its log";
    }
    if (name.equals("snapshots/repeats") && Files.notExists(data.resolve(FIRST_SEGMENT))) {
      return "snapshots/repeats of what was let go of";
    }
    return name;
  }

  private String segmentKind() throws IOException {
    List<String> others;
    try (Stream<Path> all = Files.list(data.resolve("log"))) {
      others =
          all.map(path -> path.getFileName().toString())
              .filter(name -> name.matches("\\d+\\.log"))
              .filter(name -> !name.equals(String.valueOf(place.getFileName())))
              .toList();
    }
    String own = String.valueOf(place.getFileName());
    boolean isNewest = others.stream().allMatch(name -> name.compareTo(own) < 0);
    boolean isOldest = others.stream().allMatch(name -> name.compareTo(own) > 0);
    String kind = isNewest ? "newest segment" : isOldest ? "oldest segment" : "older segment";
    if (how != How.DELETED && isEmptyFrom(at)) {
      return kind + ", where nothing is";
    }
    return isNewest && !others.isEmpty() && isEmptyFrom(MARKED) ? kind + ", empty" : kind;
  }

  private boolean isEmptyFrom(long from) {
    for (int i = (int) from; i < good.length; i++) {
      if (good[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether an output names the file by its full path, in a warning or in the last line of a
   * program.
   */
  boolean isNamedLoudly(String printed) {
    return printed.lines().filter(line -> LOUD.matcher(line).find()).anyMatch(this::isNamed);
  }

  private boolean isNamed(String line) {
    String folder = data.resolve("log").toString();
    boolean isSegmentGone = how == How.DELETED && isSegment(place);
    return names(line, data.resolve(place).toString())
        // Messages about a deleted segment name the folder, a neighbour, or the lost sequences.
        || (isSegmentGone && (names(line, folder) || line.contains(folder + "/")))
        || (isSegmentGone && line.contains("the log has no sequences "))
        // What remains of a cut node file may look like that of a copied folder.
        || (place.toString().equals("node")
            && how == How.CUT
            && line.contains(data + " is a copy of the folder of node "));
  }

  /** Whether a line contains a path, and not as the beginning of another one. */
  private static boolean names(String line, String path) {
    return Pattern.compile(Pattern.quote(path) + "(?![\\w/-]|\\.\\w)").matcher(line).find();
  }

  @Override
  public String toString() {
    return place
        + " "
        + how.name().toLowerCase(Locale.ROOT)
        + (how == How.DELETED
            ? ""
            : (how == How.CUT ? " to " : " at ") + at + " of " + good.length);
  }
}
