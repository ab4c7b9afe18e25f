package gilmok.accept;

import com.mongodb.ConnectionString;
import com.mongodb.ServerAddress;
import gilmok.deliveries.MongoDeliveries;
import gilmok.deliveries.MongoPartners;
import gilmok.doctor.Check;
import gilmok.doctor.DoctorReport;
import gilmok.doctor.MongoDoctor;
import gilmok.doctor.MongoServerDoctor;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoPlans;
import gilmok.documents.MongoPlans.Plan;
import gilmok.documents.MongoQuery;
import gilmok.documents.MongoScratch;
import gilmok.documents.MongoServerState;
import gilmok.observe.Meters;
import gilmok.statements.MongoEntries;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Tries MongoDB: rights, topology, plans, and the stores' contracts in a database of its own. The
 * fleet's own database is only read.
 */
final class MongoTrial implements EngineTrial {
  private static final String REACH =
      "start it, or correct the address, the user or the password of documents.mongo-uri";
  private static final String STEPS_DOWN = "a primary that steps down";
  private static final String SECONDARIES = "secondaries are fresh";
  private static final String SHARD_KEY = "the shard key is used";
  private static final String COVERED = "a statement is covered by its index";
  private static final List<String> SHARDED = List.of("deliveries", MongoEntries.COLLECTION);

  private final MongoConfig config;
  private final ConnectionString uri;
  private final String scratchName;
  private final String node;
  private final boolean mayFailOver;
  private final Meters meters = new Meters();
  private final Meters scratchMeters = new Meters();
  private @Nullable MongoDocuments fleet;
  private @Nullable MongoScratch scratch;
  private @Nullable MongoDocuments inScratch;

  /**
   * @param config with a URI
   * @param node the scratch database is named after it
   * @param mayFailOver whether the primary may be made to step down
   */
  MongoTrial(MongoConfig config, String uri, String node, boolean mayFailOver) {
    this.config = config;
    this.uri = new ConnectionString(uri);
    this.node = node;
    this.mayFailOver = mayFailOver;
    scratchName = MongoScratch.nameOfAccepting(config, node);
  }

  @Override
  public String engine() {
    return "mongodb";
  }

  @Override
  public String writes() {
    return "the database " + scratchName;
  }

  @Override
  public void run(Findings findings) throws IOException, InterruptedException {
    if (Boolean.TRUE.equals(uri.getSslEnabled()) && !uri.isSrvProtocol()) {
      ServerAddress first = new ServerAddress(uri.getHosts().getFirst());
      boolean isJavas = !Boolean.TRUE.equals(uri.getSslInvalidHostnameAllowed());
      findings.begin("TLS");
      new TlsProbe(first.getHost(), first.getPort(), config.connectTimeout())
          .look(isJavas)
          .forEach(findings::add);
    } else {
      findings.notTried(
          "TLS",
          uri.isSrvProtocol() ? "mongodb+srv: the driver checks it" : "the address asks for none",
          "");
    }
    MongoDocuments opened = new MongoDocuments(config, meters);
    fleet = opened;
    if (!findings.step("answers", REACH, () -> answers(findings, opened))) {
      return;
    }
    findings.begin("rights");
    rights(findings, opened);
    findings.begin("connections");
    MongoServerDoctor.look(
            MongoServerState.ask(opened),
            new MongoPartners(opened).countHolders(System.currentTimeMillis()),
            config.pool().max())
        .forEach(findings::add);
    MongoTopology seen = MongoTopology.ask(opened);
    inScratch(findings, seen);
    ownQueries(findings, opened, seen);
  }

  private static String answers(Findings findings, MongoDocuments documents)
      throws IOException, InterruptedException {
    documents.ping();
    for (int i = 0; i < 100; i++) {
      findings.time(
          "ping",
          () -> {
            documents.ping();
            return true;
          });
    }
    BsonDocument build =
        documents.ask(() -> documents.runOfServer(new BsonDocument("buildInfo", new BsonInt32(1))));
    return "MongoDB "
        + build.getString("version", new BsonString("of no version")).getValue()
        + ", "
        + MongoTopology.ask(documents).kind();
  }

  private void rights(Findings findings, MongoDocuments documents) throws InterruptedException {
    try {
      String seen = MongoRights.compare(documents, config.databaseName());
      findings.add(
          seen.isEmpty()
              ? Check.unknown(
                  "rights",
                  "nobody has logged in",
                  "give the address a user, and MongoDB access"
                      + " control, before others can reach it")
              : Check.of("rights", seen, true, ""));
    } catch (IOException lacking) {
      String message = String.valueOf(lacking.getMessage());
      findings.add(
          message.startsWith("missing")
              ? Check.of("rights", message, false, MongoRights.ADVICE)
              : Check.unknown("rights", MongoRights.named(message), ""));
    }
  }

  private void inScratch(Findings findings, MongoTopology seen)
      throws IOException, InterruptedException {
    boolean isMade =
        findings.step(
            "a scratch database",
            MongoRights.ADVICE + ". Without it no contract can be tried",
            MongoRights.naming(this::openScratch));
    MongoDocuments documents = inScratch;
    if (!isMade || documents == null) {
      return;
    }
    new MongoContracts(findings, documents, scratchMeters).run();
    plans(findings, documents);
    MongoTopology topology = new MongoTopology(documents, seen.kind(), seen.hosts());
    if (topology.isReplicaSet() && !Boolean.TRUE.equals(uri.isDirectConnection())) {
      findings.step(
          SECONDARIES,
          "look at replication lag: rs.printSecondaryReplicationInfo()",
          () -> topology.stale(findings));
      if (mayFailOver) {
        findings.step(
            STEPS_DOWN,
            "look at rs.status(): members that cannot become primary, or votes that are missing",
            () -> topology.stepDown(findings));
      } else {
        findings.notTried(STEPS_DOWN, "--allow-failover was not given", "");
      }
    } else {
      String why =
          seen.kind()
              + (topology.isReplicaSet()
                  ? ", and the address asks for this member alone (directConnection)"
                  : ": no other member");
      findings.notTried(SECONDARIES, why, "");
      findings.notTried(STEPS_DOWN, why, "");
    }
  }

  private String openScratch() throws IOException, InterruptedException {
    MongoScratch made = MongoScratch.accepting(config, node);
    scratch = made;
    inScratch = new MongoDocuments(made.config(), scratchMeters);
    return scratchName;
  }

  /** The plans of all queries, by doctor's eyes, where the indexes were just made. */
  private void plans(Findings findings, MongoDocuments documents)
      throws IOException, InterruptedException {
    findings.begin("plans of the queries");
    MongoScratch made = scratch;
    if (made != null) {
      add(findings, "queries use indexes", MongoDoctor.look(made.config()));
    }
    findings.begin(COVERED);
    BsonDocument explain =
        new BsonDocument("explain", MongoEntries.coveredQuery("accept-rider", 0, Long.MAX_VALUE))
            .append("verbosity", new BsonString("executionStats"));
    try {
      BsonDocument stats =
          documents
              .ask(() -> documents.run(explain))
              .getDocument("executionStats", new BsonDocument());
      covered(findings, stats);
    } catch (IOException unknown) {
      findings.notTried(COVERED, MongoRights.named(String.valueOf(unknown.getMessage())), "");
    }
  }

  private static void covered(Findings findings, BsonDocument stats) {
    BsonValue found = stats.get("totalDocsExamined");
    if (found == null || !found.isNumber()) {
      findings.notTried(COVERED, "the server counts no documents", "");
      return;
    }
    long examined = found.asNumber().longValue();
    findings.add(
        Check.of(
            COVERED,
            examined + " documents read",
            examined == 0,
            "look at the index statement: gilmok indexes"));
  }

  private static void add(Findings findings, String what, DoctorReport report) {
    String bad =
        report.rows().stream()
            .filter(row -> row.getLast().equals("SCANS"))
            .map(List::getFirst)
            .collect(Collectors.joining(", "));
    List<String> all =
        Stream.concat(
                report.faults().stream(),
                bad.isEmpty() ? Stream.empty() : Stream.of("scan a collection: " + bad))
            .toList();
    boolean isUnknown = report.rows().stream().allMatch(row -> row.getLast().equals("unknown"));
    findings.add(
        isUnknown
            ? Check.unknown(what, "the server does not answer explain", "")
            : Check.of(
                what,
                all.isEmpty()
                    ? report.queries() + " queries, none reads what it should not"
                    : String.join("; ", all),
                all.isEmpty(),
                "make the indexes that are missing: gilmok indexes; look at each plan: gilmok"
                    + " doctor"));
  }

  /** What the fleet's own database has: only where there is one. */
  private void ownQueries(Findings findings, MongoDocuments documents, MongoTopology seen)
      throws IOException, InterruptedException {
    findings.begin("the fleet's own database");
    if (!seen.isSharded()) {
      findings.notTried(SHARD_KEY, "the collections are not sharded", "");
      return;
    }
    MongoPlans plans = new MongoPlans(documents);
    for (String collection : SHARDED) {
      BsonDocument stats =
          documents.ask(
              () -> documents.run(new BsonDocument("collStats", new BsonString(collection))));
      if (!stats.getBoolean("sharded", BsonBoolean.FALSE).getValue()) {
        findings.notTried(SHARD_KEY, collection + " is not sharded", "");
        continue;
      }
      MongoQuery query =
          Stream.concat(MongoDeliveries.queries().stream(), MongoEntries.queries().stream())
              .filter(one -> one.collection().equals(collection))
              .filter(one -> one.name().endsWith("by shop") || one.name().endsWith("a statement"))
              .findFirst()
              .orElseThrow();
      Plan plan = plans.explain(query);
      findings.add(
          plan == null
              ? Check.unknown(SHARD_KEY, "the server does not answer explain", "")
              : Check.of(
                  SHARD_KEY,
                  query.name() + ": " + plan.stages(),
                  plan.stages().contains("SINGLE_SHARD"),
                  "shard " + collection + " as docs/documents.md says, so that one shard answers"));
    }
  }

  @Override
  public String cleanUp() throws IOException, InterruptedException {
    if (fleet != null) {
      fleet.close();
    }
    if (inScratch != null) {
      inScratch.close();
    }
    try {
      if (scratch != null) {
        scratch.close();
      }
      return "nothing is left of " + writes();
    } finally {
      meters.close();
      scratchMeters.close();
    }
  }
}
