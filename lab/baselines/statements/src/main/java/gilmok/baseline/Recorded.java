package gilmok.baseline;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.ByteBufNIO;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.ByteBufferBsonInput;

/**
 * The documents of a rider's 31 days as a database's answer has them, BSON bytes, made from a seed:
 * every way reads the same.
 */
public final class Recorded {
  static final LocalDate FIRST = LocalDate.of(2026, 3, 1);
  static final LocalDate LAST = LocalDate.of(2026, 3, 31);

  private static final String[] PROJECTION = {"at", "kind", "amount", "currency", "distance"};
  private static final DocumentCodec CODEC =
      new DocumentCodec(
          CodecRegistries.fromProviders(new BsonValueCodecProvider(), new ValueCodecProvider(),
              new IterableCodecProvider(), new DocumentCodecProvider()));

  private Recorded() {}

  /** Whole documents. */
  public static byte[][] whole(int count) {
    byte[][] all = new byte[count][];
    Document[] documents = documents(count);
    for (int i = 0; i < count; i++) {
      all[i] = bytes(documents[i]);
    }
    return all;
  }

  /** Only the fields that are summed, as a query that asks for those is answered. */
  public static byte[][] projected(int count) {
    byte[][] all = new byte[count][];
    Document[] documents = documents(count);
    for (int i = 0; i < count; i++) {
      Document some = new Document();
      for (String field : PROJECTION) {
        some.append(field, documents[i].get(field));
      }
      all[i] = bytes(some);
    }
    return all;
  }

  /** Those documents as a database answers them to a query: in one batch. */
  public static byte[] reply(byte[][] documents) {
    List<RawBsonDocument> batch = new ArrayList<>();
    for (byte[] bytes : documents) {
      batch.add(new RawBsonDocument(bytes));
    }
    return bytes(
        new Document(
                "cursor",
                new Document("firstBatch", batch)
                    .append("id", 0L)
                    .append("ns", "gilmok.statement_entries"))
            .append("ok", 1.0));
  }

  private static Document[] documents(int count) {
    Random random = new Random(7);
    long begin = Instant.parse("2026-02-28T15:00:00Z").toEpochMilli();
    long length = 31L * 86_400_000;
    Document[] all = new Document[count];
    for (int i = 0; i < count; i++) {
      int of = random.nextInt(20);
      String kind = of == 0 ? "deduction" : of < 4 ? "incentive" : "fee";
      all[i] =
          new Document("_id", String.format("01KJ%022d:%s", i, kind))
              .append("riderId", "rider-000123")
              .append("at", begin + length * i / count)
              .append("kind", kind)
              .append("amount", 100L * (20 + random.nextInt(40)))
              .append("currency", "KRW")
              .append("deliveryId", String.format("01KJ%022d", i))
              .append("distance", (long) random.nextInt(6_000_000));
    }
    return all;
  }

  private static byte[] bytes(Document document) {
    BasicOutputBuffer out = new BasicOutputBuffer();
    try (BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
      CODEC.encode(writer, document, EncoderContext.builder().build());
    }
    return out.toByteArray();
  }

  /** As the driver decodes a document of an answer when nothing else was asked for. */
  static Document document(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try (BsonBinaryReader reader =
        new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(buffer)))) {
      return CODEC.decode(reader, DecoderContext.builder().build());
    }
  }
}
