package gilmok.collect.overland;

import gilmok.collect.dialect.JsonUploads;
import gilmok.collect.dialect.Recorded;
import org.junit.jupiter.api.Test;

/** Any bytes end in events or rejects. */
class OverlandFuzz {
  @Test
  void decode_randomUploads_endsInEventsOrRejects() {
    JsonUploads.run(new Overland(), Recorded.bodies("overland"));
  }
}
