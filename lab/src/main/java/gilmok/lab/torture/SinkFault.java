package gilmok.lab.torture;

import gilmok.lab.firehose.Count;
import gilmok.lab.firehose.Faults;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A fault of Firehose. */
final class SinkFault extends CountedFault {
  private final Way way;

  /** The kind of fault. */
  enum Way {
    DOWN(null),
    BROKEN(Count.CALLS_BROKEN),
    THROTTLED(Count.CALLS_THROTTLED),
    PARTIAL(Count.RECORDS_FAILED),
    ANSWERS_LOST(Count.ANSWERS_LOST),
    HANGING(Count.CALLS_HUNG),
    POISON(Count.CALLS_REFUSED),
    REFUSES_ALL(Count.CALLS_REFUSED);

    /** The counter of its effects; null while Firehose is down, as nothing counts then. */
    private final @Nullable Count shown;

    Way(@Nullable Count shown) {
      this.shown = shown;
    }
  }

  SinkFault(Way way) {
    this.way = way;
  }

  @Override
  public String name() {
    return "firehose " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  long shown(World world) {
    return way.shown == null ? -1 : world.firehose().count(way.shown);
  }

  @Override
  void misbehave(World world) throws IOException {
    Faults faults = world.firehoseFaults();
    switch (way) {
      case DOWN -> {
        world.firehose().down();
        mustBeDown(world.firehose().url());
      }
      case BROKEN -> faults.breakDown(0.9);
      case THROTTLED -> faults.throttle(0.8);
      case PARTIAL -> faults.failRecords(0.5);
      case ANSWERS_LOST -> faults.loseAnswers(0.7);
      case HANGING -> faults.hang(0.7, Duration.ofSeconds(5));
      case POISON -> faults.poison(PoisonLane.MARK);
      // Every line contains this text, so each call is answered InvalidArgumentException.
      case REFUSES_ALL -> faults.poison("recordId");
    }
  }

  private static void mustBeDown(URI url) throws DidNotTakeException {
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      throw new DidNotTakeException("it is reached at " + socket.getRemoteSocketAddress());
    } catch (DidNotTakeException reached) {
      throw reached;
    } catch (IOException refused) {
      // As intended: nothing listens.
    }
  }

  @Override
  void behave(World world) {
    world.firehose().up();
    world.firehoseFaults().none();
  }
}
