package gilmok.app;

import gilmok.config.Part;
import gilmok.http.HttpConfig;
import gilmok.missions.Missions;
import gilmok.missions.MissionsConfig;
import java.io.IOException;

/** Starts the missions that riders can fulfil. */
final class MissionsModule {
  private MissionsModule() {}

  /** Reads the catalog of missions, unless this part is switched off. */
  static void start(ServerContext context) throws IOException, InterruptedException {
    if (!context.config.has(Part.MISSIONS)) {
      return;
    }
    Missions missions =
        new Missions(
            context.config.of(MissionsConfig.class),
            new Missions.Means(
                context.documents.missions(),
                context.documents.areShared(),
                context.redis,
                context
                    .config
                    .of(HttpConfig.class)
                    .compressionLevels()
                    .level("GET", Missions.ROUTE, Missions.LEVEL),
                context.clock,
                context.loops,
                context.meters,
                context.offloads));
    context.ends(missions);
    context.warmables.add(missions);
    if (context.redis != null) {
      context.connections.redis(missions::ping);
    }
    context.answers(missions.routes());
  }
}
