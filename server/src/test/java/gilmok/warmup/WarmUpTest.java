package gilmok.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A warm-up of a small HTTP listener, which answers with the status that the test sets. */
@Tag("server")
final class WarmUpTest {
  private static final String SCRIPT =
      """
      ### rare
      # expect 200
      GET /rare
      ### hot
      # expect 200
      # times 8
      GET /hot
      ### seldom
      # expect 200
      # seldom
      GET /seldom
      """;

  private final AtomicInteger rare = new AtomicInteger();
  private final AtomicInteger hot = new AtomicInteger();
  private final AtomicInteger seldom = new AtomicInteger();
  private List<Integer> afterBranches = List.of();
  private volatile int status = 200;
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              while (!server.isClosed()) {
                try {
                  Socket socket = server.accept();
                  Thread.ofVirtual().start(() -> answer(socket));
                } catch (IOException closed) {
                  return;
                }
              }
            });
  }

  private void answer(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        head.append((char) next);
        if (head.toString().endsWith("\r\n\r\n")) {
          String path = head.substring("GET /".length(), head.indexOf(" HTTP"));
          (path.equals("hot") ? hot : path.equals("rare") ? rare : seldom).incrementAndGet();
          head.setLength(0);
          String answer = "HTTP/1.1 " + status + " As told\r\nContent-Length: 2\r\n\r\nok";
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException closed) {
      // The warm-up is over.
    }
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private WarmUpReport warmUp(Duration limit, Consumer<WarmUpReport> watcher)
      throws InterruptedException {
    WarmUp.Target target = WarmUp.Target.plain(server.getLocalPort(), Map.of(), plain -> plain);
    WarmUp warmUp =
        new WarmUp(
            new WarmUp.Bounds(limit, 2), List.of(WarmUpScript.parse("some", SCRIPT)), watcher);
    warmUp.branches(target);
    afterBranches = List.of(rare.get(), hot.get(), seldom.get());
    warmUp.crowd(target);
    return warmUp.end();
  }

  @Test
  void asksEveryBranch_thenWhatComesInCrowds_untilSteady() throws Exception {
    List<WarmUpReport> seen = new ArrayList<>();
    WarmUpReport report = warmUp(Duration.ofMinutes(2), seen::add);
    assertThat(report.verdict()).isEqualTo(WarmUpReport.Verdict.STEADY);
    assertThat(report.surprises()).isEmpty();
    assertThat(report.curve().getFirst().phase()).isEqualTo(WarmUpWindow.Phase.BRANCHES);
    assertThat(report.curve()).extracting(WarmUpWindow::phase).contains(WarmUpWindow.Phase.LOAD);
    assertThat(report.curve().getLast().phase()).isEqualTo(WarmUpWindow.Phase.SETTLING);
    assertThat(report.curve().getLast().requests()).as("at most what was under way").isZero();
    assertThat(report.rate()).isPositive();
    assertThat(seen).hasSize(report.curve().size() + 1);
    assertThat(seen.getLast()).isEqualTo(report);
    assertThat(seen.getFirst().verdict()).isEqualTo(WarmUpReport.Verdict.WARMING);
    assertThat(afterBranches).as("every branch once").containsExactly(1, 1, 1);
    assertThat(rare.get()).as("a crowd takes the branches, too").isGreaterThan(1);
    assertThat(hot.get()).isGreaterThan(8 * rare.get());
    assertThat(seldom.get()).isEqualTo(1);
    assertThat(report.requests()).isLessThanOrEqualTo(rare.get() + hot.get() + seldom.get());
  }

  @Test
  void atTheLimit_ends_andSaysSo() throws Exception {
    WarmUpReport report = warmUp(Duration.ofMillis(300), soFar -> {});
    assertThat(report.verdict()).isEqualTo(WarmUpReport.Verdict.LIMIT);
    assertThat(report.requests()).isPositive();
  }

  @Test
  void anotherAnswerThanExpected_isSaidOnce() throws Exception {
    status = 500;
    assertThat(warmUp(Duration.ofMillis(300), soFar -> {}).surprises())
        .containsExactlyInAnyOrder(
            "rare (GET /rare) was answered 500",
            "hot (GET /hot) was answered 500",
            "seldom (GET /seldom) was answered 500");
  }

  @Test
  void nobodyListens_isSaid_andEnds() throws Exception {
    server.close();
    WarmUpReport report = warmUp(Duration.ofMillis(300), soFar -> {});
    assertThat(report.surprises()).singleElement().asString().startsWith("a connection broke");
    assertThat(report.requests()).isZero();
  }

  @Test
  void interrupt_endsIt() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> warmUp(Duration.ofMinutes(2), soFar -> {}))
        .isInstanceOf(InterruptedException.class);
  }
}
