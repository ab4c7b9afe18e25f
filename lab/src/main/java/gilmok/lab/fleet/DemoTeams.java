package gilmok.lab.fleet;

import gilmok.lab.LabClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The groups of a demo's riders: it ties their phones, one after the other, on a thread of its own.
 * The fleet drives meanwhile. Closing it ends that early.
 */
final class DemoTeams implements AutoCloseable {
  private static final List<String> TEAMS = List.of("bukhan", "gwanak", "inwang", "namsan");
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);

  /** Phones of a group are told where the others are: a larger one would be told a lot. */
  private static final int PHONES_MAX = 400;

  private final Thread thread;

  /**
   * Ties the phones of the first riders.
   *
   * @param key a key that may tie phones
   * @param dialects what the phones speak, in turn
   */
  DemoTeams(String url, String key, int riders, List<AppDialect> dialects) {
    thread =
        Thread.ofVirtual()
            .name("demo-teams")
            .start(() -> tie(url, key, Math.min(riders, PHONES_MAX), dialects));
  }

  private static void tie(String url, String key, int riders, List<AppDialect> dialects) {
    try (LabClient client = new LabClient(url, key, ANSWER_WAIT)) {
      for (int number = 0; number < riders; number++) {
        // What speaks the API's own format names its rider in each request: it is no phone's app.
        if (dialects.get(number % dialects.size()) != AppDialect.TRACES) {
          String rider = Phone.riderId(number);
          String team = TEAMS.get(number / dialects.size() % TEAMS.size());
          client.send(
              "PUT",
              "/v1/devices/" + rider,
              "{\"riderId\":\"" + rider + "\",\"group\":\"" + team + "\"}");
        }
      }
    } catch (IOException gone) {
      // The demo ends, or is out of breath: those without a group are shown all the same.
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
