package gilmok.collect.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be read from JSON values of one kind: JSON pointers (RFC 6901), each with a number of
 * the caller's, as a tree of member names that is walked while the text is scanned. Not thread-safe
 * while it is built; immutable once it is used.
 */
public final class JsonPointers {
  /** The number of a place that no pointer names. */
  public static final int NONE = -1;

  private static final String LEADS_ON = "leads on from a value that is read itself";

  /** The longest name, in bytes of UTF-8. */
  public static final int NAME_BYTES_MAX = 128;

  /** One step of the pointers: the members, or the elements, that lead on from a value. */
  static final class Node {
    private byte[][] names = {};
    private Node[] children = {};

    /** The names of the steps before it, each with a point behind it. */
    final byte[] prefix;

    /** The number of the pointer that ends here. */
    int number = NONE;

    /** Whether the records are here. */
    boolean hasRecords;

    /** For each child: its name with a quotation mark, in two words, each followed by its mask. */
    private long[] words = {};

    private Node(byte[] prefix) {
      this.prefix = prefix;
    }

    /** Whether pointers lead on from here. */
    boolean leadsOn() {
      return children.length > 0;
    }

    private Node child(String name) {
      byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
      Node known = child(utf8);
      if (known != null) {
        return known;
      }
      byte[] longer = Arrays.copyOf(prefix, prefix.length + utf8.length + 1);
      System.arraycopy(utf8, 0, longer, prefix.length, utf8.length);
      longer[longer.length - 1] = '.';
      Node child = new Node(longer);
      int index = names.length;
      names = Arrays.copyOf(names, index + 1);
      names[index] = utf8;
      children = Arrays.copyOf(children, index + 1);
      children[index] = child;
      words = Arrays.copyOf(words, 4 * index + 4);
      byte[] padded = Arrays.copyOf(utf8, Math.max(utf8.length + 1, 16));
      padded[utf8.length] = '"';
      int length = Math.min(utf8.length + 1, 16);
      int at = 4 * index;
      words[at] = Bytes.word(padded, 0) & mask(Math.min(length, 8));
      words[at + 1] = mask(Math.min(length, 8));
      words[at + 2] = Bytes.word(padded, 8) & mask(Math.max(length - 8, 0));
      words[at + 3] = mask(Math.max(length - 8, 0));
      return child;
    }

    private @Nullable Node child(byte[] name) {
      for (int i = 0; i < names.length; i++) {
        if (Arrays.equals(names[i], name)) {
          return children[i];
        }
      }
      return null;
    }

    private static long mask(int bytes) {
      return bytes == 0 ? 0 : -1L >>> (64 - 8 * bytes);
    }

    /**
     * Finds a member by its name, which is followed by a quotation mark.
     *
     * @param bytes of which 16 can be read from {@code offset}
     * @param first the child to look at first: members usually come in the same order
     * @return the child's index, or {@link #NONE}
     */
    int find(byte[] bytes, int offset, int first) {
      long low = Bytes.word(bytes, offset);
      long high = Bytes.word(bytes, offset + 8);
      int count = names.length;
      for (int i = 0, child = first < count ? first : 0; i < count; i++) {
        int at = 4 * child;
        boolean isAlike =
            (((low & words[at + 1]) ^ words[at]) | ((high & words[at + 3]) ^ words[at + 2])) == 0;
        if (isAlike && isWhole(child, bytes, offset)) {
          return child;
        }
        child = child + 1 == count ? 0 : child + 1;
      }
      return NONE;
    }

    /** Whether all of a name is here, of which the first 16 bytes are. */
    private boolean isWhole(int child, byte[] bytes, int offset) {
      byte[] name = names[child];
      int end = offset + name.length;
      return name.length < 16
          || (end < bytes.length
              && bytes[end] == '"'
              && Arrays.equals(bytes, offset, end, name, 0, name.length));
    }

    /** The child at an index of {@link #find}. */
    Node at(int child) {
      return children[child];
    }

    /** The length of that child's name, in bytes. */
    int nameLength(int child) {
      return names[child].length;
    }

    /** The child for an element of an array; null when no pointer names it. */
    @Nullable Node element(int index) {
      return children.length == 0
          ? null
          : child(Integer.toString(index).getBytes(StandardCharsets.US_ASCII));
    }
  }

  final Node root = new Node(new byte[0]);
  private int count;

  /**
   * Adds a pointer.
   *
   * @param pointer checked by {@link #fault}
   * @param number what the reader is to call it
   * @return why it cannot be added; null when it was
   */
  public @Nullable String add(String pointer, int number) {
    Node node = root;
    for (String token : tokens(pointer)) {
      if (node.number != NONE || node.hasRecords) {
        return LEADS_ON;
      }
      node = node.child(token);
    }
    if (node.leadsOn() || node.hasRecords) {
      return "ends at a value that others lead on from";
    }
    if (node.number != NONE) {
      return "is read twice";
    }
    node.number = number;
    count++;
    return null;
  }

  /**
   * Says where the records are: in an array, or as the one object there.
   *
   * @param pointer empty for the whole text
   * @return why they cannot be there; null when they can
   */
  public @Nullable String records(String pointer) {
    Node node = root;
    for (String token : tokens(pointer)) {
      if (node.number != NONE) {
        return LEADS_ON;
      }
      node = node.child(token);
    }
    if (node.number != NONE || node.leadsOn()) {
      return "is read as a value, or others lead on from it";
    }
    node.hasRecords = true;
    return null;
  }

  /** How many pointers there are. */
  int count() {
    return count;
  }

  /** Why a text is no pointer; null when it is one. */
  public static @Nullable String fault(String pointer) {
    if (!pointer.isEmpty() && pointer.charAt(0) != '/') {
      return "must begin with /, as in /location/lat";
    }
    if (pointer.length() > POINTER_CHARS_MAX) {
      return "is over " + POINTER_CHARS_MAX + " characters long";
    }
    for (int i = pointer.indexOf('~'); i >= 0; i = pointer.indexOf('~', i + 1)) {
      if (i + 1 == pointer.length() || "01".indexOf(pointer.charAt(i + 1)) < 0) {
        return "has a ~ that is neither ~0 nor ~1";
      }
    }
    for (String token : tokens(pointer)) {
      if (token.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
        return "has a name of more than " + NAME_BYTES_MAX + " bytes";
      }
    }
    return null;
  }

  private static final int POINTER_CHARS_MAX = 4_096;

  /** The names of a pointer's steps, unescaped. */
  public static List<String> tokens(String pointer) {
    List<String> tokens = new ArrayList<>();
    if (!pointer.isEmpty()) {
      for (String token : pointer.substring(1).split("/", -1)) {
        tokens.add(token.replace("~1", "/").replace("~0", "~"));
      }
    }
    return tokens;
  }
}
