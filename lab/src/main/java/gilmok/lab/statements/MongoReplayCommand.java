package gilmok.lab.statements;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab mongo-replay}: a {@link MongoReplay}; runs until it is ended. */
@Command(
    name = "mongo-replay",
    description = {
      "Run a proxy before a MongoDB that replays its answers to reads, from the "
          + "second time on, on loopback only. Ask it with directConnection=true, or the "
          + "driver goes round it. It runs until Ctrl-C."
    },
    footer = {"", "Examples:", "  gilmok lab mongo-replay --port 27018 --database 27017"})
public final class MongoReplayCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "27018",
      description = "The port to listen on, 0 for a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--database",
      required = true,
      paramLabel = "PORT",
      description = "The database's port on loopback.")
  private int database;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (MongoReplay replay = new MongoReplay(port, database)) {
      System.out.println("replays the database of port " + database + " on port " + replay.port());
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () ->
                      System.out.printf(
                          "passed on %,d, replayed %,d, recorded %,d%n",
                          replay.passed(), replay.replayed(), replay.recorded())));
      new CountDownLatch(1).await();
      return 0;
    }
  }
}
