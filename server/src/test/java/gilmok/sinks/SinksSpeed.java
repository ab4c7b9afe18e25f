package gilmok.sinks;

import gilmok.log.AppendBatch;
import gilmok.log.LogConfig;
import gilmok.log.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;

/** Measures how fast the loop alone empties a log, into a sink that acknowledges at once. */
final class SinksSpeed {
  private SinksSpeed() {}

  public static void main(String[] args) throws Exception {
    int records = args.length > 0 ? Integer.parseInt(args[0]) : 2_000_000;
    Path data = Files.createTempDirectory("ship-speed");
    try (SinksRig rig = new SinksRig(data, LogConfig.DEFAULTS)) {
      AppendBatch appendBatch = new AppendBatch();
      for (int i = 0; i < records; i++) {
        SinksRig.add(
            appendBatch,
            Stream.TRACES,
            "a position of some sixty bytes, as phones send them: " + i);
        if (appendBatch.count() == 20_000) {
          rig.append(appendBatch);
          appendBatch.clear();
        }
      }
      Tuning usual = new Tuning(300, 1 << 20, Duration.ofMillis(100), 1);
      for (int run = 1; run <= 5; run++) {
        ScriptedSink.Script done = ScriptedSink::done;
        Sink sink = new Quick(done);
        Shipper shipper =
            rig.start(
                SinksRig.config("run-" + run, usual, EnumSet.of(Stream.TRACES)),
                sink,
                new SinksRig.Booked(),
                Duration.ofSeconds(1));
        long began = System.nanoTime();
        SinksRig.await(() -> shipper.account().low() >= records - records % 300);
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf("run %d: %,.0f records/s%n", run, records / seconds);
        shipper.stop(Duration.ofSeconds(1));
      }
    }
  }

  private record Quick(ScriptedSink.Script script) implements Sink {
    @Override
    public String kind() {
      return "quick";
    }

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public Verdict send(Batch batch) throws InterruptedException {
      return script.answer(batch);
    }

    @Override
    public void close() {}
  }
}
