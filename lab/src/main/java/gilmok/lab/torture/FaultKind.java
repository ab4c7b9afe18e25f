package gilmok.lab.torture;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** The kinds of faults; each makes a random fault of its kind. */
enum FaultKind {
  KILL,
  POWER_CUT,
  FSYNC_ERROR,
  FSYNC_SLOW,
  DISK_FULL,
  DESCRIPTORS,
  CLOCK,
  FIREHOSE,
  REDIS,
  DATABASE,
  PARTNER,
  HANG,
  DAMAGE;

  /** Its name on the command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Makes a fault of this kind. Not for damage, which happens between two lives of a server.
   *
   * @param random decides how severe it is
   */
  Fault make(RandomGenerator random) {
    return switch (this) {
      case KILL -> new Fault.Kill();
      case POWER_CUT -> new Fault.PowerCut();
      case FSYNC_ERROR -> new ForceFault(ForceFault.Way.FAILS, 1 + random.nextInt(20));
      case FSYNC_SLOW -> new ForceFault(ForceFault.Way.SLOW, 50 + random.nextInt(1_500));
      case DISK_FULL -> new Fault.FullDisk();
      case DESCRIPTORS -> new Descriptors(random.nextBoolean() ? 0 : 200);
      case CLOCK ->
          new Fault.ClockJump(
              Duration.ofSeconds((random.nextBoolean() ? -1 : 1) * (1L + random.nextInt(7_200))));
      case FIREHOSE -> new SinkFault(one(SinkFault.Way.values(), random));
      case REDIS -> new RedisFault(one(RedisFault.Way.values(), random));
      case DATABASE -> new Fault.LockedDatabase();
      case PARTNER -> new PartnerFault(one(PartnerFault.Way.values(), random));
      case HANG -> new Fault.Hang();
      case DAMAGE -> throw new IllegalStateException("damage is done between two lives");
    };
  }

  private static <T> T one(T[] all, RandomGenerator random) {
    return List.of(all).get(random.nextInt(all.length));
  }
}
