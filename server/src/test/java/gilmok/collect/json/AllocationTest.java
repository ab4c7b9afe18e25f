package gilmok.collect.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gilmok.event.DedupKey;
import gilmok.event.EventKind;
import gilmok.event.Events;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Decoding, the hot path, must not allocate. */
@Tag("unit")
class AllocationTest {
  @Test
  void decode_fiftyPositions_allocatesNothing() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < 50; i++) {
      text.append(i == 0 ? "" : ",").append("{\"riderId\":\"rider-0001").append(10 + i);
      text.append("\",\"at\":\"2026-01-31T12:00:")
          .append(10 + i)
          .append(".250Z\",\"lat\":37.49791");
      text.append(i).append(",\"lon\":127.02761").append(i).append(",\"speed\":8.").append(i);
      text.append(",\"accuracy\":12,\"bearing\":270.5,\"provider\":\"gps\"}");
    }
    byte[] body = text.append(']').toString().getBytes(StandardCharsets.UTF_8);
    JsonDecoder decoder = new JsonDecoder();
    Events events = new Events();
    DedupKey key = new DedupKey(new byte[16]);
    run(decoder, events, key, body, 1_000);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().threadId();
    long before = threads.getThreadAllocatedBytes(thread);
    run(decoder, events, key, body, 10_000);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    assertThat(allocated).as("bytes for 500,000 positions").isLessThan(100_000);
  }

  private static void run(
      JsonDecoder decoder, Events events, DedupKey key, byte[] body, int times) {
    for (int i = 0; i < times; i++) {
      if (decoder.decode(EventKind.POSITION, body, 0, body.length, events) != DecodeOutcome.READ
          || events.count() != 50) {
        throw new AssertionError(decoder.errorReason());
      }
      for (int j = 0; j < events.count(); j++) {
        key.hash(1, events.bytes(), events.offset(j), events.length(j));
      }
    }
  }
}
