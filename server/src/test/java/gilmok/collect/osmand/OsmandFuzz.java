package gilmok.collect.osmand;

import gilmok.collect.dialect.DialectFuzz;
import gilmok.collect.dialect.FlatBodies;
import org.junit.jupiter.api.Test;

class OsmandFuzz {
  @Test
  void decode_randomUploads_endInEventsOrRejects() {
    FlatBodies bodies = new FlatBodies(DialectFuzz.SEED);
    DialectFuzz.run(new Osmand(), Osmand::new, bodies::next);
  }
}
