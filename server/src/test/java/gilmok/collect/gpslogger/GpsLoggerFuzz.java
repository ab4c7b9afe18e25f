package gilmok.collect.gpslogger;

import gilmok.Seeds;
import gilmok.collect.dialect.DialectFuzz;
import gilmok.collect.dialect.FlatBodies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
@Tag("soak")
class GpsLoggerFuzz {
  @Test
  void decode_randomUploads_endInEventsOrRejects() {
    FlatBodies bodies = new FlatBodies(Seeds.first() + 1);
    DialectFuzz.run(new GpsLogger(), GpsLogger::new, bodies::next);
  }
}
