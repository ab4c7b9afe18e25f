package gilmok.lab.torture;

import gilmok.lab.partner.Conduct;
import gilmok.lab.partner.PartnerCount;
import gilmok.lab.partner.WebhookBook;
import java.time.Duration;
import java.util.Locale;

/** A fault of one of the two partners. */
final class PartnerFault extends CountedFault {
  private final Way way;

  /** The kind of fault. */
  enum Way {
    HANGS,
    FAILS,
    SLOW,
    REFUSES,
    ALL_OF_IT
  }

  PartnerFault(Way way) {
    this.way = way;
  }

  @Override
  public String name() {
    return "partner " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  void misbehave(World world) {
    world.partner(Order.Shop.MOODY).behave(conduct());
  }

  @Override
  void behave(World world) {
    world.partner(Order.Shop.MOODY).behave(Conduct.GOOD);
  }

  @Override
  long shown(World world) {
    WebhookBook book = world.partner(Order.Shop.MOODY).book();
    return switch (way) {
      case HANGS -> book.count(PartnerCount.HUNG);
      case FAILS -> book.count(PartnerCount.FAILED);
      case SLOW -> book.count(PartnerCount.CALLS);
      case REFUSES -> book.count(PartnerCount.REFUSED);
      case ALL_OF_IT ->
          book.count(PartnerCount.HUNG)
              + book.count(PartnerCount.FAILED)
              + book.count(PartnerCount.REFUSED);
    };
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
}
