package gilmok.statements;

import gilmok.documents.MongoBson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.RawBsonDocumentCodec;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.BsonInput;
import org.bson.io.BsonInputMark;

/**
 * Measures the cost of decoding an answer's bytes into sums, in several ways. Each way is warmed up
 * and measured by itself. A program, not a test: {@code main(documents)}.
 */
final class EntriesSpeed {
  private static final int ROUNDS = 5;
  private static final long ROUND_NANOS = 1_000_000_000L;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final DecoderContext DECODING = DecoderContext.builder().build();

  private final byte[] reply;
  private final byte[] buffer = new byte[4_096];

  private EntriesSpeed(byte[] reply) {
    this.reply = reply;
  }

  /** One way from bytes to sums. */
  private interface Way {
    void sum(DaySums sums) throws IOException;
  }

  // Prints the processor time an answer in µs, for each way that of its fastest round.
  public static void main(String[] args) throws Exception {
    int count = args.length == 0 ? 2_000 : Integer.parseInt(args[0]);
    Random random = new Random(1);
    Map<Long, BsonDocument> inOrder = new TreeMap<>();
    IntStream.range(0, count)
        .mapToObj(_ -> Bsons.plain(random))
        .forEach(entry -> inOrder.put(entry.getInt64("at").getValue(), entry));
    EntriesSpeed speed = new EntriesSpeed(Bsons.bytes(Bsons.reply(List.copyOf(inOrder.values()))));
    System.out.printf("%d documents, %d bytes%n", inOrder.size(), speed.reply.length);
    Map<String, Way> ways =
        Map.of(
            "the whole answer by hand", speed::byHand,
            "the whole answer copied, then by hand", speed::copiedByHand,
            "each document copied in a codec, then by hand", speed::eachByHand,
            "each document piped in a codec, then by hand", speed::eachPiped,
            "field by field from the driver's reader", speed::byReader,
            "the driver's Document", speed::byDocument,
            "the copy that the driver makes for listeners (no sums)", speed::listeners);
    for (Map.Entry<String, Way> way : new TreeMap<>(ways).entrySet()) {
      System.out.printf("%8.1f us of processor: %s%n", speed.best(way.getValue()), way.getKey());
    }
  }

  private double best(Way way) throws IOException {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadCpuTime();
      long times = 0;
      long taken = 0;
      while (taken < ROUND_NANOS) {
        for (int i = 0; i < 100; i++) {
          way.sum(new DaySums(Bsons.DAYS.count()));
        }
        times += 100;
        taken = THREADS.getCurrentThreadCpuTime() - before;
      }
      best = Math.min(best, taken / 1_000.0 / times);
    }
    return best;
  }

  private void byHand(DaySums sums) throws IOException {
    BsonEntries entries = new BsonEntries(Bsons.DAYS, "KRW", sums);
    entries.addReply(reply, BsonEntries.lastIfFull(reply, MongoEntries.BATCH_ENTRIES_MAX));
  }

  private void copiedByHand(DaySums sums) throws IOException {
    byte[] copy = reply.clone();
    new BsonEntries(Bsons.DAYS, "KRW", sums).addReply(copy);
  }

  private void eachByHand(DaySums sums) throws IOException {
    BsonEntries entries = new BsonEntries(Bsons.DAYS, "KRW", sums);
    try (BsonBinaryReader reader = toFirstBatch()) {
      BsonInput input = reader.getBsonInput();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        BsonInputMark mark = input.getMark(0);
        int size = input.readInt32();
        buffer[0] = (byte) size;
        buffer[1] = (byte) (size >> 8);
        input.readBytes(buffer, 4, size - 4);
        mark.reset();
        reader.skipValue();
        entries.addDocuments(buffer, 0, size);
      }
    }
  }

  private void eachPiped(DaySums sums) throws IOException {
    BsonEntries entries = new BsonEntries(Bsons.DAYS, "KRW", sums);
    BasicOutputBuffer piped = new BasicOutputBuffer(512);
    try (BsonBinaryReader reader = toFirstBatch()) {
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        piped.truncateToPosition(0);
        try (BsonBinaryWriter writer = new BsonBinaryWriter(piped)) {
          writer.pipe(reader);
        }
        entries.addDocuments(piped.getInternalBuffer(), 0, piped.getPosition());
      }
    }
  }

  private void byReader(DaySums sums) {
    try (BsonBinaryReader reader = toFirstBatch()) {
      int day = 0;
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        day = one(reader, sums, day);
      }
    }
  }

  private static int one(BsonReader reader, DaySums sums, int guess) {
    long at = 0;
    EntryKind kind = EntryKind.FEE;
    long amount = 0;
    long distance = 0;
    String currency = "";
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "at" -> at = MongoBson.whole(reader);
        case "kind" -> kind = EntryKind.ofLabel(reader.readString());
        case "amount" -> amount = MongoBson.whole(reader);
        case "distance" -> distance = MongoBson.whole(reader);
        case "currency" -> currency = reader.readString();
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    int day = Bsons.DAYS.dayOf(at, guess);
    if (currency.equals("KRW") && kind != null) {
      sums.add(day, kind, amount, distance);
    }
    return day;
  }

  private void byDocument(DaySums sums) {
    DocumentCodec codec = new DocumentCodec();
    int day = 0;
    try (BsonBinaryReader reader = toFirstBatch()) {
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        Document entry = codec.decode(reader, DECODING);
        day = Bsons.DAYS.dayOf(entry.getLong("at"), day);
        EntryKind kind = EntryKind.ofLabel(entry.getString("kind"));
        if (entry.getString("currency").equals("KRW") && kind != null) {
          sums.add(day, kind, entry.getLong("amount"), entry.getLong("distance"));
        }
      }
    }
  }

  private void listeners(DaySums sums) {
    try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(reply))) {
      if (new RawBsonDocumentCodec().decode(reader, DECODING).getByteBuffer().remaining() == 0) {
        throw new IllegalStateException("nothing for " + sums.days());
      }
    }
  }

  private BsonBinaryReader toFirstBatch() {
    BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(reply));
    reader.readStartDocument();
    reader.readName("cursor");
    reader.readStartDocument();
    reader.readName("firstBatch");
    reader.readStartArray();
    return reader;
  }
}
