package gilmok.baseline;

import gilmok.event.DayRange;
import gilmok.statements.BsonEntries;
import gilmok.statements.DamagedBson;
import gilmok.statements.DaySums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinaryReader;
import org.bson.BsonType;
import org.bson.ByteBufNIO;
import org.bson.io.ByteBufferBsonInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The same by the server's own code: from the bytes of a database's answer to sums. One call is one
 * statement, its days too.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgs = {"-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class Ours {
  private static final ZoneId ZONE = ZoneId.of("Asia/Seoul");
  private static final String CURRENCY = "KRW";

  @Param({"200", "300", "1000", "2000"})
  public int documents;

  private byte[][] whole;
  private byte[] reply;
  private byte[] projected;

  /** All of it once, and whether it finds what the other ways find. */
  @Setup
  public void setUp() throws DamagedBson {
    whole = Recorded.whole(documents);
    reply = Recorded.reply(whole);
    projected = Recorded.reply(Recorded.projected(documents));
    Summing summing = new Summing(ZONE);
    for (byte[] bytes : whole) {
      summing.add(Mapping.entry(Recorded.document(bytes)));
    }
    Statement expected =
        summing.statement("rider-000123", Recorded.FIRST, Recorded.LAST, CURRENCY);
    require(expected, ours());
    require(expected, oursProjected());
    if (!expected.equals(oursByReader())) {
      throw new IllegalStateException("the ways differ");
    }
  }

  private static void require(Statement expected, DaySums found) {
    for (int day = 0; day < found.days(); day++) {
      Day other = expected.getDays().get(day);
      if (other.getCount() != found.count(day)
          || other.getFee() != found.fee(day)
          || other.getIncentive() != found.incentive(day)
          || other.getDeduction() != found.deduction(day)
          || other.getNet() != found.net(day)
          || other.getDistance() != found.distance(day) / 1_000.0) {
        throw new IllegalStateException("the ways differ on " + other.getDate());
      }
    }
  }

  /** Whole documents, as the other ways read them. */
  @Benchmark
  public DaySums ours() throws DamagedBson {
    return sums(reply);
  }

  /** The fields that the server asks for. */
  @Benchmark
  public DaySums oursProjected() throws DamagedBson {
    return sums(projected);
  }

  private static DaySums sums(byte[] answer) throws DamagedBson {
    DayRange days = DayRange.of(Recorded.FIRST, Recorded.LAST, ZONE);
    DaySums sums = new DaySums(days.count());
    new BsonEntries(days, CURRENCY, sums).addReply(answer);
    return sums;
  }

  /** By the driver's reader, field by field: no document, but a text for each name. */
  @Benchmark
  public Statement oursByReader() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      read(bytes, sums);
    }
    return sums.statement("rider-000123", Recorded.FIRST, Recorded.LAST, CURRENCY);
  }

  private static void read(byte[] bytes, Summing sums) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try (BsonBinaryReader reader =
        new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(buffer)))) {
      long at = 0;
      long amount = 0;
      long distance = 0;
      Kind kind = null;
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        switch (reader.readName()) {
          case "at" -> at = reader.readInt64();
          case "amount" -> amount = reader.readInt64();
          case "distance" -> distance = reader.readInt64();
          case "kind" -> kind = Kind.valueOf(reader.readString());
          default -> reader.skipValue();
        }
      }
      reader.readEndDocument();
      sums.add(at, kind, amount, distance);
    }
  }
}
