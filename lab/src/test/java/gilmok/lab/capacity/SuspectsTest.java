package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.capacity.Suspects.Resource;
import gilmok.lab.capacity.Suspects.Suspect;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is named for which figures; with real walls: {@link WallsIT}. */
@Tag("unit")
class SuspectsTest {
  private static final LoadStep STEP = MadeSteps.step(1_000, false);
  private static final LoadStep BUSY = MadeSteps.busy(1_000);

  private static final String BUSY_GC = "gilmok_processor_seconds_total{part=\"gc\"} 6";

  @Test
  void of_processorsBusyAndNothingElse_namesThem() {
    Suspect named = named(MadeSteps.span(1.95), BUSY);

    assertThat(named.resource()).isEqualTo(Resource.PROCESSORS);
    assertThat(named.evidence())
        .isEqualTo(
            "the server used 1.40 of the 2 that it may use; of the machine's 2 were busy: 1.95,"
                + " the load's 0.50 among them; the server's threads could have run and had none"
                + " for 0.00 s in each second");
  }

  @Test
  void of_processorsBusyWithCollecting_namesTheCollector() {
    assertThat(named(MadeSteps.span(1.95, BUSY_GC)).resource()).isEqualTo(Resource.COLLECTOR);
    assertThat(
            named(
                    MadeSteps.span(
                        0.5, "jvm_gc_max_data_size_bytes 100", "gilmok_heap_after_gc_bytes 90"))
                .resource())
        .isEqualTo(Resource.COLLECTOR);
  }

  @Test
  void of_slowForcedWrites_namesTheDisk() {
    Suspect named =
        named(
            MadeSteps.span(
                0.3, "gilmok_log_fsync_seconds_sum 9.5", "gilmok_log_fsync_seconds_count 475"));

    assertThat(named.resource()).isEqualTo(Resource.DISK);
    assertThat(named.evidence()).startsWith("forced writes of the log took 20.00 ms, 95 % of");
  }

  @Test
  void of_quickForcedWritesAllTheTime_doesNotNameTheDisk() {
    // One fsync follows the other under any load: that alone is no wall.
    assertThat(
            named(
                    MadeSteps.span(
                        1.95,
                        "gilmok_log_fsync_seconds_sum 9.5",
                        "gilmok_log_fsync_seconds_count 19000"),
                    BUSY)
                .resource())
        .isEqualTo(Resource.PROCESSORS);
  }

  @Test
  void of_slowCommands_namesTheDatabase() {
    Suspect named =
        named(
            MadeSteps.span(
                0.3,
                "gilmok_documents_mongo_command_seconds_sum{command=\"find\"} 400",
                "gilmok_documents_mongo_command_seconds_count{command=\"find\"} 8000",
                "gilmok_http_request_seconds_sum{route=\"/v1/deliveries\"} 2000",
                "gilmok_wait_seconds_sum{on=\"mongo\"} 400",
                "gilmok_wait_seconds_sum{on=\"mongo-connection\"} 1500"));

    assertThat(named.resource()).isEqualTo(Resource.DATABASE);
    assertThat(named.evidence()).startsWith("a command took 50.0 ms on average; requests waited");
  }

  @Test
  void of_quickCommandsAndNoFreeConnection_namesThePool() {
    assertThat(
            named(
                    MadeSteps.span(
                        0.3,
                        "gilmok_documents_mongo_command_seconds_sum{command=\"find\"} 8",
                        "gilmok_documents_mongo_command_seconds_count{command=\"find\"} 8000",
                        "gilmok_http_request_seconds_sum{route=\"/v1/deliveries\"} 2000",
                        "gilmok_wait_seconds_sum{on=\"mongo\"} 8",
                        "gilmok_wait_seconds_sum{on=\"mongo-connection\"} 1800"))
                .resource())
        .isEqualTo(Resource.POOL);
  }

  @Test
  void of_aFullPartOfTheServer_namesItsPool() {
    Suspect named =
        named(
            MadeSteps.span(
                0.5, "gilmok_statements_in_flight 8", "gilmok_statements_in_flight_max 8"));

    assertThat(named.resource()).isEqualTo(Resource.POOL);
    assertThat(named.evidence()).startsWith("the fullest is gilmok_statements_in_flight, 100 %");
  }

  @Test
  void of_locksLimitsSinksAndNeighbours_areNamed() {
    assertThat(named(MadeSteps.span(1.2, "gilmok_lock_wait_seconds_sum 8")).resource())
        .isEqualTo(Resource.LOCK);
    assertThat(named(MadeSteps.span(0.3, "gilmok_cpu_throttled_seconds_total 7")).resource())
        .isEqualTo(Resource.LIMIT);
    assertThat(
            named(
                    MadeSteps.span(
                        0.3,
                        "gilmok_log_bytes 95",
                        "gilmok_log_bytes_max 100",
                        "gilmok_http_refusals_total{refusal=\"no-room\"} 500"))
                .resource())
        .isEqualTo(Resource.SINK);
    LoadStep crowded =
        new LoadStep(
            "above",
            STEP.rates(),
            STEP.latencyMillis(),
            STEP.errors(),
            STEP.load(),
            new LoadStep.Cores(0.1, 0.1, 1.8),
            STEP.flows(),
            STEP.missed(),
            "");
    assertThat(Suspects.of(MadeSteps.span(2), crowded, MadeSteps.GOALS).getFirst().resource())
        .isEqualTo(Resource.NEIGHBOURS);
  }

  @Test
  void of_processorsThatTheHostTook_namesOthers() {
    Suspect named = named(MadeSteps.span(0.4, 0.5));

    assertThat(named.resource()).isEqualTo(Resource.NEIGHBOURS);
    assertThat(named.evidence()).endsWith("the machine's host took 0.50");
  }

  @Test
  void of_nothingFull_saysSoAndWhatWasNearest() {
    Suspect named = named(MadeSteps.span(0.4));

    assertThat(named.resource()).isEqualTo(Resource.UNKNOWN);
    assertThat(named.evidence()).startsWith("nothing was full; the fullest was ");
  }

  @Test
  void of_everySuspectIsListed_afterTheNamedOne() {
    List<Suspect> all = Suspects.of(MadeSteps.span(1.95, BUSY_GC), STEP, MadeSteps.GOALS);

    assertThat(all.stream().map(Suspect::resource)).doesNotHaveDuplicates().hasSize(12);
    assertThat(all.get(1).fullness()).isGreaterThanOrEqualTo(all.get(2).fullness());
  }

  private static Suspect named(SampleSpan span) {
    return named(span, STEP);
  }

  private static Suspect named(SampleSpan span, LoadStep step) {
    return Suspects.of(span, step, MadeSteps.GOALS).getFirst();
  }
}
