package gilmok.lab.torture;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * One file of a stopped server's data folder that is hurt, and can be made good again. Not
 * thread-safe; blocks.
 */
final class Damage {
  private static final int FLIPPED_BITS = 0x5a;

  private final Path data;
  private final Path place;
  private final How how;
  private final long at;
  private final byte[] good;

  /** What is done to it. */
  enum How {
    FLIPPED,
    CUT,
    DELETED
  }

  /**
   * @param place which file, from the data folder
   * @param at for a flipped byte, where; for a cut file, how much is left
   */
  Damage(Path data, Path place, How how, long at) throws IOException {
    this.data = data;
    this.place = place;
    this.how = how;
    this.at = at;
    this.good = Files.readAllBytes(data.resolve(place));
  }

  /** Chooses among all files that are the server's own and not what it has shipped. */
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
    // First a folder, so that many segments do not crowd out the one node file.
    List<Path> different = folders.stream().distinct().toList();
    Path folder = different.get(random.nextInt(different.size()));
    List<Path> own = files.stream().filter(file -> folder.equals(file.getParent())).toList();
    Path file = own.get(random.nextInt(own.size()));
    How how = howFor(file, random);
    long size = Files.size(file);
    return new Damage(
        data, data.relativize(file), how, how == How.FLIPPED ? random.nextLong(size) : size / 2);
  }

  /** SQLite cannot tell a flipped bit, so its file is cut or gone. */
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

  /** Does it. */
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

  /** The good copy is put back. */
  void undo() throws IOException {
    Files.write(data.resolve(place), good);
  }

  /** Whether it is records themselves that were hurt. */
  boolean isOfTheLog() {
    return place.startsWith("log") && !isHarmless();
  }

  /** Whether it is of a segment that the start does not read, as it is not the newest. */
  boolean isOfAnOlderSegment() throws IOException {
    if (!isOfTheLog() || how == How.DELETED) {
      return false;
    }
    try (Stream<Path> all = Files.list(data.resolve("log"))) {
      String own = place.getFileName().toString();
      return own.endsWith(".log")
          && all.map(path -> path.getFileName().toString())
              .anyMatch(name -> name.endsWith(".log") && name.compareTo(own) > 0);
    }
  }

  /** Whether it may pass without a word: what is made anew at every start, or means nothing. */
  boolean isHarmless() {
    boolean isCacheGone = how == How.DELETED && place.startsWith("snapshots");
    boolean isUnwritten = how != How.DELETED && place.startsWith("log") && isEmptyFrom(at);
    return isCacheGone || isUnwritten;
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
   * Whether that text of the server's names the file, in a line that asks for attention; of a
   * segment that is gone, the log: a neighbour may tell.
   */
  boolean isNamedLoudly(String printed) {
    Path folder = data.resolve("log");
    return printed
        .lines()
        .filter(line -> !line.contains(" INFO "))
        .anyMatch(
            line ->
                line.contains(String.valueOf(place.getFileName()))
                    || (how == How.DELETED
                        && place.startsWith("log")
                        && line.contains(folder.toString())));
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
