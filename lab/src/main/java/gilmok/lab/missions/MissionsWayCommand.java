package gilmok.lab.missions;

import gilmok.lab.Servers;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab missions-way}: serves missions in one way; runs until it is ended. */
@Command(
    name = "missions-way",
    description = {
      "Run one of the ways that \"lab missions\" compares with, alone, on loopback. "
          + "It runs until Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab missions-way --port 18082 --way WHOLE_SNAPPY --redis 6379"
    })
public final class MissionsWayCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "18082",
      description = "The port to listen on, 0 for a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--way",
      defaultValue = "EACH",
      paramLabel = "WAY",
      description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private AnswerWay way = AnswerWay.EACH;

  @Option(
      names = "--guard",
      defaultValue = "NONE",
      paramLabel = "GUARD",
      description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Guard guard = Guard.NONE;

  @Option(
      names = "--redis",
      paramLabel = "PORT",
      description = "Redis' port on loopback, for ways that keep something.")
  private @Nullable Integer redis;

  @Option(
      names = "--riders",
      defaultValue = "1000",
      description = "Riders (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--ttl-millis",
      defaultValue = "120000",
      description = "Milliseconds that an answer is kept (default: ${DEFAULT-VALUE}).")
  private long ttlMillis;

  @Option(
      names = "--source-millis",
      defaultValue = "0",
      description = "Milliseconds that a load waits (default: ${DEFAULT-VALUE}).")
  private long sourceMillis;

  @Override
  public Integer call() throws IOException, InterruptedException {
    MadeUpMissions made = new MadeUpMissions(riders);
    if (!way.keeps()) {
      serve(new WayServer(port, Servers.KEY, made, way, null));
      return 0;
    }
    if (redis == null) {
      throw new IllegalArgumentException(way + " needs --redis");
    }
    try (RedisDesk desk = new RedisDesk(redis)) {
      KeptAnswers kept =
          new KeptAnswers(made, way, guard, desk.connection(), ttlMillis, sourceMillis);
      serve(new WayServer(port, Servers.KEY, made, way, kept));
    }
    return 0;
  }

  private void serve(WayServer server) throws IOException, InterruptedException {
    try (server) {
      server.start();
      System.out.println(way.label() + " on port " + server.port());
      new CountDownLatch(1).await();
    }
  }
}
