package gilmok.lab.cost;

import java.util.Arrays;
import java.util.Optional;

/**
 * A number that the reckoning rests on: a price, or a fact of this server, a vendor or a fleet. Its
 * default is what {@code lab cost} takes if nobody says another. Prices are list prices of AWS in
 * us-east-1, the first tier, without free allowances and contracts; noted down in November 2026,
 * not read from the vendor: replace them by yours. Pages without a folder are those of {@code
 * lab/capacity}.
 */
enum Assumption {
  /** Of a machine, by the hour. */
  MACHINE_HOUR("machine-hour", 0.085, "a machine: 2 processors, 4 GiB", "c6i.large"),
  /** Of a disk, by the GB and month. */
  DISK_GB("disk-gb", 0.08, "a GB of disk a month", "EBS gp3"),
  /** Of traffic to the internet. */
  TRAFFIC_GB("traffic-gb", 0.09, "a GB to the internet", "first 10 TB"),
  /** Of a load balancer, by the hour. */
  BALANCER_HOUR("balancer-hour", 0.0225, "a load balancer", "NLB"),
  /** Of a load balancer's unit: a GB, or 100,000 connections, an hour. */
  BALANCER_UNIT("balancer-unit", 0.006, "its unit an hour", "NLCU"),
  /** Of Firehose, by the GB that is billed. */
  FIREHOSE_GB("firehose-gb", 0.029, "a GB that Firehose bills", "direct put"),
  /** Of objects, by the GB and month. */
  STORE_GB("store-gb", 0.023, "a GB of objects a month", "S3 Standard"),
  /** Of writing objects. */
  STORE_PUTS("store-puts", 0.005, "a thousand objects written", "S3 Standard"),
  /** Of a Redis, by the hour. */
  REDIS_HOUR("redis-hour", 0.032, "a Redis", "cache.t4g.small"),
  /** Of the gateway. */
  GATEWAY_MILLION("gateway-million", 1.00, "a million requests", "HTTP API; a REST API 3.50"),
  /** Of calling functions. */
  FUNCTION_MILLION("function-million", 0.20, "a million calls", "Lambda"),
  /** Of running functions. */
  FUNCTION_GB_SECOND("function-gb-s", 0.0000166667, "a GB second", "Lambda, x86"),

  /** Requests a second of one position that a node takes. */
  RATE_OF_ONE("rate-of-one", 8_000, "requests/s of 1", "held: away.md"),
  /** Requests a second of fifty positions that a node takes. */
  RATE_OF_FIFTY("rate-of-fifty", 1_000, "requests/s of 50", "held: away.md"),
  /** MiB of memory of a node. */
  NODE_MIB("node-mib", 1024, "MiB of a node", "735 to 779 MB used: away.md"),
  /** Bytes of a position in the log. */
  LOG_BYTES("log-bytes", 45, "bytes in the log", "37 to 45: collecting.md"),
  /** The part of a volume that is to be used. */
  DISK_FILL("disk-fill", 0.7, "of a volume is used", "assumed"),
  /** Bytes of a position as a line. */
  LINE_BYTES("line-bytes", 240, "bytes as a line", "docs/sinks.md"),
  /** Bytes of a position in an object. */
  STORED_BYTES("stored-bytes", 41, "bytes in an object, gzip", "docs/sinks.md"),
  /** Positions that share a step of Firehose's bill. */
  STEP_POSITIONS("step-positions", 15.8, "positions a billed 5 KiB", "sinks.md"),
  /** Seconds after which Firehose writes an object. */
  OBJECT_SECONDS("object-seconds", 300, "seconds an object", "its default"),
  /** Megabytes after which Firehose writes an object. */
  OBJECT_MIB("object-mib", 128, "MiB an object, as lines", "its most"),
  /** Bytes of a request beside its positions. */
  REQUEST_BYTES("request-bytes", 400, "bytes of a request's head", "assumed, with TLS"),
  /** Bytes of a position in a request. */
  SENT_BYTES("sent-bytes", 120, "bytes of a position, sent", "JSON of seven fields"),
  /** Bytes of an answer. */
  ANSWER_BYTES("answer-bytes", 300, "bytes of an answer", "176 to 179, and TLS"),
  /** Milliseconds of a function. */
  FUNCTION_MS("function-ms", 20, "ms of a call", "the story's Firehose; later 60"),
  /** Memory of a function. */
  FUNCTION_MB("function-mb", 256, "MB of a function", "assumed");

  private final String label;
  private final double value;
  private final String what;
  private final String source;

  Assumption(String label, double value, String what, String source) {
    this.label = label;
    this.value = value;
    this.what = what;
    this.source = source;
  }

  /** The assumption that a user names. */
  static Optional<Assumption> named(String label) {
    return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
  }

  /** Whether it is dollars; else a fact. */
  boolean isPrice() {
    return compareTo(RATE_OF_ONE) < 0;
  }

  String label() {
    return label;
  }

  double value() {
    return value;
  }

  String what() {
    return what;
  }

  String source() {
    return source;
  }
}
