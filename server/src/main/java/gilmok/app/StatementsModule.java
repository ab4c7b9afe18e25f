package gilmok.app;

import gilmok.config.Part;
import gilmok.log.Log;
import gilmok.statements.Statements;
import gilmok.statements.StatementsConfig;
import java.io.IOException;

/** Starts the statements of what riders have earned. */
final class StatementsModule {
  private StatementsModule() {}

  /** Starts following the log, unless this part is switched off. */
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
