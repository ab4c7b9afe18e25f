package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A listener is told of each record once, in order, when it is durable. */
@Tag("unit")
final class CommitListenerTest {
  private final LogRig rig = new LogRig();

  @Test
  void records_areTold_likeAReaderReadsThem() throws Exception {
    Map<Long, String> told = new ConcurrentSkipListMap<>();
    Map<Long, String> read = new TreeMap<>();
    try (Log log = rig.open()) {
      append(log, List.of("before"));
      log.onCommit(
          records -> {
            List<String> texts = new ArrayList<>();
            while (records.next()) {
              byte[] text = new byte[records.length()];
              records.bytes().get(records.offset(), text);
              texts.add(records.stream() + " " + new String(text, StandardCharsets.UTF_8));
            }
            assertThat(log.durable()).isGreaterThanOrEqualTo(records.last());
            assertThat(records.receivedAtMillis()).isEqualTo(rig.now.get());
            for (int i = 0; i < texts.size(); i++) {
              told.put(records.last() - texts.size() + 1 + i, texts.get(i));
            }
          });
      for (int i = 0; i < 200; i++) { // some segments
        append(log, List.of("one-" + i, "repeat", "two-" + i + "-".repeat(i)));
      }
      LogRig.await(() -> told.size() == 401);
      try (LogReader reader = log.reader(2)) {
        while (reader.next()) {
          read.put(reader.sequence(), reader.stream() + " " + Records.text(reader));
        }
      }
    }
    assertThat(told).isEqualTo(read);
    rig.checkSound();
  }

  private static void append(Log log, List<String> texts) throws InterruptedException {
    LogRig.awaitReady(log);
    CountDownLatch durable = new CountDownLatch(1);
    assertThat(log.append(Records.draft(texts), AppendCompletion.of(durable::countDown)))
        .isEqualTo(AppendResult.TAKEN);
    durable.await();
  }
}
