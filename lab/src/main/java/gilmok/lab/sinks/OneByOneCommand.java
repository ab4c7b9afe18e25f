package gilmok.lab.sinks;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.URI;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab one-by-one}: serves the baseline of shipping; runs until it is ended. */
@Command(
    name = "one-by-one",
    description = {
      "Run the story's way of shipping, to compare with: each request waits for a "
          + "Firehose call of its own, over a pool of connections. It runs until Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab one-by-one --port 18082 --firehose http://127.0.0.1:4573"
    })
public final class OneByOneCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "18082",
      description = "The port to listen on (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--firehose",
      required = true,
      paramLabel = "URL",
      description = "Where Firehose, or its stand-in, is.")
  private URI firehose = URI.create("http://127.0.0.1");

  @Option(
      names = "--pool",
      defaultValue = "50",
      description = "Connections of the pool (default: ${DEFAULT-VALUE}).")
  private int pool;

  @Override
  public Integer call() throws InterruptedException {
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    new OneByOneEndpoint(vertx, firehose, pool).listen(port);
    System.out.printf("one by one on 127.0.0.1:%d, to %s%n", port, firehose);
    new CountDownLatch(1).await();
    return 0;
  }
}
