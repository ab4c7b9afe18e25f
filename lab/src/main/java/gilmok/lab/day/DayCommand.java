package gilmok.lab.day;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab day}: replays a day of meal deliveries against a server. Exits with 0 when every order
 * was finished, 1 when not, 2 when it cannot begin.
 */
@Command(
    name = "day",
    description = "Replays a day of meal deliveries: orders, their steps, and couriers' positions.",
    footer = {
      "",
      "A folder holds orders.txt, couriers.txt, restaurants.txt and instance_parameters.txt,",
      "as mdrplib has them; without one, a day is made up.",
      "",
      "Example:",
      "  lab day --key \"$(cat data/admin.key)\" --orders 500 --couriers 60 --speed 120"
    })
public final class DayCommand implements Callable<Integer> {
  private static final int MISUSED = 2;

  @Option(names = "--url", defaultValue = "http://127.0.0.1:8080", description = "${DEFAULT-VALUE}")
  private String url = "";

  @Option(names = "--key", required = true, description = "API key: operate, collect and read")
  private String key = "";

  @Option(names = "--folder", paramLabel = "DIR", description = "a day's files")
  private @Nullable Path folder;

  @Option(names = "--orders", defaultValue = "300", description = "made up: ${DEFAULT-VALUE}")
  private int orders;

  @Option(names = "--couriers", defaultValue = "40", description = "made up: ${DEFAULT-VALUE}")
  private int couriers;

  @Option(names = "--seed", defaultValue = "1", description = "made up: ${DEFAULT-VALUE}")
  private long seed;

  @Option(
      names = "--speed",
      defaultValue = "60",
      description = "times faster than life: ${DEFAULT-VALUE}")
  private double speed;

  @Option(names = "--routes", description = "couriers' steps by routes, not by their actions")
  private boolean byRoutes;

  @Option(names = "--quiet", description = "no progress")
  private boolean quiet;

  @Override
  public Integer call() throws InterruptedException {
    Day day;
    try {
      day = folder == null ? Day.madeUp(orders, couriers, seed) : Day.read(folder);
    } catch (IOException unreadable) {
      System.err.println(unreadable.getMessage());
      return MISUSED;
    }
    if (day.orders().isEmpty() || speed <= 0) {
      System.err.println(speed <= 0 ? "--speed: must be above 0" : "--orders: a day needs some");
      return MISUSED;
    }
    String name = "day-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    try (OrderDesk desk = new OrderDesk(url, key.strip(), name)) {
      DayRun run = new DayRun(day, desk, speed, !byRoutes, quiet ? _ -> {} : System.err::println);
      Map<String, Integer> counts = run.run();
      System.out.printf("%,d orders: %s%n", day.orders().size(), counts);
      return Set.of("COMPLETED", "CANCELLED").containsAll(counts.keySet()) ? 0 : 1;
    } catch (IOException failed) {
      System.err.println(failed.getMessage());
      return 1;
    }
  }
}
