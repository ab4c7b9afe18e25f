package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.sinks.Batch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FirehoseEncoderTest {
  private final List<FirehoseEncoder.Call> calls = new ArrayList<>();
  private final FirehoseEncoder.Scratch scratch = new FirehoseEncoder.Scratch();

  private FirehoseEncoder pack(Batch batch, FirehoseConfig config) {
    FirehoseEncoder encoder = new FirehoseEncoder(batch, config, scratch);
    for (FirehoseEncoder.Call call = encoder.next(); call != null; call = encoder.next()) {
      calls.add(call);
    }
    return encoder;
  }

  /** The data of all records, in the order of sending. */
  private String sent() {
    StringBuilder text = new StringBuilder();
    calls.forEach(
        call ->
            call.records.forEach(data -> text.append(new String(data, StandardCharsets.UTF_8))));
    return text.toString();
  }

  /** Checks that each record's data is the lines that the call lists for it. */
  private void assertEachRecordHoldsItsLines(Batch batch) {
    List<String> lines = Batches.lines(batch);
    for (FirehoseEncoder.Call call : calls) {
      int bytes = 0;
      for (int record = 0; record < call.records.size(); record++) {
        StringBuilder said = new StringBuilder();
        for (int i = call.from(record); i < call.to(record); i++) {
          said.append(lines.get(call.line(i))).append('\n');
        }
        byte[] data = call.records.get(record);
        assertThat(new String(data, StandardCharsets.UTF_8)).isEqualTo(said.toString());
        bytes += data.length;
      }
      assertThat(call.bytes).isEqualTo(bytes);
    }
  }

  private static String joined(Batch batch) {
    return String.join("\n", Batches.lines(batch)) + "\n";
  }

  @Test
  void next_manyLines_fillsRecordsUpToTheStep() {
    Batch batch = Batches.positions(300);

    pack(batch, Told.config());

    assertThat(calls).hasSize(1);
    assertThat(sent()).isEqualTo(joined(batch));
    assertEachRecordHoldsItsLines(batch);
    int longest = 1 + Batches.lines(batch).stream().mapToInt(String::length).max().orElseThrow();
    List<byte[]> records = calls.getFirst().records;
    assertThat(records).allSatisfy(data -> assertThat(data.length).isLessThanOrEqualTo(5120));
    assertThat(records.subList(0, records.size() - 1))
        .allSatisfy(data -> assertThat(data.length).isGreaterThan(5120 - longest));
  }

  @Test
  void next_noPacking_putsEachLineIntoARecord() {
    Batch batch = Batches.positions(3);

    pack(batch, Told.config("pack-bytes-max", "0"));

    assertThat(calls.getFirst().records).hasSize(3);
    assertEachRecordHoldsItsLines(batch);
  }

  @Test
  void next_aLineThatIsLonger_goesAlone() {
    Batch batch = new Batches().position("a").log(6000).position("b").position("c").batch();

    pack(batch, Told.config());

    assertThat(calls.getFirst().records).hasSize(3);
    assertEachRecordHoldsItsLines(batch);
  }

  @Test
  void next_moreRecordsThanACallTakes_makesSeveral() {
    Batch batch = Batches.positions(1200);

    pack(batch, Told.config("pack-bytes-max", "0"));

    assertThat(calls.stream().map(call -> call.records.size())).containsExactly(500, 500, 200);
    assertThat(calls.stream().map(FirehoseEncoder.Call::firstLine)).containsExactly(0, 500, 1000);
    assertThat(sent()).isEqualTo(joined(batch));
    assertEachRecordHoldsItsLines(batch);
  }

  @Test
  void next_moreBytesThanACallTakes_makesSeveralBelowTheVendorsLimit() {
    Batches batches = new Batches();
    for (int i = 0; i < 150; i++) {
      batches.log(60_000);
    }

    pack(batches.batch(), Told.config("bytes-per-second-max", "5 MiB"));

    assertThat(calls).hasSize(3);
    for (FirehoseEncoder.Call call : calls) {
      int coded = 0;
      for (byte[] data : call.records) {
        coded += Base64.getEncoder().encode(data).length + "{\"Data\":\"\"},".length();
      }
      assertThat(coded).isLessThan(FirehoseLimits.CALL_BYTES_MAX - 1024);
    }
    assertThat(sent()).isEqualTo(joined(batches.batch()));
    assertEachRecordHoldsItsLines(batches.batch());
  }

  @Test
  void next_aSmallQuota_makesNoCallLargerThanASecondOfIt() {
    Batch batch = Batches.positions(50);

    pack(batch, Told.config("bytes-per-second-max", "4 KiB"));

    assertThat(calls)
        .hasSizeGreaterThan(2)
        .allSatisfy(call -> assertThat(call.bytes).isLessThanOrEqualTo(4096));
    assertThat(sent()).isEqualTo(joined(batch));
  }

  @Test
  void next_linesThatCannotBeSent_areLeftOutAndNoted() {
    Batch batch =
        new Batches().position("a").huge(1_100_000).position("b").damaged().position("c").batch();

    FirehoseEncoder encoder = pack(batch, Told.config());

    assertThat(encoder.tooLarge.stream()).containsExactly(1);
    assertThat(encoder.damaged.stream()).containsExactly(3);
    assertThat(calls).hasSize(1);
    assertThat(calls.getFirst().records).hasSize(2);
    assertThat(sent().lines()).hasSize(3).allMatch(line -> line.contains("\"traces\""));
  }

  @Test
  void next_theLargestLine_isSent() {
    String around = Batches.lines(new Batches().huge(1_000_000).batch()).getFirst();
    int left = FirehoseLimits.RECORD_BYTES_MAX - around.length() - 1;

    FirehoseEncoder fits = pack(new Batches().huge(1_000_000 + left).batch(), Told.config());
    assertThat(fits.tooLarge.isEmpty()).isTrue();
    assertThat(calls.getFirst().records.getFirst()).hasSize(FirehoseLimits.RECORD_BYTES_MAX);

    FirehoseEncoder over = pack(new Batches().huge(1_000_000 + left + 1).batch(), Told.config());
    assertThat(over.tooLarge.stream()).containsExactly(0);
    assertThat(calls).hasSize(1);
  }

  private static final String[] GZIP = {"pack-compression", "gzip", "pack-bytes-max", "40 KiB"};

  /** Checks that each compressed record, and all of them in a row, unzip to the lines listed. */
  private void assertZippedHoldTheirLines(Batch batch) {
    List<String> lines = Batches.lines(batch);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<String> said = new ArrayList<>();
    for (FirehoseEncoder.Call call : calls) {
      int bytes = 0;
      for (int record = 0; record < call.records.size(); record++) {
        List<String> own = new ArrayList<>();
        for (int i = call.from(record); i < call.to(record); i++) {
          own.add(lines.get(call.line(i)));
        }
        byte[] data = call.records.get(record);
        assertThat(data.length).isLessThanOrEqualTo(FirehoseLimits.RECORD_BYTES_MAX);
        assertThat(Unzipped.lines(data)).isEqualTo(own);
        said.addAll(own);
        all.writeBytes(data);
        bytes += data.length;
      }
      assertThat(call.bytes).isEqualTo(bytes);
    }
    assertThat(Unzipped.lines(all.toByteArray())).isEqualTo(said);
  }

  @Test
  void next_gzip_everyRecordIsAMemberAndTogetherTheyAreAFile() {
    Batch batch = Batches.positions(1200);

    pack(batch, Told.config(GZIP));

    assertThat(calls).hasSize(1);
    assertThat(calls.getFirst().records).hasSizeBetween(5, 12);
    assertZippedHoldTheirLines(batch);
    assertThat(calls.getFirst().to(calls.getFirst().records.size() - 1)).isEqualTo(1200);
    assertThat(calls.getFirst().bytes).isLessThan(joined(batch).length() / 3);
  }

  @Test
  void next_gzip_aLineThatIsTooLongIsSentIfItIsNotOnceCompressed() {
    Batch batch =
        new Batches().position("a").huge(1_100_000).position("b").noise(1_700_000).batch();

    FirehoseEncoder encoder = pack(batch, Told.config(GZIP));

    assertThat(encoder.tooLarge.stream()).containsExactly(3);
    assertThat(calls).hasSize(1);
    assertThat(calls.getFirst().to(2)).isEqualTo(3);
    assertZippedHoldTheirLines(batch);
  }

  @Test
  void next_gzip_severalLinesThatCannotBeCompressed_areARecordAllTheSame() {
    Batches batches = new Batches();
    for (int i = 0; i < 90; i++) {
      batches.noise(60_000);
    }
    Batch batch = batches.batch();

    String[] most = {"pack-compression", "gzip", "pack-bytes-max", "1000 KiB"};
    FirehoseEncoder encoder = pack(batch, Told.config(most));

    assertThat(encoder.tooLarge.isEmpty()).isTrue();
    assertZippedHoldTheirLines(batch);
  }

  @Test
  void next_gzip_moreBytesThanACallTakes_makesSeveral() {
    Batches batches = new Batches();
    for (int i = 0; i < 150; i++) {
      batches.noise(60_000);
    }
    Batch batch = batches.batch();

    pack(batch, Told.config("pack-compression", "gzip", "bytes-per-second-max", "5 MiB"));

    assertThat(calls)
        .hasSizeBetween(3, 4)
        .allSatisfy(
            call -> assertThat(call.bytes).isLessThanOrEqualTo(FirehoseLimits.CALL_DATA_BYTES_MAX));
    assertThat(calls.stream().mapToInt(call -> call.to(call.records.size() - 1)).sum())
        .isEqualTo(150);
    assertZippedHoldTheirLines(batch);
  }

  @Test
  void next_nothingThatCanBeSent_isNoCall() {
    pack(new Batches().damaged().batch(), Told.config());
    assertThat(calls).isEmpty();
  }

  @Test
  void next_shortLines_aRecordHoldsNoMoreThanCanBeTakenApartAgain() {
    Batch batch = Batches.positions(2100);

    pack(batch, Told.config("pack-bytes-max", "1000 KiB"));

    assertThat(calls.getFirst().records).hasSizeGreaterThan(4);
    assertThat(sent()).isEqualTo(joined(batch));
    for (FirehoseEncoder.Call call : calls) {
      for (int record = 0; record < call.records.size(); record++) {
        assertThat(call.to(record) - call.from(record))
            .isLessThanOrEqualTo(FirehoseLimits.RECORD_LINES_MAX);
      }
    }
    assertEachRecordHoldsItsLines(batch);
  }
}
