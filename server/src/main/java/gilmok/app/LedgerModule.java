package gilmok.app;

import gilmok.collect.SingleRecordCollector;
import gilmok.config.Part;
import gilmok.diagnose.DiagnosisPart;
import gilmok.ledger.LedgerRoutes;
import gilmok.ledger.MongoNodes;
import gilmok.ledger.NodeAddresses;
import gilmok.ledger.NodeConfig;
import gilmok.ledger.Recollector;
import gilmok.log.AppendResult;
import gilmok.runtime.StopConfig;
import gilmok.sinks.AckPlan;
import gilmok.sinks.Shipper;
import gilmok.sinks.SinkProbe;
import gilmok.sinks.setup.SinkFlush;
import gilmok.sinks.setup.SinksModule;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Starts the sinks and the ledger. */
final class LedgerModule {
  private LedgerModule() {}

  /** Starts shipping; null if this part is switched off. */
  static @Nullable SinksModule start(ServerContext context)
      throws IOException, InterruptedException {
    ServerConfig config = context.config;
    if (!config.has(Part.SINKS)) {
      return null;
    }
    NodeLog node = context.node;
    NodeLog.SinkAcks acks = context.acks;
    AckPlan ack = acks.plan();
    if (ack != null) {
      node.log().early().begin();
      context.readiness.condition("collect-ack", acks::lack);
    }
    SinksModule sinks =
        new SinksModule(
            config.sinks(),
            context.folder.path(),
            new SinksModule.Means(
                node.log(),
                node.recordKeys(),
                context.meters,
                context.loops,
                context.listeners.slowRequests(),
                context.clock,
                context.random,
                context.redis,
                context.closeStack),
            ack);
    acks.began(sinks.sinks().shippers());
    context.endsInOrder(
        new SinkFlush(
            sinks, config.of(StopConfig.class), context.shutdown::isEarly, context.folder.path()));
    context.adjustables.add((before, next) -> sinks.adjust(before.sinks(), next.sinks()));
    for (Shipper shipper : sinks.sinks().shippers()) {
      context.connections.sink(shipper.name(), new SinkProbe(shipper)::ask);
    }
    SingleRecordCollector singleRecordCollector =
        new SingleRecordCollector(
            node.acceptor(),
            acks.rule(),
            node.secret(),
            context.collected,
            context.privacy.consents());
    LedgerRoutes ledger =
        new LedgerRoutes(
            node.log(),
            sinks.sinks(),
            sinks.receipts(),
            nodes(context),
            recollector(singleRecordCollector),
            context.audit,
            context.clock,
            context.offloads);
    context.answers(ledger.routes());
    context.tells(new DiagnosisPart("ledger.json", out -> out.write(ledger.json())));
    return sinks;
  }

  /** Where the other nodes answer, if they share a database with this one. */
  private static NodeAddresses nodes(ServerContext context) {
    if (!(context.documents instanceof Documents.InMongo shared)) {
      return NodeAddresses.NONE;
    }
    String url = context.config.of(NodeConfig.class).url();
    return url == null
        ? new MongoNodes(shared.documents())
        : MongoNodes.telling(
            shared.documents(),
            context.node.log().node(),
            url,
            context.clock.millis(),
            context.loops);
  }

  /** Lets the ledger have records collected again. */
  static Recollector recollector(SingleRecordCollector singleRecordCollector) {
    return (stream, json, quarantinedAtMillis) ->
        switch (singleRecordCollector.collect(stream, json, quarantinedAtMillis)) {
          case SingleRecordCollector.Stored stored -> new Recollector.Stored(stored.sequence());
          case SingleRecordCollector.Repeated _ -> new Recollector.Repeated();
          case SingleRecordCollector.Unusable unusable ->
              new Recollector.Unusable(unusable.field(), unusable.reason());
          case SingleRecordCollector.NotTaken not ->
              new Recollector.NotTaken(not.result() == AppendResult.FULL);
        };
  }
}
