package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.SinkStatus.State;
import java.util.Locale;

/** The metrics of a sink that are read when they are scraped. */
final class SinkGauges {
  private SinkGauges() {}

  /** Registers them all. */
  static void show(Meters meters, Shipper shipper) {
    SinkState account = shipper.account();
    String[] sinkLabel = {"sink", shipper.name()};
    meters.gauge(
        "gilmok_sink_waiting_records",
        "Records of the sink's streams that are not settled.",
        () -> shipper.recentRows().stream().mapToLong(LedgerRow::waiting).sum(),
        sinkLabel);
    meters.gauge(
        "gilmok_sink_lag_seconds",
        "Age of the oldest record that is not settled.",
        () -> shipper.lagMillis() / 1000.0,
        sinkLabel);
    meters.gauge(
        "gilmok_sink_in_flight_batches",
        "Batches in flight.",
        () -> account.standing().inFlight(),
        shipper::maxConcurrency,
        sinkLabel);
    meters.gauge(
        "gilmok_sink_settled_ranges",
        "Ranges settled above the oldest record that is not.",
        () -> account.standing().settledRanges(),
        () -> SinkCheckpoint.SETTLED_RANGES_MAX,
        sinkLabel);
    meters.gauge(
        "gilmok_sink_pending_dead_letters",
        "Refused records that wait in the cursor's note until the log has room for"
            + " quarantine.",
        () -> account.standing().noted(),
        () -> PendingDeadLetters.RECORDS_MAX,
        sinkLabel);
    meters.gauge(
        "gilmok_sink_held",
        "1 while the destination refuses every record and one is tried at a time.",
        () -> shipper.isHeld() ? 1 : 0,
        sinkLabel);
    showStreams(meters, shipper);
  }

  private static void showStreams(Meters meters, Shipper shipper) {
    SinkState account = shipper.account();
    for (Stream stream : shipper.streams()) {
      meters.counter(
          "gilmok_sink_skipped_records_total",
          "Records that the sink skipped when it was detached from a full log.",
          () -> account.standing().counts().skipped().of(stream),
          "sink",
          shipper.name(),
          "stream",
          stream.label());
      meters.counter(
          "gilmok_sink_erased_records_total",
          "Records that were erased from the log before the sink had received them.",
          () -> account.standing().counts().erased().of(stream),
          "sink",
          shipper.name(),
          "stream",
          stream.label());
      meters.counter(
          "gilmok_sink_lost_records_total",
          "Records that were missing from the log when it was opened, before the sink"
              + " had received them.",
          () -> account.standing().counts().lost().of(stream),
          "sink",
          shipper.name(),
          "stream",
          stream.label());
    }
    for (State state : State.values()) {
      meters.gauge(
          "gilmok_sink_state",
          "1 for the state the sink is in.",
          () -> shipper.state() == state ? 1 : 0,
          "sink",
          shipper.name(),
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
  }
}
