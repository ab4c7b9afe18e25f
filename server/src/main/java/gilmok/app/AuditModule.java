package gilmok.app;

import java.io.IOException;

/** Starts the audit: its route, and the copy of its entries into the documents. */
final class AuditModule {
  private AuditModule() {}

  /** Starts it; it cannot be switched off. */
  static void start(ServerContext context) throws IOException, InterruptedException {
    context.audit.start();
    context.ends(context.audit);
    context.answers(context.audit.routes(context.offloads));
  }
}
