package gilmok.lab.deliveries;

import gilmok.lab.load.LoadCommand;
import gilmok.lab.load.LoadOptions;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.load.Usage;
import gilmok.lab.load.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code lab deliveries}: takes deliveries through all their steps at a rate, and measures it.
 * Exits with 0 when the run counts, 3 when it is void (an error, or a request without a response).
 */
@Command(
    name = "deliveries",
    description = {
      "Run whole deliveries on a server of this machine, from create to complete, "
          + "at a rate (an open loop)."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab deliveries --key \"$(cat data/admin.key)\" \\",
      "      --rate 100 --seconds 2 --warmup 1",
      "  gilmok lab deliveries --key \"$(cat data/admin.key)\"",
      "",
      "The second takes 40 seconds."
    })
public final class DeliveriesCommand implements Callable<Integer> {
  private static final int DRAIN_SECONDS = 30;

  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--key",
      required = true,
      paramLabel = "KEY",
      description = "The API key, with the scope operate.")
  private String key = "";

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Transitions a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--shops",
      defaultValue = "1000",
      description = "Shops whose orders they are: shop-0 and on (default: ${DEFAULT-VALUE}).")
  private int shops;

  @Option(
      names = "--ramp",
      defaultValue = "0",
      description = "Seconds from 1 a second to the rate (default: ${DEFAULT-VALUE}).")
  private int ramp;

  @Option(
      names = "--journal",
      description = "Write a row of CSV each minute into this file; needs --server-pid.")
  private @Nullable Path journal;

  @Option(
      names = "--gc-log",
      description = "The file of the server's -Xlog:gc:file=, for the journal.")
  private @Nullable Path gcLog;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rate < DeliverySteps.COUNT) {
      throw options.misused("rate: 5 or more");
    }
    if (shops < 1) {
      throw options.misused("shops: 1 or more");
    }
    if (journal != null && options.serverPid() == 0) {
      throw options.misused("--journal needs --server-pid");
    }
    LoadPlan plan = options.plan(rate / DeliverySteps.COUNT, ramp, 1, 1, DRAIN_SECONDS);
    String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    AtomicLong number = new AtomicLong();
    Workload begun = () -> new DeliverySteps(run, key.strip(), shops, number.getAndIncrement());
    LoadRun load = new LoadRun(plan, begun).ofServer(options.serverPid());
    try (MinuteJournal minutes = journal()) {
      load.telling(
          (perSecond, errors) -> {
            options.tell("%,.0f transitions/s".formatted(perSecond));
            if (minutes != null) {
              minutes.look(errors);
            }
          });
      RunResult result = load.recording(minutes == null ? null : minutes.latencies()).run();
      report(result);
      return result.errors().isEmpty() && result.answers() > 0 ? 0 : LoadCommand.VOID;
    }
  }

  private @Nullable MinuteJournal journal() throws IOException {
    return journal == null
        ? null
        : new MinuteJournal(journal, options.url(), key.strip(), options.serverPid(), gcLog);
  }

  private void report(RunResult result) throws IOException {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("rateWanted", rate);
    numbers.put("transitionsPerSecond", result.perSecond());
    numbers.putAll(result.percentiles());
    numbers.put("worstSecondP99", result.worstSecondP99());
    Usage used = result.used();
    numbers.put("serverCores", used.serverCores());
    numbers.put("serverMicros", used.serverNanos() / 1e3 / Math.max(1, result.answers()));
    numbers.put("loadCores", used.ownCores());
    numbers.put("otherCores", used.otherCores());
    numbers.put("errors", result.errors());
    numbers.forEach(
        (name, value) ->
            System.out.println(
                value instanceof Double number
                    ? String.format(Locale.ROOT, "%-22s %,.3f", name, number)
                    : String.format(Locale.ROOT, "%-22s %s", name, value)));
    options.write(JsonMapper.shared().writeValueAsString(numbers));
  }
}
