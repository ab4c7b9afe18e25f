package gilmok.doctor;

import gilmok.app.ServerConfig;
import gilmok.http.HttpConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Looks at the files of certificates that the settings name. */
public final class CertificateDoctor {
  private static final Duration SOON = Duration.ofDays(30);
  private static final int THIRD = 3;

  private final Instant now;
  private final List<Check> checks = new ArrayList<>();

  private CertificateDoctor(Instant now) {
    this.now = now;
  }

  /**
   * Looks at all of them; nothing where none is named.
   *
   * @param relayCa the file of {@code relay.ca}; empty for none
   */
  static List<Check> look(ServerConfig config, String relayCa, Instant now) {
    CertificateDoctor doctor = new CertificateDoctor(now);
    HttpConfig http = config.of(HttpConfig.class);
    if (http.tls() != null) {
      doctor.file(
          "tls.certificate",
          http.tls().certificate(),
          "put the new chain and its key into the files: the server takes them without a restart");
      doctor.pair(http);
    }
    if (!relayCa.isEmpty()) {
      doctor.file(
          "relay.ca",
          Path.of(relayCa),
          "put the authorities' new certificates into the file, and restart: webhooks to partners"
              + " with theirs fail");
    }
    return doctor.checks;
  }

  private void pair(HttpConfig http) {
    try {
      http.checkFiles();
      checks.add(Check.of("tls.key", "belongs to the certificate", true, ""));
    } catch (IOException unusable) {
      checks.add(
          Check.of(
              "tls.key",
              String.valueOf(unusable.getMessage()),
              false,
              "no server starts with these files, and one that runs keeps the pair that it had: put"
                  + " a chain and its own key there, as PEM, readable by this user"));
    }
  }

  private void file(String what, Path file, String advice) {
    List<X509Certificate> all = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      CertificateFactory.getInstance("X.509")
          .generateCertificates(in)
          .forEach(
              one -> {
                if (one instanceof X509Certificate x509) {
                  all.add(x509);
                }
              });
    } catch (IOException | CertificateException unreadable) {
      checks.add(
          Check.of(
              what,
              Files.exists(file) ? "cannot be read" : "is not there",
              false,
              "put a PEM file at " + file + " that this user may read"));
      return;
    }
    if (all.isEmpty()) {
      checks.add(
          Check.of(what, "no certificate in it", false, "put PEM certificates into " + file));
      return;
    }
    valid(what, all, advice);
  }

  /**
   * How long a chain is valid.
   *
   * @param chain not empty
   * @param advice what to do before it ends
   */
  public static Check ends(String what, List<X509Certificate> chain, Instant now, String advice) {
    CertificateDoctor doctor = new CertificateDoctor(now);
    doctor.valid(what, chain, advice);
    return doctor.checks.getFirst();
  }

  private void valid(String what, List<X509Certificate> all, String advice) {
    all.stream()
        .filter(one -> one.getNotBefore().toInstant().isAfter(now))
        .findFirst()
        .ifPresentOrElse(
            early ->
                checks.add(
                    Check.of(
                        what,
                        "is not valid before " + early.getNotBefore().toInstant(),
                        false,
                        "look at the clock; else take one that is valid by now: clients refuse"
                            + " this one")),
            () -> end(what, all, advice));
  }

  private void end(String what, List<X509Certificate> all, String advice) {
    X509Certificate first =
        all.stream().min(Comparator.comparing(X509Certificate::getNotAfter)).orElseThrow();
    Instant end = first.getNotAfter().toInstant();
    Duration left = Duration.between(now, end);
    // Those that live for days are renewed late.
    Duration life = Duration.between(first.getNotBefore().toInstant(), end);
    Duration soon = life.dividedBy(THIRD).compareTo(SOON) < 0 ? life.dividedBy(THIRD) : SOON;
    String day = end.atZone(ZoneOffset.UTC).toLocalDate().toString();
    String seen =
        left.isNegative()
            ? "ended on " + day
            : "ends on %s, in %d days".formatted(day, ChronoUnit.DAYS.between(now, end));
    checks.add(
        Check.of(
            what,
            all.size() == 1 ? seen : seen + ", the first of " + all.size(),
            left.compareTo(soon) > 0,
            advice));
  }
}
