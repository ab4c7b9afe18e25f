package gilmok.collect.dialect;

import gilmok.collect.geolocation.Geolocation;
import gilmok.collect.gpslogger.GpsLogger;
import gilmok.collect.osmand.Osmand;
import gilmok.collect.overland.Overland;
import gilmok.collect.owntracks.OwnTracks;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Entry point for the lab's coverage-guided fuzzer, which calls it with arbitrary bytes. The first
 * byte chooses the dialect; the rest are the upload. Needs no test library.
 */
public final class FuzzTarget {
  private FuzzTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 0) {
      Supplier<Dialect> dialect =
          switch (input[0]) {
            case 'g' -> GpsLogger::new;
            case 'b' -> Geolocation::new;
            case 't' -> OwnTracks::new;
            case 'v' -> Overland::new;
            default -> Osmand::new;
          };
      byte[] upload = Arrays.copyOfRange(input, 1, input.length);
      Decoded.anywhere(dialect.get(), dialect.get(), upload);
    }
  }
}
