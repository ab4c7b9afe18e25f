package gilmok.warmup.shadow;

import com.github.luben.zstd.Zstd;
import gilmok.background.BackgroundThread;
import gilmok.observe.Readiness;
import gilmok.runtime.Connections;
import gilmok.warmup.Http2Client;
import gilmok.warmup.LoopbackClient;
import gilmok.warmup.ScriptClient;
import gilmok.warmup.WarmUp;
import gilmok.warmup.WarmUpConfig;
import gilmok.warmup.WarmUpReport;
import gilmok.warmup.WarmUpWindow;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Warms up a server between its start and its readiness. Meanwhile the server refuses requests, and
 * requests are sent to a {@link ShadowServer} in the same process until it is fast. Thread-safe.
 */
public final class WarmUpRunner {
  private static final Logger LOG = System.getLogger("gilmok.warmup");
  private static final String PART = "warm-up";

  /**
   * Enough simultaneous requests for the log's writer to wait for more before it commits, so that
   * this branch is warmed up too.
   */
  private static final int CONNECTIONS = 64;

  /** How many requests a connection over TLS sends, so that there are many handshakes. */
  private static final int SECURED_REQUESTS = 20;

  private final WarmUpConfig config;
  private final Readiness readiness;
  private @Nullable Thread busy;
  private boolean stopping;
  private volatile WarmUpReport report;

  public WarmUpRunner(WarmUpConfig config, Readiness readiness) {
    this.config = config;
    this.readiness = readiness;
    boolean isOn = config.isOn();
    report = isOn ? WarmUpReport.BEGINNING : WarmUpReport.SKIPPED;
    if (isOn) {
      readiness.notReady(PART, "starting");
    }
  }

  /**
   * Warms up a server, then opens it for requests. Blocks until then.
   *
   * @throws InterruptedException when {@link #hurry} was called
   */
  public void run(WarmableServer server) throws InterruptedException {
    if (!config.isOn()) {
      tell();
      return;
    }
    try {
      enter();
      Thread beside = BackgroundThread.startVirtual("prepare", server::prepare);
      report = warmedOrNot(server);
      beside.join();
      // Once more: beside the warm-up it had hardly any processor.
      BackgroundThread.startVirtual("prepare-again", server::prepare).join();
    } finally {
      leave();
    }
    tell();
    server.open();
    readiness.ready(PART);
  }

  private void tell() {
    readiness.warmedUp(report.verdict().name().toLowerCase(Locale.ROOT));
  }

  /** Warms up, or reports why it failed: a server that is slow at first is better than none. */
  private WarmUpReport warmedOrNot(WarmableServer server) throws InterruptedException {
    try {
      return warmed(server);
    } catch (IOException failed) {
      if (isStopping()) {
        throw new InterruptedException("its files and sockets were closed by that");
      }
      LOG.log(
          Level.ERROR,
          "the warm-up failed; the server works, but its first requests are slow",
          failed);
      List<String> why = List.of(String.valueOf(failed.getMessage()));
      return new WarmUpReport(WarmUpReport.Verdict.FAILED, Duration.ZERO, List.of(), why);
    }
  }

  private WarmUpReport warmed(WarmableServer server) throws IOException, InterruptedException {
    boolean hasRedis = !readiness.missing().containsKey(Connections.REDIS);
    ShadowServer.Plan plan = new ShadowServer.Plan(config.sharesEngines(), hasRedis, false);
    WarmUp warmUp =
        new WarmUp(new WarmUp.Bounds(config.limit(), CONNECTIONS), server.scripts(), this::show);
    SecureRandom random = new SecureRandom();
    // The first shadow ends before the crowd starts, so that the compiler knows the code of an end
    // before it compiles the hot code for the last time.
    try (ShadowServer shadowServer = ShadowServer.start(server, plan, random)) {
      warmUp.branches(target(shadowServer));
    }
    Path certificate = server.facts().certificate();
    if (certificate != null) {
      SSLContext tls = OwnCertificate.trusted(certificate);
      try (ShadowServer shadowServer = ShadowServer.start(server, plan.secured(), random)) {
        warmUp.secured(secured(shadowServer, tls));
      }
    }
    List<String> notes;
    try (ShadowServer shadowServer = ShadowServer.start(server, plan, random)) {
      warmUp.crowd(target(shadowServer));
      notes = new ArrayList<>(shadowServer.notes());
      prepareAs(server, shadowServer.server(), notes);
    }
    WarmUpReport made = warmUp.end().with(notes);
    LOG.log(
        made.verdict() == WarmUpReport.Verdict.STEADY ? Level.INFO : Level.WARNING,
        () -> said(made));
    return made;
  }

  /**
   * Prepares the documents' queries. After a failure only the first query of each kind is slower.
   */
  private void prepareAs(WarmableServer server, WarmableServer shadow, List<String> notes)
      throws IOException, InterruptedException {
    try {
      server.prepareAs(shadow);
    } catch (IOException busy) {
      if (isStopping()) {
        throw busy;
      }
      LOG.log(
          Level.WARNING,
          "the documents' queries could not be prepared; their first requests are slower",
          busy);
      notes.add("the documents' questions could not be prepared: " + busy.getMessage());
    }
  }

  private static WarmUp.Target target(ShadowServer shadowServer) {
    return WarmUp.Target.plain(
        shadowServer.server().facts().port(), shadowServer.values(), Zstd::compress);
  }

  /** The shadow over TLS: every second connection is one of HTTP/2. */
  private static WarmUp.Target secured(ShadowServer shadowServer, SSLContext tls) {
    int port = shadowServer.server().facts().port();
    ScriptClient.Connector connector =
        lane ->
            lane % 2 == 0
                ? new LoopbackClient(port, tls.getSocketFactory())
                : new Http2Client(port, tls);
    return new WarmUp.Target(connector, SECURED_REQUESTS, shadowServer.values(), Zstd::compress);
  }

  private static String said(WarmUpReport made) {
    String how =
        made.verdict() == WarmUpReport.Verdict.STEADY
            ? "answers come no faster and the compiler is quiet"
            : "still getting faster at the limit (warm-up.limit)";
    return String.format(
        Locale.ROOT,
        "warmed up for %.1f s: %s; %,d requests, %,.0f a second at the end,"
            + " the compiler worked %.1f s, throttled %.1f s",
        made.took().toMillis() / 1e3,
        how,
        made.requests(),
        made.rate(),
        made.compilerMillis() / 1e3,
        made.throttledMillis() / 1e3);
  }

  private void show(WarmUpReport soFar) {
    report = soFar;
    WarmUpWindow window = soFar.curve().getLast();
    readiness.notReady(
        PART,
        String.format(
            Locale.ROOT,
            "warming up for %.1f s, %s: %,.0f requests/s of %.0f µs",
            window.at().toMillis() / 1e3,
            switch (window.phase()) {
              case BRANCHES -> "every branch";
              case LOAD -> "full load";
              case SETTLING -> "the compiler finishes";
            },
            window.rate(),
            window.micros()));
  }

  private synchronized void enter() throws InterruptedException {
    if (stopping) {
      throw new InterruptedException("stopping");
    }
    busy = Thread.currentThread();
  }

  private synchronized void leave() {
    busy = null;
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  /** Ends the warm-up because the server is stopping. May be called by any thread. */
  public synchronized void hurry() {
    stopping = true;
    if (busy != null) {
      busy.interrupt();
    }
  }

  /** The report so far, or the final one. */
  public WarmUpReport report() {
    return report;
  }
}
