package gilmok.accept;

import gilmok.doctor.Check;
import gilmok.doctor.ClockOffset;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** What is looked at of an engine that speaks HTTP: its certificate, and its clock. No state. */
final class HttpEndpoint {
  private static final int HTTPS = 443;

  /** The header has whole seconds. */
  private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

  private HttpEndpoint() {}

  static void look(URI uri, Duration timeout, Findings findings) throws InterruptedException {
    if ("https".equals(uri.getScheme())) {
      findings.begin("TLS");
      int port = uri.getPort() < 0 ? HTTPS : uri.getPort();
      new TlsProbe(uri.getHost(), port, timeout).look(true).forEach(findings::add);
    } else {
      findings.notTried("TLS", "the address is no https://", "");
    }
    findings.begin("clock");
    findings.add(clock(uri, timeout));
  }

  /** By the header Date of any answer, also of a refusal. */
  private static Check clock(URI uri, Duration timeout) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve("/")).timeout(timeout).GET().build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(timeout).build()) {
      Instant before = Instant.now();
      String date =
          client.send(request, BodyHandlers.discarding()).headers().firstValue("date").orElse("");
      Duration within = Duration.between(before, Instant.now()).dividedBy(2);
      Instant its =
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
              .toInstant()
              .plus(HALF_A_SECOND);
      return ClockOffset.check(
          Duration.between(before.plus(within), its),
          within.plus(HALF_A_SECOND),
          "signatures are refused when they differ by five minutes");
    } catch (IOException unreachable) {
      return Check.unknown("clock", "no answer: " + unreachable.getClass().getSimpleName(), "");
    } catch (DateTimeParseException none) {
      return Check.unknown("clock", "its answer has no date", "");
    }
  }
}
