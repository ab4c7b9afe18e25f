package gilmok.lab.torture;

import gilmok.lab.firehose.Faults;
import java.time.Duration;
import java.util.Locale;

/** Firehose misbehaves. */
record SinkFault(Way way) implements Fault.OfAWhile {
  /** How. */
  enum Way {
    DOWN,
    BROKEN,
    THROTTLED,
    PARTIAL,
    ANSWERS_LOST,
    HANGING,
    POISON,
    REFUSES_ALL
  }

  @Override
  public String name() {
    return "firehose " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public void begin(World world) {
    Faults faults = world.firehoseFaults();
    switch (way) {
      case DOWN -> world.firehose().down();
      case BROKEN -> faults.breakDown(0.9);
      case THROTTLED -> faults.throttle(0.8);
      case PARTIAL -> faults.failRecords(0.5);
      case ANSWERS_LOST -> faults.loseAnswers(0.7);
      case HANGING -> faults.hang(0.7, Duration.ofSeconds(5));
      case POISON -> faults.poison(PoisonLane.MARK);
      // It stands in every line: the answer is InvalidArgumentException for each call.
      case REFUSES_ALL -> faults.poison("recordId");
    }
  }

  @Override
  public void end(World world) {
    world.firehose().up();
    world.firehoseFaults().none();
  }
}
