package gilmok.lab.link;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab link}: runs a slow link to a server until it is stopped. */
@Command(
    name = "link",
    description = {
      "Run a slow connection to a server of this machine: its answers are delayed. "
          + "With a database behind it, and its port in documents.mongo-uri, the database "
          + "is the bottleneck. It runs until Ctrl-C."
    },
    footer = {"", "Examples:", "  gilmok lab link --port 27018 --to 27017 --delay-ms 200"})
public final class SlowLinkCommand implements Callable<Integer> {
  @Option(names = "--port", required = true, description = "The port of loopback to listen on.")
  private int port;

  @Option(names = "--to", required = true, description = "The port of loopback that it leads to.")
  private int target;

  @Option(
      names = "--delay-ms",
      defaultValue = "200",
      description = "The delay of an answer in milliseconds (default: ${DEFAULT-VALUE}).")
  private long delayMillis;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (SlowLink link = SlowLink.open(port, target, Duration.ofMillis(delayMillis))) {
      System.out.printf(
          "port %d leads to %d, %d ms later; stop it with Ctrl-C%n",
          link.port(), target, delayMillis);
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
