package gilmok.lab.statements;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One message of MongoDB's wire protocol, as much of it as replaying needs. Over the bytes it was
 * given: they are its own. Not thread-safe: owned by one connection.
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

  /** What is another one each time, though the same is asked. */
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

  /** Whether no answer comes to this, or another one after this. */
  boolean moreToCome() {
    return buffer.getInt(OPCODE) == OP_MSG && (buffer.getInt(FLAGS) & MORE_TO_COME) != 0;
  }

  /** One answer only: the answers that a server sends unasked are not wanted. */
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

  /** Whether its first section is the command's document: also with others behind. */
  boolean hasBody() {
    return buffer.getInt(OPCODE) == OP_MSG && bytes.length > BODY + 4 && bytes[BODY - 1] == 0;
  }

  /** The command's name: its document's first field. */
  String command() {
    return name(BODY + 4);
  }

  /** What the command is about, as {@code database.collection}; null when it has no collection. */
  @Nullable String collection() {
    int at = field(BODY, command().equals("getMore") ? "collection" : command());
    int database = field(BODY, "$db");
    if (at < 0 || database < 0 || type(at) != Bson.STRING || type(database) != Bson.STRING) {
      return null;
    }
    return text(database) + "." + text(at);
  }

  /** What is asked, as bytes that are the same when the same is asked again. */
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

  /** Where the cursor's number of a {@code getMore} is; below 0 when there is none. */
  int askedCursor() {
    int at = field(BODY, "getMore");
    return at >= 0 && type(at) == Bson.INT64 ? value(at) : -1;
  }

  /** Where the cursor's number of an answer is; below 0 when there is none. */
  int answeredCursor() {
    int cursor = field(BODY, "cursor");
    if (cursor < 0 || type(cursor) != Bson.DOCUMENT) {
      return -1;
    }
    int at = field(value(cursor), "id");
    return at >= 0 && type(at) == Bson.INT64 ? value(at) : -1;
  }

  /** Whether an answer says {@code ok: 1}. */
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

  /** Where a field of the document at that place begins; below 0 when it has none so called. */
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

  /** Bytes by what is in them. Nobody may change them. */
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
