package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class PatientBodyTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean isCancelled = new AtomicBoolean();
  private final PatientBody body =
      new PatientBody(Duration.ofMillis(20), () -> new CommandFailure("silent"));
  private final InputStream in = opened();

  private InputStream opened() {
    body.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {
            asked.addAndGet((int) n);
          }

          @Override
          public void cancel() {
            isCancelled.set(true);
          }
        });
    return body.getBody().toCompletableFuture().join();
  }

  private static List<ByteBuffer> buffers(int... lengths) {
    return Arrays.stream(lengths).mapToObj(length -> ByteBuffer.wrap(new byte[length])).toList();
  }

  @Test
  void buffers_areReadInOrder_oneListAtATime_toTheEnd() throws IOException {
    body.onNext(buffers(3, 0, 2));
    assertThat(in.readNBytes(4)).hasSize(4);
    assertThat(asked).hasValue(1);
    body.onNext(buffers());
    body.onComplete();
    assertThat(in.readAllBytes()).hasSize(1);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void silence_isNoEnd_andGivesTheConnectionUp() throws IOException {
    body.onNext(buffers(1));
    assertThat(in.read()).isZero();
    assertThatThrownBy(in::read).isInstanceOf(CommandFailure.class).hasMessage("silent");
    assertThat(isCancelled).isTrue();
  }

  @Test
  void brokenOff_isNoEnd() {
    body.onError(new IOException("reset"));
    assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("reset");
  }
}
