package gilmok.lab.statements;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.Document;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * A stub of MongoDB on loopback: as much of it as the driver needs to read one collection in
 * batches, and to insert. It records the commands that it receives. Thread-safe.
 */
final class StubDatabase implements AutoCloseable {
  private static final DocumentCodec CODEC = new DocumentCodec();
  private static final int OP_REPLY = 1;
  private static final int OP_QUERY = 2004;

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Document> kept = new CopyOnWriteArrayList<>();
  private final Map<Long, Integer> cursors = new ConcurrentHashMap<>();
  private final AtomicLong nextCursor = new AtomicLong(1);

  StubDatabase(int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      kept.add(new Document("_id", i));
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /**
   * The names of the commands received, in order, without those that drivers send by themselves.
   */
  List<String> asked() {
    return asked;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (true) {
        byte[] message = new byte[Integer.reverseBytes(in.readInt()) - 4];
        in.readFully(message);
        out.write(reply(message));
      }
    } catch (IOException gone) {
      return;
    }
  }

  private byte[] reply(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    int id = bytes.getInt(0);
    boolean old = bytes.getInt(8) == OP_QUERY;
    int body = 17;
    if (old) {
      int name = 16;
      while (message[name] != 0) {
        name++;
      }
      body = name + 9;
    }
    Document command = decode(Arrays.copyOfRange(message, body, body + bytes.getInt(body)));
    byte[] answer = encode(answer(command, message));
    ByteBuffer out =
        ByteBuffer.allocate((old ? 36 : 21) + answer.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(out.capacity()).putInt(7).putInt(id).putInt(old ? OP_REPLY : MongoMessage.OP_MSG);
    if (old) {
      out.putInt(0).putLong(0).putInt(0).putInt(1);
    } else {
      out.putInt(0).put((byte) 0);
    }
    return out.put(answer).array();
  }

  private Document answer(Document command, byte[] message) {
    String name = command.keySet().iterator().next();
    switch (name) {
      case "find" -> {
        asked.add(name);
        return batch("firstBatch", 0, command.getInteger("batchSize", kept.size()));
      }
      case "getMore" -> {
        asked.add(name);
        Integer from = cursors.remove(command.getLong("getMore"));
        return from == null
            ? new Document("ok", 0).append("code", 43).append("errmsg", "no such cursor")
            : batch("nextBatch", from, command.getInteger("batchSize", kept.size()));
      }
      case "insert" -> {
        asked.add(name);
        // The documents are in a section of their own; their content does not matter here.
        kept.add(new Document("_id", kept.size()).append("bytes", message.length));
        return new Document("n", 1).append("ok", 1);
      }
      default -> {
        return new Document("ok", 1)
            .append("helloOk", true)
            .append("ismaster", true)
            .append("isWritablePrimary", true)
            .append("maxBsonObjectSize", 16_777_216)
            .append("maxMessageSizeBytes", 48_000_000)
            .append("maxWriteBatchSize", 100_000)
            .append("logicalSessionTimeoutMinutes", 30)
            .append("minWireVersion", 0)
            .append("maxWireVersion", 21);
      }
    }
  }

  private Document batch(String name, int from, int size) {
    int end = Math.min(kept.size(), from + size);
    // As in a MongoDB, a cursor keeps its number from batch to batch.
    long cursor = end == kept.size() ? 0 : nextCursor.get();
    if (cursor != 0) {
      cursors.put(cursor, end);
    } else {
      nextCursor.incrementAndGet();
    }
    return new Document(
            "cursor",
            new Document("id", cursor)
                .append("ns", "test.entries")
                .append(name, new ArrayList<>(kept.subList(from, end))))
        .append("ok", 1.0);
  }

  /** A message of one command, as the driver would send it. */
  static byte[] message(int id, Document command) {
    byte[] body = encode(command);
    ByteBuffer out = ByteBuffer.allocate(21 + body.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(out.capacity()).putInt(id).putInt(0).putInt(MongoMessage.OP_MSG).putInt(0);
    return out.put((byte) 0).put(body).array();
  }

  private static byte[] encode(Document document) {
    BasicOutputBuffer out = new BasicOutputBuffer();
    try (BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
      CODEC.encode(writer, document, EncoderContext.builder().build());
    }
    return out.toByteArray();
  }

  private static Document decode(byte[] bytes) {
    try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(bytes))) {
      return CODEC.decode(reader, DecoderContext.builder().build());
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
