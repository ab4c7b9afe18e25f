package gilmok.app;

import gilmok.collect.CollectMeter;
import gilmok.log.Stream;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.util.List;

/** Shows in the metrics what became of the records that were sent. */
final class CollectMeters implements CollectMeter {
  private final Counter[] accepted = new Counter[Stream.QUARANTINE.code() + 1];
  private final Counter[] duplicates = new Counter[Stream.QUARANTINE.code() + 1];
  private final Counter[] quarantined = new Counter[Stream.QUARANTINE.code() + 1];

  CollectMeters(Meters meters) {
    for (Stream stream : List.of(Stream.TRACES, Stream.ACTIONS, Stream.LOGS)) {
      accepted[stream.code()] =
          counter(meters, "gilmok_collect_accepted_total", "Records stored.", stream);
      duplicates[stream.code()] =
          counter(meters, "gilmok_collect_duplicates_total", "Records known already.", stream);
      quarantined[stream.code()] =
          counter(meters, "gilmok_collect_quarantined_total", "Records set aside.", stream);
    }
  }

  @Override
  public void collected(Stream stream, int stored, int repeated, int setAside) {
    int i = stream.code();
    accepted[i].add(stored);
    if (repeated > 0) {
      duplicates[i].add(repeated);
    }
    if (setAside > 0) {
      quarantined[i].add(setAside);
    }
  }

  private static Counter counter(Meters meters, String name, String help, Stream stream) {
    return meters.counter(name, help, "stream", stream.label());
  }
}
