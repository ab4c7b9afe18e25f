package gilmok.shipped;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a published Parquet file, and what it says.
 *
 * @param node whose records are in the file
 * @param first no record of the file has a lower sequence
 * @param last or a higher one
 * @param compaction how often its records were compacted: 0 for a file as it was published
 * @param part which part of the riders, from 1 on
 * @param parts of how many: a power of two
 * @param run a part that is too large for one file has further ones, from 2 on
 */
public record ShippedName(
    String node, long first, long last, int compaction, Kind kind, int part, int parts, int run) {
  /** The suffix of all names. */
  public static final String SUFFIX = ".parquet";

  private static final String MAX = String.format(Locale.ROOT, "%020d", Long.MAX_VALUE);

  private static final Pattern FORM =
      Pattern.compile(
          "([a-z0-9]{12})-(\\d{20})-(\\d{20})"
              + "(?:-c(\\d{1,9})-(riders|late|all)-(\\d{1,9})-of-(\\d{1,9})(?:-(\\d{1,9}))?)?"
              + "\\.parquet");

  /** Which records of an hour are in a file. */
  public enum Kind {
    /** Any, in the order of their sequences: as it was published. */
    PUBLISHED,
    /** Of a part of the riders, sorted by rider and time. */
    RIDERS,
    /** The same, of records that happened more than an hour before the hour of the folder. */
    LATE,
    /** All of a stream without riders, sorted by sequence. */
    ALL
  }

  /** The name of a file as it is published. */
  public static ShippedName published(String node, long first, long last) {
    return new ShippedName(node, first, last, 0, Kind.PUBLISHED, 1, 1, 1);
  }

  /** What a name says; null when it is no such name. */
  public static @Nullable ShippedName parse(String name) {
    Matcher form = FORM.matcher(name);
    if (!form.matches() || form.group(2).compareTo(MAX) > 0 || form.group(3).compareTo(MAX) > 0) {
      return null;
    }
    String node = form.group(1);
    long first = Long.parseLong(form.group(2));
    long last = Long.parseLong(form.group(3));
    if (form.group(4) == null) {
      return published(node, first, last);
    }
    int part = Integer.parseInt(form.group(6));
    int parts = Integer.parseInt(form.group(7));
    if (Integer.bitCount(parts) != 1 || part < 1 || part > parts) {
      return null;
    }
    return new ShippedName(
        node,
        first,
        last,
        Integer.parseInt(form.group(4)),
        Kind.valueOf(form.group(5).toUpperCase(Locale.ROOT)),
        part,
        parts,
        form.group(8) == null ? 1 : Integer.parseInt(form.group(8)));
  }

  /** Whether it can have records of a rider. */
  public boolean mayHave(byte[] riderId) {
    return (kind != Kind.RIDERS && kind != Kind.LATE)
        || RiderHash.part(riderId, 0, riderId.length, parts) == part - 1;
  }

  /** The name as it is on disk. */
  @Override
  public String toString() {
    String range = String.format(Locale.ROOT, "%s-%020d-%020d", node, first, last);
    if (kind == Kind.PUBLISHED) {
      return range + SUFFIX;
    }
    String word = kind.name().toLowerCase(Locale.ROOT);
    String more = run == 1 ? "" : "-" + run;
    return range + "-c" + compaction + "-" + word + "-" + part + "-of-" + parts + more + SUFFIX;
  }
}
