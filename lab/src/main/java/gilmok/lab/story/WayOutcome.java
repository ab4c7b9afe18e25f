package gilmok.lab.story;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.Requests;
import gilmok.lab.load.Response;
import gilmok.lab.load.RunResult;
import gilmok.lab.load.Workload;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of one way.
 *
 * @param highest answers a second, of those that were wanted, while every connection always has a
 *     request under way
 * @param phones the requests for {@code /phone}
 * @param recorded what Java's flight recorder saw in the server
 */
record WayOutcome(double highest, RunResult phones, StoryRecording recorded) {
  private static final Duration READY_WAIT = Duration.ofMinutes(1);
  private static final double WARMUP = 4;
  private static final int CLOSED_CONNECTIONS = 64;

  /** Starts the server of a way, asks it, and stops it; blocks. */
  static WayOutcome of(StoryWay way, LoadStory.Load load, StoryStage stage)
      throws IOException, InterruptedException {
    int port = Servers.freePort();
    Path recording = stage.folder().resolve(way.label() + ".jfr");
    List<String> options =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx" + way.heap(),
            "-XX:+UseParallelGC", // the collector whose causes the story names
            "-XX:StartFlightRecording:settings=profile,dumponexit=true,filename=" + recording);
    List<String> command =
        Subject.java(
            options,
            stage.servers().labJar(),
            List.of("story-way", "--way", way.name(), "--port", Integer.toString(port)));
    Path output = stage.folder().resolve(way.label() + ".out");
    RunResult closed;
    RunResult open;
    try (Subject server = Subject.start(way.label(), command, Map.of(), port, output)) {
      server.awaitPort(READY_WAIT);
      closed = ask(load, 0, server, stage.seconds());
      open = ask(load, load.perSecond(), server, stage.seconds());
    }
    return new WayOutcome(wanted(closed), open, StoryRecording.read(recording));
  }

  /** Answers a second, of those that were wanted. */
  private static double wanted(RunResult closed) {
    long all = closed.answered() + closed.errorCount();
    return all == 0 ? 0 : closed.perSecond() * closed.answered() / all;
  }

  private static RunResult ask(
      LoadStory.Load load, double perSecond, Subject server, double seconds)
      throws IOException, InterruptedException {
    LoadPlan plan =
        LoadPlan.closed(
            List.of(server.port()), perSecond == 0 ? CLOSED_CONNECTIONS : load.connections());
    byte[] phone = Requests.get("/phone", "");
    LoadRun run =
        new LoadRun(
                plan.at(perSecond, WARMUP, seconds),
                Workload.of(new Expected(phone, load.status())))
            .ofServer(server.pid());
    String beside = load.besidePath();
    if (beside != null) {
      LoadPlan few = LoadPlan.closed(List.of(server.port()), 8);
      run.beside(
          few.at(load.besidePerSecond(), WARMUP, seconds),
          Workload.of(new Expected(Requests.get(beside, ""), 200)));
    }
    return run.run();
  }

  /** A request that is to be answered with one status. */
  private static final class Expected implements LoadExchange {
    private final byte[] bytes;
    private final int status;

    Expected(byte[] bytes, int status) {
      this.bytes = bytes;
      this.status = status;
    }

    @Override
    public byte[] request() {
      return bytes;
    }

    @Override
    public @Nullable String check(Response response) {
      return response.status() == status ? null : "status " + response.status();
    }
  }
}
