package gilmok.collect.osmand;

import gilmok.Seeds;
import gilmok.collect.dialect.DialectFuzz;
import gilmok.collect.dialect.FlatBodies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
@Tag("soak")
class OsmandFuzz {
  @Test
  void decode_randomUploads_endInEventsOrRejects() {
    FlatBodies bodies = new FlatBodies(Seeds.first());
    DialectFuzz.run(new Osmand(), Osmand::new, bodies::next);
  }
}
