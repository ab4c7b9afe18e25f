package gilmok.statements;

import gilmok.event.DayRange;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonElement;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/**
 * Random entries in MongoDB's BSON, usual or as unusual as BSON allows, and an oracle for their
 * sums.
 */
final class Bsons {
  static final DayRange DAYS =
      DayRange.of(
          LocalDate.parse("2026-03-01"), LocalDate.parse("2026-03-31"), ZoneId.of("Asia/Seoul"));
  private static final List<EntryKind> KINDS =
      List.of(EntryKind.FEE, EntryKind.INCENTIVE, EntryKind.DEDUCTION);
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private Bsons() {}

  /** An entry as our own index returns it. */
  static BsonDocument plain(Random random) {
    long length = DAYS.untilMillis() - DAYS.fromMillis();
    EntryKind kind = KINDS.get(random.nextInt(KINDS.size()));
    return new BsonDocument("at", new BsonInt64(DAYS.fromMillis() + random.nextLong(length)))
        .append("kind", new BsonString(kind.label()))
        .append("amount", new BsonInt64(random.nextInt(1_000_000)))
        .append("distance", new BsonInt64(random.nextInt(10_000_000)))
        .append("currency", new BsonString("KRW"));
  }

  /**
   * An entry with fields in any order, numbers of any type, other currencies and unknown fields.
   */
  static BsonDocument odd(Random random) {
    BsonDocument plain = plain(random);
    if (random.nextInt(5) == 0) {
      plain.put("currency", new BsonString(List.of("USD", "", "KRWW", "원").get(random.nextInt(4))));
    }
    if (random.nextInt(5) == 0) {
      plain.remove("distance");
    }
    List<BsonElement> fields = new ArrayList<>();
    plain.forEach((name, value) -> fields.add(new BsonElement(name, odd(random, name, value))));
    for (int n = random.nextInt(4); n > 0; n--) {
      String name =
          List.of("a", "", "attic", "amounts", "distances", "kin", "currencyOf", "거리", "x" + n)
              .get(random.nextInt(9));
      fields.add(new BsonElement(name + "_".repeat(n - 1), any(random, 2)));
    }
    Collections.shuffle(fields, random);
    BsonDocument odd = new BsonDocument();
    fields.forEach(field -> odd.putIfAbsent(field.getName(), field.getValue()));
    return odd;
  }

  private static BsonValue odd(Random random, String name, BsonValue value) {
    if (!value.isInt64()) {
      return value;
    }
    long number = value.asInt64().getValue();
    return switch (random.nextInt(3)) {
      case 0 -> new BsonDouble(number);
      case 1 -> name.equals("at") ? value : new BsonInt32((int) number);
      default -> value;
    };
  }

  private static BsonValue any(Random random, int depth) {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    String text = "글".repeat(random.nextInt(3)) + "x".repeat(random.nextInt(9));
    return switch (random.nextInt(depth > 0 ? 20 : 18)) {
      case 0 -> new BsonDouble(random.nextDouble());
      case 1 -> new BsonString(text);
      case 2 -> new BsonBinary(bytes);
      case 3 -> new BsonBinary((byte) 2, bytes);
      case 4 -> new BsonUndefined();
      case 5 -> new BsonObjectId(new ObjectId());
      case 6 -> new BsonBoolean(random.nextBoolean());
      case 7 -> new BsonDateTime(random.nextLong());
      case 8 -> new BsonNull();
      case 9 -> new BsonRegularExpression(text, "i");
      case 10 -> new BsonJavaScript(text);
      case 11 -> new BsonSymbol(text);
      case 12 -> new BsonInt32(random.nextInt());
      case 13 -> new BsonTimestamp(random.nextLong());
      case 14 -> new BsonInt64(random.nextLong());
      case 15 -> new BsonDecimal128(new Decimal128(random.nextLong()));
      case 16 -> new BsonMinKey();
      case 17 -> new BsonMaxKey();
      case 18 -> new BsonArray(List.of(any(random, depth - 1), any(random, depth - 1)));
      default ->
          random.nextBoolean()
              ? new BsonJavaScriptWithScope(text, new BsonDocument("x", any(random, depth - 1)))
              : new BsonDocument("at", any(random, depth - 1)).append("kind", any(random, 0));
    };
  }

  /** An answer to {@code find} that contains all these entries. */
  static BsonDocument reply(List<BsonDocument> entries) {
    BsonDocument cursor =
        new BsonDocument("firstBatch", new BsonArray(entries))
            .append("id", new BsonInt64(0))
            .append("ns", new BsonString("gilmok.statement_entries"));
    return new BsonDocument("cursor", cursor).append("ok", new BsonDouble(1));
  }

  /** The bytes of a document. */
  static byte[] bytes(BsonDocument document) {
    BasicOutputBuffer buffer = new BasicOutputBuffer();
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      CODEC.encode(writer, document, EncoderContext.builder().build());
    }
    return buffer.toByteArray();
  }

  /** The bytes of several documents, one after the other. */
  static byte[] run(List<BsonDocument> all) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    all.forEach(one -> out.writeBytes(bytes(one)));
    return out.toByteArray();
  }

  /** The oracle: sums over an answer that the driver has decoded. */
  static DaySums oracle(byte[] reply, String currency) {
    DaySums sums = new DaySums(DAYS.count());
    try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(reply))) {
      BsonDocument read = CODEC.decode(reader, DecoderContext.builder().build());
      for (BsonValue value : read.getDocument("cursor").getArray("firstBatch")) {
        BsonDocument entry = value.asDocument();
        String of = entry.getString("currency").getValue();
        if (of.equals(currency)) {
          sums.add(
              DAYS.dayOf(entry.getNumber("at").longValue(), 0),
              EntryKind.valueOf(
                  entry.getString("kind").getValue().toUpperCase(java.util.Locale.ROOT)),
              entry.getNumber("amount").longValue(),
              entry.getNumber("distance", new BsonInt64(0)).longValue());
        } else {
          sums.leaveOut(of);
        }
      }
    }
    return sums;
  }

  /** The sums as text, for comparing. */
  static String text(DaySums sums) {
    StringBuilder text = new StringBuilder();
    for (int day = 0; day < sums.days(); day++) {
      text.append(
          "%s: %d %d %d %d %d%n"
              .formatted(
                  day,
                  sums.count(day),
                  sums.fee(day),
                  sums.incentive(day),
                  sums.deduction(day),
                  sums.distance(day)));
    }
    return text.append(sums.otherCurrencies()).toString();
  }
}
