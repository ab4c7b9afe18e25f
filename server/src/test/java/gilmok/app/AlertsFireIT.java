package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Alerts that page, fired by their real fault: a process that is killed, or lacks something. {@link
 * AlertsFireDiskIT} harms the disk and the log, {@link AlertsFireStoresIT} the documents and the
 * destinations. Only a part runs without the whole budget ({@code ./gilmok test soak
 * '-Dtest=AlertsFire*'}).
 */
@Tag("process")
@Tag("soak")
final class AlertsFireIT extends AlertRig {
  private static final Pattern PAGE =
      Pattern.compile("- alert: (\\w+)\n(?:(?! *- alert).*\n)*? *labels: \\{severity: page}");

  private static final String TWICE = "changes(process_start_time_seconds[30s]) > 1";

  @Test
  void everyAlertThatPages_isFired() throws Exception {
    Path tests = Repository.root().resolve("server/src/test/java/gilmok/app");
    Set<String> named = new TreeSet<>();
    try (Stream<Path> files = Files.list(tests)) {
      for (Path file : files.filter(it -> it.toString().contains("AlertsFire")).toList()) {
        Pattern.compile("\"(Gilmok\\w+)\"")
            .matcher(Files.readString(file))
            .results()
            .forEach(name -> named.add(name.group(1)));
      }
    }
    Set<String> paging = new TreeSet<>();
    try (Stream<Path> files = Files.list(OpsFiles.path("alerts"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        PAGE.matcher(Files.readString(file)).results().forEach(one -> paging.add(one.group(1)));
      }
    }
    assertThat(paging).hasSizeGreaterThan(30).isEqualTo(named);
  }

  @Test
  void serverIsKilled_andComesBackAgainAndAgain() throws Exception {
    // Prometheus takes some seconds to look for its targets, in which the server starts.
    watch();
    serve();
    settle();
    program().kill();
    awaitPages("GilmokAway");
    // Once more than it takes, where the first ones took longer than the window.
    for (int i = 0; i < 4 && prometheus().query(TWICE).isEmpty(); i++) {
      double before = System.currentTimeMillis() / 1000.0;
      serveAgain("only=collect"); // it starts sooner
      String scraped = "process_start_time_seconds > " + before;
      Program.await(() -> !prometheus().query(scraped).isEmpty());
    }
    awaitPages("GilmokRestarts");
  }

  @Test
  void prometheusKnowsNoServer() throws Exception {
    serve();
    watch(List.of(""), UnaryOperator.identity());
    awaitPages("GilmokNoTarget");
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void filesAreNearlyOut() throws Exception {
    serveUnder(List.of("sh", "-c", "ulimit -n 600 && exec \"$@\"", "sh"));
    watch();
    settle();
    List<Socket> open = new ArrayList<>();
    try {
      while (open.size() < 400) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      awaitPages("GilmokFilesNearlyOut");
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void heapFillsUp() throws Exception {
    serve("positions.riders-max=10000000");
    watch();
    settle();
    int[] rider = new int[1];
    String full = "gilmok_heap_after_gc_bytes > on (instance) (0.85 * jvm_gc_max_data_size_bytes)";
    awaitPages(
        () -> {
          if (prometheus().query(full).isEmpty()) {
            for (int i = 0; i < 10; i++) { // a million riders take some 130 MB
              ask("POST", "/v1/traces", HarmedFleet.riders(rider[0], rider[0] += 2000));
            }
          } else {
            // Without requests nothing is collected.
            ask("POST", "/v1/traces", HarmedFleet.riders(0, 1000));
          }
        },
        "GilmokHeapFull");
  }

  @Test
  @EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
  void certificateIsRenewedWithOneThatEnds() throws Exception {
    certificate(Duration.ofDays(30));
    serve(
        "tls.certificate=" + folder.resolve("tls.crt"),
        "tls.key=" + folder.resolve("tls.key"),
        "tls.reload-interval=1 s");
    // Each is its own issuer.
    String tls = "  - scheme: https\n    tls_config: {insecure_skip_verify: true}\n    job_name:";
    watch(List.of("127.0.0.1:" + port), text -> text.replace("  - job_name:", tls));
    settle();
    certificate(Duration.ofDays(1));
    awaitPages("GilmokCertificateEndsNow");
  }

  private void certificate(Duration left) throws Exception {
    X509Bundle bundle =
        new CertificateBuilder()
            .subject("CN=127.0.0.1")
            .notAfter(Instant.now().plus(left))
            .setIsCertificateAuthority(true)
            .addSanIpAddress("127.0.0.1")
            .buildSelfSigned();
    Files.writeString(folder.resolve("tls.key"), bundle.getPrivateKeyPEM());
    Files.writeString(folder.resolve("tls.crt"), bundle.getCertificatePathPEM());
  }
}
