package gilmok.lab.statements;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message of MongoDB's wire protocol, as far as replaying needs it. It wraps the given bytes and
 * may change them. Not thread-safe: owned by one connection.
 */
final class MongoMessage {
  static final int HEADER_BYTES = 16;
  static final int OP_MSG = 2013;

  private static final int REQUEST_ID = 4;
  private static final int RESPONSE_TO = 8;
  private static final int OPCODE = 12;
  private static final int FLAGS = 16;
  private static final int CHECKSUM_PRESENT = 1;
  private static final int MORE_TO_COME = 1 << 1;
  private static final int EXHAUST_ALLOWED = 1 << 16;
  private static final int BODY = 21;

  /** Fields that differ each time although the same is requested. */
  private static final Set<String> LEFT_OUT =
      Set.of("lsid", "$clusterTime", "maxTimeMS", "txnNumber");

  private final byte[] bytes;
  private final ByteBuffer buffer;

  MongoMessage(byte[] bytes) {
    this.bytes = bytes;
    this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  byte[] bytes() {
    return bytes;
  }

  int requestId() {
    return buffer.getInt(REQUEST_ID);
  }

  void responseTo(int id) {
    buffer.putInt(RESPONSE_TO, id);
  }

  /** Whether no response follows this message, or another message follows this response. */
  boolean moreToCome() {
    return buffer.getInt(OPCODE) == OP_MSG && (buffer.getInt(FLAGS) & MORE_TO_COME) != 0;
  }

  /** Forbids exhaust responses, which a server sends without further requests. */
  void forbidExhaust() {
    if (buffer.getInt(OPCODE) == OP_MSG) {
      buffer.putInt(FLAGS, buffer.getInt(FLAGS) & ~EXHAUST_ALLOWED);
    }
  }

  /** Whether it is a command in one document, without a checksum. */
  boolean isPlain() {
    return buffer.getInt(OPCODE) == OP_MSG
        && bytes.length > BODY + 4
        && (buffer.getInt(FLAGS) & (CHECKSUM_PRESENT | MORE_TO_COME)) == 0
        && bytes[BODY - 1] == 0
        && BODY + buffer.getInt(BODY) == bytes.length;
  }

  /** Whether its first section is the command's document; others may follow. */
  boolean hasBody() {
    return buffer.getInt(OPCODE) == OP_MSG && bytes.length > BODY + 4 && bytes[BODY - 1] == 0;
  }

  /** The name of the command: the first field of its document. */
  String command() {
    return name(BODY + 4);
  }

  /** The collection of the command, as {@code database.collection}; null if it has none. */
  @Nullable String collection() {
    int at = field(BODY, command().equals("getMore") ? "collection" : command());
    int database = field(BODY, "$db");
    if (at < 0 || database < 0 || type(at) != Bson.STRING || type(database) != Bson.STRING) {
      return null;
    }
    return text(database) + "." + text(at);
  }

  /** The request as bytes that are equal for equal requests. */
  Key key() {
    byte[] kept = new byte[bytes.length];
    int end = 0;
    int stop = BODY + buffer.getInt(BODY) - 1;
    for (int at = BODY + 4; at < stop; ) {
      int next = Bson.next(buffer, at);
      if (!LEFT_OUT.contains(name(at))) {
        System.arraycopy(bytes, at, kept, end, next - at);
        end += next - at;
      }
      at = next;
    }
    return new Key(Arrays.copyOf(kept, end));
  }

  /** The offset of the cursor id in a {@code getMore}; negative if there is none. */
  int askedCursor() {
    int at = field(BODY, "getMore");
    return at >= 0 && type(at) == Bson.INT64 ? value(at) : -1;
  }

  /** The offset of the cursor id in a response; negative if there is none. */
  int answeredCursor() {
    int cursor = field(BODY, "cursor");
    if (cursor < 0 || type(cursor) != Bson.DOCUMENT) {
      return -1;
    }
    int at = field(value(cursor), "id");
    return at >= 0 && type(at) == Bson.INT64 ? value(at) : -1;
  }

  /** Whether a response contains {@code ok: 1}. */
  boolean isOk() {
    int at = hasBody() ? field(BODY, "ok") : -1;
    return at >= 0
        && (type(at) == Bson.DOUBLE
            ? buffer.getDouble(value(at)) == 1.0
            : type(at) == Bson.INT32 && buffer.getInt(value(at)) == 1);
  }

  long number(int at) {
    return buffer.getLong(at);
  }

  void number(int at, long value) {
    buffer.putLong(at, value);
  }

  /** The offset of a field in the document at an offset; negative if there is none of that name. */
  private int field(int document, String name) {
    int stop = document + buffer.getInt(document) - 1;
    for (int at = document + 4; at < stop; at = Bson.next(buffer, at)) {
      if (name.equals(name(at))) {
        return at;
      }
    }
    return -1;
  }

  private byte type(int field) {
    return bytes[field];
  }

  private String name(int field) {
    return new String(
        bytes, field + 1, Bson.nameEnd(buffer, field) - field - 1, StandardCharsets.UTF_8);
  }

  private int value(int field) {
    return Bson.nameEnd(buffer, field) + 1;
  }

  private String text(int field) {
    int at = value(field);
    return new String(bytes, at + 4, buffer.getInt(at) - 1, StandardCharsets.UTF_8);
  }

  /** Bytes that are compared by content. Must not be changed. */
  static final class Key {
    private final byte[] bytes;
    private final int hash;

    Key(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    int length() {
      return bytes.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
