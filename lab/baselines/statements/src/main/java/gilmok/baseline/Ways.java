package gilmok.baseline;

import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
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
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import tools.jackson.databind.json.JsonMapper;

/**
 * From the bytes of a rider's documents to the statement: the story's four ways. One call is one
 * statement.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgs = {"-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class Ways {
  private static final ZoneId ZONE = ZoneId.of("Asia/Seoul");

  @Param({"200", "300", "1000", "2000"})
  public int documents;

  private byte[][] whole;
  private MappingMongoConverter converter;
  private MappingMongoConverter handWritten;
  private JsonMapper jackson;

  /** All of it once, and whether all ways find the same. */
  @Setup
  public void setUp() {
    whole = Recorded.whole(documents);
    converter = Mapping.defaultConverter();
    handWritten = Mapping.handWritten();
    jackson = Mapping.jackson();
    Statement expected = defaultConverter();
    if (expected.getTotal().getCount() != documents
        || !expected.equals(jackson())
        || !expected.equals(jacksonText())
        || !expected.equals(handWrittenConverter())
        || !expected.equals(directMapping())
        || !expected.equals(defaultConverterRecord())
        || !expected.equals(directMappingRecord())) {
      throw new IllegalStateException("the ways differ");
    }
  }

  /** Spring Data's default converter, a Kotlin data class. */
  @Benchmark
  public Statement defaultConverter() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      sums.add(converter.read(StatementEntry.class, Recorded.document(bytes)));
    }
    return statement(sums);
  }

  /** The same, a Java record. */
  @Benchmark
  public Statement defaultConverterRecord() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      add(sums, converter.read(EntryRecord.class, Recorded.document(bytes)));
    }
    return statement(sums);
  }

  /** Jackson, from the document. */
  @Benchmark
  public Statement jackson() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      sums.add(jackson.convertValue(Recorded.document(bytes), StatementEntry.class));
    }
    return statement(sums);
  }

  /** Jackson, from the document's text. */
  @Benchmark
  public Statement jacksonText() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      sums.add(jackson.readValue(Recorded.document(bytes).toJson(), StatementEntry.class));
    }
    return statement(sums);
  }

  /** A converter of Spring Data written by hand. */
  @Benchmark
  public Statement handWrittenConverter() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      sums.add(handWritten.read(StatementEntry.class, Recorded.document(bytes)));
    }
    return statement(sums);
  }

  /** The document's getters, in the query's own code, a Kotlin data class. */
  @Benchmark
  public Statement directMapping() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      sums.add(Mapping.entry(Recorded.document(bytes)));
    }
    return statement(sums);
  }

  /** The same, a Java record. */
  @Benchmark
  public Statement directMappingRecord() {
    Summing sums = new Summing(ZONE);
    for (byte[] bytes : whole) {
      Document from = Recorded.document(bytes);
      add(
          sums,
          new EntryRecord(
              from.getString("_id"),
              from.getString("riderId"),
              from.getLong("at"),
              Kind.valueOf(from.getString("kind")),
              from.getLong("amount"),
              from.getString("currency"),
              from.getString("deliveryId"),
              from.getLong("distance")));
    }
    return statement(sums);
  }

  private static void add(Summing sums, EntryRecord entry) {
    Long distance = entry.distance();
    sums.add(entry.at(), entry.kind(), entry.amount(), distance == null ? 0 : distance);
  }

  private static Statement statement(Summing sums) {
    return sums.statement("rider-000123", Recorded.FIRST, Recorded.LAST, "KRW");
  }
}
