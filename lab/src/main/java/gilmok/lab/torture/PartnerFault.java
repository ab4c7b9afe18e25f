package gilmok.lab.torture;

import gilmok.lab.partner.Book;
import gilmok.lab.partner.Conduct;
import gilmok.lab.partner.Count;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One of the two partners misbehaves. */
final class PartnerFault implements Fault.OfAWhile {
  private final Way way;
  private @Nullable Victim victim;
  private long before;
  private long met;

  /** How. */
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
  public String effect() {
    return victim == null ? "" : met + " met";
  }

  @Override
  public void begin(World world) {
    before = shown(world);
    victim = Victim.of(world.node());
    world.partner(Order.Shop.MOODY).behave(conduct());
  }

  /** How often it has shown. */
  private long shown(World world) {
    Book book = world.partner(Order.Shop.MOODY).book();
    return switch (way) {
      case HANGS -> book.count(Count.HUNG);
      case FAILS -> book.count(Count.FAILED);
      case SLOW -> book.count(Count.CALLS);
      case REFUSES -> book.count(Count.REFUSED);
      case ALL_OF_IT ->
          book.count(Count.HUNG) + book.count(Count.FAILED) + book.count(Count.REFUSED);
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

  @Override
  public void end(World world) throws IOException, InterruptedException {
    world.partner(Order.Shop.MOODY).behave(Conduct.GOOD);
    if (victim != null) {
      met = shown(world) - before;
      victim.mustHave(met > 0, "it was not told of anything meanwhile");
    }
  }
}
