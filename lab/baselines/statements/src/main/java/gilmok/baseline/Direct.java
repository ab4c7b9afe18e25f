package gilmok.baseline;

import io.micronaut.context.ApplicationContext;
import io.micronaut.serde.bson.BsonBinaryMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinaryReader;
import org.bson.ByteBufNIO;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EnumCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.record.RecordCodecProvider;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The same without the driver's {@code Document} in between: by code that Micronaut generates at
 * build time, by the driver's codec of records, and from the bytes by hand. One call is one
 * statement.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgs = {"-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class Direct {
  private static final ZoneId ZONE = ZoneId.of("Asia/Seoul");
  private static final String CURRENCY = "KRW";

  @Param({"200", "300", "1000", "2000"})
  public int documents;

  private byte[][] whole;
  private ApplicationContext micronaut;
  private BsonBinaryMapper serde;
  private Codec<CodecEntry> codec;

  /** All of it once, and whether all ways find the same. */
  @Setup
  public void setUp() throws IOException {
    whole = Recorded.whole(documents);
    micronaut = ApplicationContext.run();
    serde = micronaut.getBean(BsonBinaryMapper.class);
    codec =
        CodecRegistries.fromProviders(
                new ValueCodecProvider(), new EnumCodecProvider(), new RecordCodecProvider())
            .get(CodecEntry.class);
    Summing summing = new Summing(ZONE);
    for (byte[] bytes : whole) {
      summing.add(Mapping.entry(Recorded.document(bytes)));
    }
    Statement expected = statement(summing);
    RawBson raw = rawByHand();
    for (int day = 0; day < raw.counts.length; day++) {
      Day other = expected.getDays().get(day);
      if (other.getCount() != raw.counts[day]
          || other.getFee() != raw.fees[day]
          || other.getIncentive() != raw.incentives[day]
          || other.getDeduction() != raw.deductions[day]
          || other.getDistance() != raw.distances[day] / 1_000.0) {
        throw new IllegalStateException("the ways differ on " + other.getDate());
      }
    }
    if (!expected.equals(micronautSerde()) || !expected.equals(recordCodec())) {
      throw new IllegalStateException("the ways differ");
    }
  }

  @TearDown
  public void tearDown() {
    micronaut.close();
  }

  /** Micronaut's serialisation, without reflection. */
  @Benchmark
  public Statement micronautSerde() throws IOException {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      SerdeEntry entry = serde.readValue(bytes, SerdeEntry.class);
      add(sums, entry.at(), entry.kind(), entry.amount(), entry.distance());
    }
    return statement(sums);
  }

  /** The driver's codec of records. */
  @Benchmark
  public Statement recordCodec() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      CodecEntry entry = decoded(bytes);
      add(sums, entry.at(), entry.kind(), entry.amount(), entry.distance());
    }
    return statement(sums);
  }

  /** From the bytes, by hand; it makes no statement, but its sums by day. */
  @Benchmark
  public RawBson rawByHand() {
    RawBson sums = new RawBson(Recorded.FIRST, Recorded.LAST, ZONE, CURRENCY);
    for (byte[] bytes : whole) {
      sums.add(bytes);
    }
    return sums;
  }

  private CodecEntry decoded(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try (BsonBinaryReader reader =
        new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(buffer)))) {
      return codec.decode(reader, DecoderContext.builder().build());
    }
  }

  private static void add(Summing sums, long at, Kind kind, long amount, Long distance) {
    sums.add(at, kind, amount, distance == null ? 0 : distance);
  }

  private static Statement statement(Summing sums) {
    return sums.statement("rider-000123", Recorded.FIRST, Recorded.LAST, CURRENCY);
  }
}
