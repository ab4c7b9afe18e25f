package gilmok.lab.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a fleet needs and costs, against values that were counted by hand. */
@Tag("unit")
class CostTest {
  private static final Assumptions DEFAULTS = Assumptions.defaults();
  private static final Offset<Double> CLOSE = within(1e-6);

  /** A thousand riders, one hour: a million positions. */
  private static final FleetDemand MILLION =
      new FleetDemand(1_000, Duration.ofMillis(3_600), 1, 1, 1);

  private static MonthlyBill.Part part(MonthlyBill bill, String what) {
    return bill.parts().stream().filter(one -> one.what().equals(what)).findFirst().orElseThrow();
  }

  private static MonthlyBill bill(FleetDemand demand, Assumptions given, int spare) {
    NodeSizing sizing = NodeSizing.of(demand, given, 0, spare, 7);
    return MonthlyBill.of(demand, sizing, given, 12, 1);
  }

  @Test
  void demand_isCountedOut() {
    FleetDemand demand = new FleetDemand(36, Duration.ofSeconds(10), 10, 20, 2);
    assertThat(demand.positionsPerSecond()).isCloseTo(3.6, CLOSE);
    assertThat(demand.requestsPerSecond()).isCloseTo(1.8, CLOSE);
    assertThat(demand.positionsPerDay()).isCloseTo(129_600, CLOSE);
    assertThat(demand.positionsPerMonth()).isCloseTo(2_592_000, CLOSE);
    assertThat(demand.requestsPerMonth()).isCloseTo(1_296_000, CLOSE);
  }

  @Test
  void nodes_areForTheRate_andSpareOnes() {
    FleetDemand fleet = new FleetDemand(50_000, Duration.ofSeconds(5), 10, 30, 1);
    NodeSizing sizing = NodeSizing.of(fleet, DEFAULTS, 0, 1, 7);
    // 10,000 requests/s of one position; a node takes 8,000.
    assertThat(sizing.needed()).isEqualTo(2);
    assertThat(sizing.nodes()).isEqualTo(3);
    assertThat(sizing.riders(1, Duration.ofSeconds(5))).isCloseTo(40_000, CLOSE);
    assertThat(sizing.riders(1, Duration.ofSeconds(10))).isCloseTo(80_000, CLOSE);
    // 120 million a day and node, of 45 bytes, for 8 days: 43.2e9, in 0.7 of 57.48 GB.
    assertThat(sizing.diskGb()).isEqualTo(58);
    FleetDemand exactly = new FleetDemand(40_000, Duration.ofSeconds(5), 10, 30, 1);
    assertThat(NodeSizing.of(exactly, DEFAULTS, 0, 0, 7).nodes()).isEqualTo(1);
  }

  @Test
  void safeRate_isBetweenThoseThatWereHeld_orThatOfARun() {
    // 125 us for one, 1,000 us for fifty: 250 us for eight.
    assertThat(rate(1, 0)).isCloseTo(8_000, CLOSE);
    assertThat(rate(8, 0)).isCloseTo(4_000, CLOSE);
    assertThat(rate(50, 0)).isCloseTo(1_000, CLOSE);
    assertThat(rate(50, 200_000)).isCloseTo(4_000, CLOSE);
  }

  private static double rate(int batch, double safePositions) {
    FleetDemand demand = new FleetDemand(1, Duration.ofSeconds(1), 1, 1, batch);
    return NodeSizing.of(demand, DEFAULTS, safePositions, 0, 7).safeRequests();
  }

  @Test
  void bill_ofAMillionPositions_isCountedOut() {
    MonthlyBill bill = bill(MILLION, DEFAULTS, 1);
    assertThat(part(bill, "machines").gilmok()).isCloseTo(2 * 730 * 0.085, CLOSE);
    assertThat(part(bill, "disks").gilmok()).isCloseTo(2 * 1 * 0.08, CLOSE);
    // 730 h, and 820 bytes a million times in an hour: 0.763685 GB.
    assertThat(part(bill, "load balancer").gilmok()).isCloseTo(16.425 + 0.004582, CLOSE);
    assertThat(part(bill, "gateway").gateway()).isCloseTo(1, CLOSE);
    assertThat(part(bill, "functions, calls").gateway()).isCloseTo(0.2, CLOSE);
    // A quarter of a GB for 20 ms: 5,000 GB seconds.
    assertThat(part(bill, "functions, time").gateway()).isCloseTo(0.083334, CLOSE);
    // 5 KiB each: 4.768372 GB; 15.8 share them. As lab ship measured: $0.009 and $0.138.
    assertThat(part(bill, "Firehose").gateway()).isCloseTo(0.138283, CLOSE);
    assertThat(part(bill, "Firehose").gilmok()).isCloseTo(0.008752, CLOSE);
    // 0.0381842 GB for 12 months, and 12 objects.
    assertThat(part(bill, "objects").gilmok()).isCloseTo(0.010539 + 0.00006, CLOSE);
    assertThat(part(bill, "traffic out").gilmok()).isCloseTo(0.025146, CLOSE);
    assertThat(part(bill, "Redis").gateway()).isCloseTo(23.36, CLOSE);
    assertThat(bill.gateway())
        .isCloseTo(1 + 0.2 + 0.083334 + 0.138283 + 0.010599 + 0.025146 + 23.36, within(1e-5));
    assertThat(bill.gilmok())
        .isCloseTo(124.1 + 0.16 + 16.429582 + 0.008752 + 0.010599 + 0.025146 + 23.36, within(1e-5));
  }

  @Test
  void bill_oneNode_needsNoBalancer() {
    assertThat(part(bill(MILLION, DEFAULTS, 0), "load balancer").gilmok()).isZero();
  }

  @Test
  void bill_ofBatches_hasFewerRequests_andTheirRecordsAreLonger() {
    FleetDemand batches = new FleetDemand(1_000, Duration.ofMillis(3_600), 1, 1, 50);
    MonthlyBill bill = bill(batches, DEFAULTS, 1);
    assertThat(part(bill, "gateway").gateway()).isCloseTo(0.02, CLOSE);
    // 12,000 bytes are three steps of 5 KiB.
    assertThat(part(bill, "Firehose").gateway()).isCloseTo(0.138283 * 3 / 50, CLOSE);
    assertThat(part(bill, "Firehose").gilmok()).isCloseTo(0.008752, CLOSE);
  }

  @Test
  void bill_ofManyBytes_hasObjectsBySize() {
    Assumptions longer = DEFAULTS.with(Assumption.LINE_BYTES, 1 << 20);
    // A million MiB are 7,812.5 objects of 128 MiB, more than 12 by time.
    assertThat(part(bill(MILLION, longer, 1), "objects").gilmok())
        .isCloseTo(0.010539 + 7.8125 * 0.005, CLOSE);
  }

  @Test
  void eachPrice_movesTheBill() {
    MonthlyBill before = bill(MILLION, DEFAULTS, 1);
    for (Assumption one : Assumption.values()) {
      MonthlyBill after = bill(MILLION, DEFAULTS.with(one, 3 * one.value()), 1);
      if (one.isPrice()) {
        assertThat(after.gilmok() + after.gateway())
            .as(one.label())
            .isGreaterThan(before.gilmok() + before.gateway());
      }
    }
  }

  @Test
  void assumptions_haveNames_andBounds() {
    assertThat(Assumption.values())
        .extracting(Assumption::label)
        .doesNotHaveDuplicates()
        .allMatch(label -> label.matches("[a-z]+(-[a-z]+)+"));
    assertThat(Assumption.named("machine-hour")).contains(Assumption.MACHINE_HOUR);
    assertThat(Assumption.named("gold")).isEmpty();
    assertThat(DEFAULTS.with(Assumption.REDIS_HOUR, 0).of(Assumption.REDIS_HOUR)).isZero();
    assertThatThrownBy(() -> DEFAULTS.with(Assumption.REDIS_HOUR, -1))
        .hasMessage("redis-hour: must be 0 or more");
    assertThatThrownBy(() -> DEFAULTS.with(Assumption.LOG_BYTES, 0))
        .hasMessage("log-bytes: must be above 0");
    assertThatThrownBy(() -> DEFAULTS.with(Assumption.LOG_BYTES, Double.NaN))
        .hasMessage("log-bytes: must be above 0");
  }
}
