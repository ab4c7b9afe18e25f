package gilmok.collect.gpslogger;

import gilmok.collect.dialect.DialectFuzz;
import gilmok.collect.dialect.FlatBodies;
import org.junit.jupiter.api.Test;

class GpsLoggerFuzz {
  @Test
  void decode_randomUploads_endInEventsOrRejects() {
    FlatBodies bodies = new FlatBodies(DialectFuzz.SEED + 1);
    DialectFuzz.run(new GpsLogger(), GpsLogger::new, bodies::next);
  }
}
