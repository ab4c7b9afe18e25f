package gilmok.doctor;

import gilmok.app.Documents;
import gilmok.audit.MongoAudit;
import gilmok.audit.MongoAuditErasure;
import gilmok.auth.MongoKeys;
import gilmok.collect.devices.MongoDevices;
import gilmok.deliveries.MongoDeliveries;
import gilmok.deliveries.MongoDeliveryErasure;
import gilmok.deliveries.MongoPartners;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndexes;
import gilmok.documents.MongoPlans;
import gilmok.documents.MongoPlans.Plan;
import gilmok.documents.MongoQuery;
import gilmok.documents.MongoServerState;
import gilmok.erasure.MongoErasures;
import gilmok.ledger.MongoNodes;
import gilmok.missions.MongoMissions;
import gilmok.observe.Meters;
import gilmok.privacy.MongoConsents;
import gilmok.privacy.MongoRegister;
import gilmok.statements.MongoEntries;
import gilmok.statements.MongoEntryRemoval;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Examines the documents in MongoDB: the indexes, and the plans of the queries. */
public final class MongoDoctor {
  private MongoDoctor() {}

  /** Examines a database. It only reads. */
  public static DoctorReport look(MongoConfig config) throws IOException, InterruptedException {
    try (Meters meters = new Meters();
        MongoDocuments documents = new MongoDocuments(config, meters)) {
      List<Check> server =
          MongoServerDoctor.look(
              MongoServerState.ask(documents),
              new MongoPartners(documents).countHolders(System.currentTimeMillis()),
              config.pool().max());
      MongoPlans plans = new MongoPlans(documents);
      List<String> faults =
          new MongoIndexes(
                  documents, MongoConfig.IndexMode.CHECK, Documents.InMongo.wantedIndexes())
              .look();
      List<MongoQuery> queries =
          Stream.of(
                  MongoKeys.queries(),
                  MongoDeliveries.queries(),
                  MongoPartners.queries(),
                  MongoEntries.queries(),
                  MongoEntryRemoval.queries(),
                  MongoMissions.queries(),
                  MongoDevices.queries(),
                  MongoAudit.queries(),
                  MongoAuditErasure.queries(),
                  MongoDeliveryErasure.queries(),
                  MongoErasures.queries(),
                  MongoConsents.queries(),
                  MongoRegister.queries(),
                  MongoNodes.queries())
              .flatMap(List::stream)
              .toList();
      List<List<String>> rows = new ArrayList<>();
      int bad = 0;
      for (MongoQuery query : queries) {
        Plan plan = plans.explain(query);
        boolean isBad = plan != null && plan.scans() && !query.mayScan();
        bad += isBad ? 1 : 0;
        rows.add(
            List.of(
                query.name(),
                plan == null ? "not explained: the server does not answer explain" : plan.stages(),
                verdict(plan, isBad)));
      }
      return new DoctorReport(server, rows, faults, queries.size(), bad);
    }
  }

  private static String verdict(@Nullable Plan plan, boolean isBad) {
    if (plan == null) {
      return "unknown";
    }
    return isBad ? "SCANS" : plan.scans() ? "reads all, as meant" : "good";
  }
}
