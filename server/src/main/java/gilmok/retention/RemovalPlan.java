package gilmok.retention;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Documents that are archived as one file and then removed. It is stored before the file is written
 * and forgotten when all are removed, so whoever was killed in between goes on with the same
 * documents and the same name. Immutable.
 *
 * @param name of the archive's file, without a suffix
 * @param isArchived whether the file is durable; only then may a document be removed
 * @param rows at least one, in the order of pages
 */
public record RemovalPlan(String name, boolean isArchived, List<Row> rows) {
  private static final String PLANNED = "planned";
  private static final String ARCHIVED = "archived";

  /** Of the digest in a name: enough that two plans do not meet. */
  private static final int DIGEST_BYTES = 6;

  public RemovalPlan {
    rows = List.copyOf(rows);
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("nothing to remove");
    }
  }

  /** A document as it was archived: if its revision has changed since, it stays. */
  public record Row(String id, long revision) {}

  /**
   * A plan for these documents, of which no file exists. Its name has a digest of what it has, so
   * no other plan replaces its file: documents that have stayed may be the first and the last of a
   * later plan, too.
   *
   * @param labels the name's beginning
   */
  public static RemovalPlan of(String labels, List<Row> rows) {
    byte[] digest = sha256(lines(rows).toString());
    String name = labels + "-" + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    return new RemovalPlan(name, false, rows);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The id of the last one. */
  public String last() {
    return rows.getLast().id;
  }

  /** The plan as it is stored: a line for the file, and one for each document. */
  String text() {
    return (isArchived ? ARCHIVED : PLANNED) + ' ' + name + '\n' + lines(rows);
  }

  private static StringBuilder lines(List<Row> rows) {
    StringBuilder text = new StringBuilder(32 * rows.size());
    for (Row row : rows) {
      String id = URLEncoder.encode(row.id, StandardCharsets.UTF_8); // it may be any text
      text.append(id).append(' ').append(row.revision).append('\n');
    }
    return text;
  }

  /**
   * Reads what {@link #text} has written.
   *
   * @throws IllegalArgumentException when it is anything else
   */
  static RemovalPlan read(String text) {
    String[] lines = text.split("\n");
    String[] head = lines[0].split(" ");
    if (head.length != 2 || !(head[0].equals(PLANNED) || head[0].equals(ARCHIVED))) {
      throw new IllegalArgumentException("no plan of a removal: " + lines[0]);
    }
    List<Row> rows = new ArrayList<>(lines.length - 1);
    for (int i = 1; i < lines.length; i++) {
      String[] parts = lines[i].split(" ");
      if (parts.length != 2 || parts[0].isEmpty()) {
        throw new IllegalArgumentException("no document of a removal: " + lines[i]);
      }
      String id = URLDecoder.decode(parts[0], StandardCharsets.UTF_8);
      rows.add(new Row(id, Long.parseLong(parts[1])));
    }
    return new RemovalPlan(head[1], head[0].equals(ARCHIVED), rows);
  }
}
