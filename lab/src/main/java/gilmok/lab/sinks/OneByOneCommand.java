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
      "The story's way of shipping, to compare with: a request waits for a Firehose call.",
      "Each request makes a call of its own, over a pool of connections."
    })
public final class OneByOneCommand implements Callable<Integer> {
  @Option(names = "--port", defaultValue = "18082", description = "${DEFAULT-VALUE}")
  private int port;

  @Option(
      names = "--firehose",
      required = true,
      description = "where Firehose, or its stand-in, is")
  private URI firehose = URI.create("http://127.0.0.1");

  @Option(names = "--pool", defaultValue = "50", description = "connections: ${DEFAULT-VALUE}")
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
