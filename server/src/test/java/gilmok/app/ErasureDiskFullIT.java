package gilmok.app;

import static gilmok.app.ErasedRider.GONE;
import static gilmok.app.ErasedRider.LAT;
import static gilmok.app.ErasedRider.LON;
import static gilmok.app.ErasedRider.SCAN;
import static gilmok.app.ErasedRider.STAYS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A disk that others fill while a rider is erased. */
@Tag("process")
final class ErasureDiskFullIT {
  private static final List<String> OWN_MOUNTS = List.of("unshare", "-rm", "sh", "-c");

  /**
   * Makes a small disk of the data folder, which is full while the file {@code full} is there, but
   * for what a job needs that is asked for then.
   */
  private static final String FILLED =
      """
      data=$1 full=$2 && shift 2 && mount -t tmpfs -o size=128m none "$data" || exit
      (
        while [ -e "${full%/*}" ]; do
          if [ -e "$full" ] && [ ! -e "$data/of-others" ]; then
            free=$(df -k --output=avail "$data" | tail -n 1)
            head -c "$((free - 2048))K" /dev/zero > "$data/of-others"
          elif [ ! -e "$full" ]; then
            rm -f "$data/of-others"
          fi
          sleep 0.1
        done
      ) > /dev/null 2>&1 &
      exec "$@"
      """;

  @TempDir Path folder;

  @Test
  void diskIsFull_theJobSaysSo_losesNothing_andGoesOnWhenThereIsRoom() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path files = data.resolve("shipped-there");
    Path full = Files.createDirectory(folder.resolve("said")).resolve("full");
    List<String> tried = new ArrayList<>(OWN_MOUNTS);
    tried.addAll(List.of("mount -t tmpfs -o size=1m none \"$1\"", "sh", data.toString()));
    Assumptions.assumeTrue(
        new ProcessBuilder(tried).start().waitFor() == 0, "nothing can be mounted here");
    List<String> under = new ArrayList<>(OWN_MOUNTS);
    under.addAll(List.of(FILLED, "sh", data.toString(), full.toString()));
    List<String> arguments = Program.serving(data);
    arguments.addAll(List.of(ErasedRider.settings(files)));
    arguments.add("--set=log.bytes-max=64MiB");
    try (Program server = Program.startUnder(under, arguments.toArray(String[]::new))) {
      server.awaitReady();
      Path inside = server.rootOf(data);
      ErasedRider fleet = ErasedRider.at(server, inside);
      fleet.live(STAYS, 37.6, 127.2);
      fleet.live(GONE, LAT, LON);
      fleet.fill();
      fleet.awaitSettled(inside, 1);
      Files.createFile(full);
      Program.await(() -> Files.exists(inside.resolve("of-others")));
      String job = fleet.erase(GONE);
      String why = "\"error\":\"a disk is full; the erasure goes on by itself once there is room: ";
      Program.await(() -> fleet.get("/v1/erasures/" + job).toString().contains(why));
      fleet.checkOther();
      fleet.checkLedger();
      Files.delete(full);
      JsonNode certificate = fleet.awaitErased(job);
      assertThat(certificate.toString()).doesNotContain(GONE);
      fleet.awaitSettled(inside, 1);
      assertThat(SCAN.findings(inside)).isEmpty();
      fleet.checkOther();
      fleet.checkLedger();
    } finally {
      Files.deleteIfExists(full);
      Files.delete(folder.resolve("said"));
    }
  }
}
