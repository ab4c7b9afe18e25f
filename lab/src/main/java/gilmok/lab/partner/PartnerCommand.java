package gilmok.lab.partner;

import gilmok.lab.firehose.Share;
import gilmok.lab.options.Span;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab partner}: a partner as a process; runs until it is ended. */
@Command(
    name = "partner",
    description = {
      "Run a partner on 127.0.0.1 that receives webhooks, verifies signatures, "
          + "order and completeness, and injects faults on request. GET /stats answers "
          + "with its counts, GET /delays with how late they came. The "
          + "server needs relay.private-networks=127.0.0.1. It runs "
          + "until Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab partner --port 4580 --fail 10%",
      "  gilmok lab partner --hang 5% --hang-time 30s --delay 20ms --refuse 1%"
    })
public final class PartnerCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "4580",
      description = "The port to listen on, 0 for a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--secret",
      defaultValue = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      paramLabel = "SECRET",
      description = "The secret, as the server has it (default: ${DEFAULT-VALUE}).")
  private String secret = "";

  @Option(
      names = "--fail",
      paramLabel = "SHARE",
      description = "The share of calls that are answered with 500.")
  private Share fail = Share.NONE;

  @Option(
      names = "--refuse",
      paramLabel = "SHARE",
      description = "The share of calls whose connection is closed.")
  private Share refuse = Share.NONE;

  @Option(
      names = "--hang",
      paramLabel = "SHARE",
      description = "The share of calls that are answered very late.")
  private Share hang = Share.NONE;

  @Option(
      names = "--hang-time",
      defaultValue = "30s",
      paramLabel = "SPAN",
      description = "How late that is (default: ${DEFAULT-VALUE}).")
  private Span hangTime = Span.ZERO;

  @Option(names = "--delay", paramLabel = "TIME", description = "The delay of each answer.")
  private Span delay = Span.ZERO;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "The seed of the faults (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws InterruptedException {
    Conduct conduct =
        new Conduct(fail.value(), refuse.value(), hang.value(), hangTime.value(), delay.value());
    PartnerStand partner = PartnerStand.start(port, secret, conduct, seed);
    System.out.println("partner on " + partner.url());
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println(summary(partner)), "summary"));
    new CountDownLatch(1).await();
    return 0;
  }

  private static String summary(PartnerStand partner) {
    return partner.book().counts().entrySet().stream()
        .map(count -> String.format("%-12s %,d", count.getKey(), count.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
