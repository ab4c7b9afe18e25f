package gilmok.app;

import gilmok.config.Part;
import gilmok.log.Log;
import gilmok.statements.Statements;
import gilmok.statements.StatementsConfig;
import java.io.IOException;

/** Starts what knows what riders earned. */
final class StatementsModule {
  private StatementsModule() {}

  /** Follows the log from now on, unless this part is left off. */
  static void start(ServerContext context) throws IOException, InterruptedException {
    Log log = context.node.log();
    if (!context.config.has(Part.STATEMENTS)) {
      Statements.leftOff(log, context.meters);
      return;
    }
    Statements statements =
        new Statements(
            context.config.of(StatementsConfig.class),
            context.documents.statements(),
            log,
            context.meters,
            context.offloads,
            context.loops);
    context.ends(statements);
    statements.start();
    context.warmables.add(statements);
    context.answers(statements.routes());
  }
}
