package gilmok.lab.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Two bills for a month, part by part, in dollars. Immutable. */
record MonthlyBill(List<Part> parts) {
  private static final double HOURS = 730;
  private static final double MILLION = 1e6;
  private static final double BILLED_STEP = 5 << 10;
  private static final double MIB = 1 << 20;
  private static final double CONNECTIONS_A_UNIT = 100_000;

  /**
   * A part of both.
   *
   * @param gateway of a gateway with functions
   * @param how it was reckoned
   */
  record Part(String what, double gilmok, double gateway, String how) {}

  /**
   * The bills for a demand.
   *
   * @param months for which objects are kept
   * @param redis nodes of Redis, in both
   */
  static MonthlyBill of(
      FleetDemand demand, NodeSizing sizing, Assumptions given, double months, int redis) {
    return new HistoryAnswer(demand, sizing, given).bill(months, redis);
  }

  double gilmok() {
    return sum(Part::gilmok);
  }

  double gateway() {
    return sum(Part::gateway);
  }

  private double sum(ToDoubleFunction<Part> of) {
    return parts.stream().mapToDouble(of).sum();
  }

  /** The arithmetic. */
  private record HistoryAnswer(FleetDemand demand, NodeSizing sizing, Assumptions given) {
    MonthlyBill bill(double months, int redis) {
      List<Part> parts = new ArrayList<>(nodes());
      parts.addAll(gateway());
      parts.addAll(shared(months, redis));
      return new MonthlyBill(List.copyOf(parts));
    }

    private double of(Assumption one) {
      return given.of(one);
    }

    private List<Part> nodes() {
      double machines = sizing.nodes() * HOURS * of(Assumption.MACHINE_HOUR);
      double disks = (double) sizing.nodes() * sizing.diskGb() * of(Assumption.DISK_GB);
      double busy = demand.busyHoursPerMonth();
      double trafficGb = (requestGb() + answerGb()) / busy;
      double units = Math.max(trafficGb, demand.riders() / CONNECTIONS_A_UNIT);
      boolean isBalanced = sizing.nodes() > 1;
      double balancer =
          isBalanced
              ? HOURS * of(Assumption.BALANCER_HOUR) + busy * units * of(Assumption.BALANCER_UNIT)
              : 0;
      return List.of(
          new Part(
              "machines", machines, 0, String.format(Locale.ROOT, "%d × 730 h", sizing.nodes())),
          new Part(
              "disks",
              disks,
              0,
              String.format(Locale.ROOT, "%d × %,d GB", sizing.nodes(), sizing.diskGb())),
          new Part(
              "load balancer",
              balancer,
              0,
              isBalanced
                  ? String.format(Locale.ROOT, "730 h, and %.1f units in %,.0f h", units, busy)
                  : "one node"));
    }

    private List<Part> gateway() {
      double requests = demand.requestsPerMonth();
      double gbSeconds =
          requests * of(Assumption.FUNCTION_MS) / 1000 * of(Assumption.FUNCTION_MB) / 1024;
      return List.of(
          new Part(
              "gateway",
              0,
              requests / MILLION * of(Assumption.GATEWAY_MILLION),
              String.format(Locale.ROOT, "%,.0f million requests", requests / MILLION)),
          new Part(
              "functions, calls",
              0,
              requests / MILLION * of(Assumption.FUNCTION_MILLION),
              String.format(Locale.ROOT, "%,.0f million calls", requests / MILLION)),
          new Part(
              "functions, time",
              0,
              gbSeconds * of(Assumption.FUNCTION_GB_SECOND),
              String.format(Locale.ROOT, "%,.0f thousand GB seconds", gbSeconds / 1000)));
    }

    private List<Part> shared(double months, int redis) {
      double positions = demand.positionsPerMonth();
      double packedGb = positions / of(Assumption.STEP_POSITIONS) * BILLED_STEP / NodeSizing.GB;
      double alone = Math.ceil(demand.batch() * of(Assumption.LINE_BYTES) / BILLED_STEP);
      double aloneGb = demand.requestsPerMonth() * alone * BILLED_STEP / NodeSizing.GB;
      double storedGb = positions * of(Assumption.STORED_BYTES) / NodeSizing.GB * months;
      double objects =
          Math.max(
              demand.busyHoursPerMonth() * 3600 / of(Assumption.OBJECT_SECONDS),
              positions * of(Assumption.LINE_BYTES) / (of(Assumption.OBJECT_MIB) * MIB));
      double store =
          storedGb * of(Assumption.STORE_GB) + objects / 1000 * of(Assumption.STORE_PUTS);
      double traffic = answerGb() * of(Assumption.TRAFFIC_GB);
      double nodesOfRedis = redis * HOURS * of(Assumption.REDIS_HOUR);
      return List.of(
          new Part(
              "Firehose",
              packedGb * of(Assumption.FIREHOSE_GB),
              aloneGb * of(Assumption.FIREHOSE_GB),
              String.format(
                  Locale.ROOT, "%,.0f GB; a record a request: %,.0f GB", packedGb, aloneGb)),
          new Part(
              "objects",
              store,
              store,
              String.format(
                  Locale.ROOT, "%,.0f GB of %s months", storedGb, Assumptions.text(months))),
          new Part(
              "traffic out",
              traffic,
              traffic,
              String.format(Locale.ROOT, "%,.0f GB of answers", answerGb())),
          new Part(
              "Redis",
              nodesOfRedis,
              nodesOfRedis,
              String.format(Locale.ROOT, "%d × 730 h", redis)));
    }

    private double requestGb() {
      double bytes = of(Assumption.REQUEST_BYTES) + demand.batch() * of(Assumption.SENT_BYTES);
      return demand.requestsPerMonth() * bytes / NodeSizing.GB;
    }

    private double answerGb() {
      return demand.requestsPerMonth() * of(Assumption.ANSWER_BYTES) / NodeSizing.GB;
    }
  }
}
