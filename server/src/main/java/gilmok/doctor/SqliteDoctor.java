package gilmok.doctor;

import gilmok.audit.SqliteAudit;
import gilmok.audit.SqliteAuditErasure;
import gilmok.auth.SqliteKeys;
import gilmok.deliveries.SqliteDeliveries;
import gilmok.deliveries.SqliteDeliveryErasure;
import gilmok.deliveries.SqliteOutbox;
import gilmok.deliveries.SqlitePartners;
import gilmok.deliveries.SqliteRemoval;
import gilmok.documents.Query;
import gilmok.documents.SqlitePlans;
import gilmok.documents.SqlitePlans.Plan;
import gilmok.missions.SqliteMissionRows;
import gilmok.missions.SqliteMissions;
import gilmok.privacy.SqliteConsents;
import gilmok.privacy.SqliteRegister;
import gilmok.retention.SqliteRemovalPlans;
import gilmok.statements.SqliteEntries;
import gilmok.statements.SqliteEntryErasure;
import gilmok.statements.SqliteEntryRemoval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Examines the documents of a data folder: what they lack, and the plans of the queries. */
final class SqliteDoctor {
  private SqliteDoctor() {}

  /** All queries of all stores, but those whose tables may not be there yet. */
  static List<Query> queries() {
    return Stream.of(
            SqliteKeys.queries(),
            SqliteDeliveries.queries(),
            SqliteOutbox.queries(),
            SqlitePartners.queries(),
            SqliteEntries.queries(),
            SqliteMissions.queries(),
            SqliteDeliveryErasure.queries(),
            SqliteEntryErasure.queries())
        .flatMap(List::stream)
        .toList();
  }

  /** Those that archive and remove old documents. */
  static List<Query> removal() {
    return Stream.of(
            SqliteRemovalPlans.queries(),
            SqliteRemoval.queries(),
            SqliteEntryRemoval.queries(),
            SqliteMissionRows.queries())
        .flatMap(List::stream)
        .toList();
  }

  /** Examines a data folder. It only reads. */
  static DoctorReport look(Path data) throws IOException {
    try (SqlitePlans plans = new SqlitePlans(data)) {
      List<List<String>> rows = new ArrayList<>();
      int bad = 0;
      List<Query> queries = new ArrayList<>(queries());
      if (plans.has(SqliteAudit.TABLE)) {
        queries.addAll(SqliteAudit.queries());
        queries.addAll(SqliteAuditErasure.queries());
      }
      if (plans.has(SqliteConsents.TABLE)) {
        queries.addAll(SqliteConsents.queries());
      }
      if (plans.has(SqliteRegister.TABLE)) {
        queries.addAll(SqliteRegister.queries());
      }
      if (plans.has(SqliteRemovalPlans.TABLE)) {
        queries.addAll(removal());
      }
      for (Query query : queries) {
        Plan plan = plans.explain(query);
        bad += plan.verdict().isBad() ? 1 : 0;
        String verdict =
            switch (plan.verdict()) {
              case GOOD -> "good";
              case READS_ALL -> "reads all, as meant";
              case SCANS -> "SCANS";
              case FAILS -> "FAILS";
            };
        List<String> steps = plan.steps().isEmpty() ? List.of("-") : plan.steps();
        for (int i = 0; i < steps.size(); i++) {
          rows.add(List.of(i == 0 ? query.name() : "", steps.get(i), i == 0 ? verdict : ""));
        }
      }
      return new DoctorReport(List.of(), rows, plans.faults(), queries.size(), bad);
    }
  }
}
