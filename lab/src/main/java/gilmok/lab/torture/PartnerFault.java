package gilmok.lab.torture;

import gilmok.lab.partner.Conduct;
import java.time.Duration;
import java.util.Locale;

/** One of the two partners misbehaves. */
record PartnerFault(Way way) implements Fault.OfAWhile {
  /** How. */
  enum Way {
    HANGS,
    FAILS,
    SLOW,
    REFUSES,
    ALL_OF_IT
  }

  @Override
  public String name() {
    return "partner " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public void begin(World world) {
    world.partner(Order.Shop.MOODY).behave(conduct());
  }

  private Conduct conduct() {
    Duration none = Duration.ZERO;
    Duration hang = Duration.ofSeconds(20);
    return switch (way) {
      case HANGS -> new Conduct(0, 0, 1, hang, none);
      case FAILS -> new Conduct(1, 0, 0, none, none);
      case SLOW -> new Conduct(0, 0, 0, none, Duration.ofMillis(700));
      case REFUSES -> new Conduct(0, 1, 0, none, none);
      case ALL_OF_IT -> new Conduct(0.3, 0.2, 0.3, hang, Duration.ofMillis(100));
    };
  }

  @Override
  public void end(World world) {
    world.partner(Order.Shop.MOODY).behave(Conduct.GOOD);
  }
}
