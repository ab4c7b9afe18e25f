package gilmok.app;

import gilmok.audit.AuditStore;
import gilmok.audit.MongoAudit;
import gilmok.audit.MongoAuditErasure;
import gilmok.audit.SqliteAudit;
import gilmok.audit.SqliteAuditErasure;
import gilmok.auth.KeyStore;
import gilmok.auth.MongoKeys;
import gilmok.auth.SqliteKeys;
import gilmok.collect.devices.DeviceStore;
import gilmok.collect.devices.MongoDevices;
import gilmok.deliveries.DeliveryErasure;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.MongoDeliveries;
import gilmok.deliveries.MongoDeliveryErasure;
import gilmok.deliveries.MongoPartners;
import gilmok.deliveries.MongoRemoval;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.PartnerStore;
import gilmok.deliveries.RecentDeliveries;
import gilmok.deliveries.SqliteDeliveries;
import gilmok.deliveries.SqliteDeliveryErasure;
import gilmok.deliveries.SqliteOutbox;
import gilmok.deliveries.SqlitePartners;
import gilmok.deliveries.SqliteRemoval;
import gilmok.deliveries.StoredDelivery;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoIndexes;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.UnfitDocuments;
import gilmok.erasure.Erasable;
import gilmok.erasure.ErasureConfig;
import gilmok.erasure.MongoErasures;
import gilmok.keys.SharedDocuments;
import gilmok.missions.MissionErasure;
import gilmok.missions.MissionRemoval;
import gilmok.missions.MissionStore;
import gilmok.missions.MongoMissionRows;
import gilmok.missions.MongoMissions;
import gilmok.missions.OldMission;
import gilmok.missions.SqliteMissionRows;
import gilmok.missions.SqliteMissions;
import gilmok.observe.Meters;
import gilmok.privacy.MongoConsents;
import gilmok.privacy.MongoRegister;
import gilmok.privacy.Privacy;
import gilmok.privacy.SqliteConsents;
import gilmok.privacy.SqliteRegister;
import gilmok.retention.DocumentRemoval;
import gilmok.statements.EntryStore;
import gilmok.statements.MongoEntries;
import gilmok.statements.MongoEntryErasure;
import gilmok.statements.MongoEntryRemoval;
import gilmok.statements.SqliteEntries;
import gilmok.statements.SqliteEntryErasure;
import gilmok.statements.SqliteEntryRemoval;
import gilmok.statements.StatementEntry;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The document stores of a server, in the database that the settings choose. Thread-safe. */
public interface Documents extends SharedDocuments, AutoCloseable {
  /** Logs what the documents wait for. */
  Logger LOG = System.getLogger("gilmok.app");

  /** Opens the database that the settings choose. */
  static Documents open(
      SqliteConfig config,
      MongoConfig mongo,
      Path data,
      Meters meters,
      InstantSource clock,
      UnreadableDeliveries unreadable)
      throws IOException, InterruptedException {
    return mongo.uri() == null
        ? InSqlite.of(SqliteDatabase.open(data, config, meters), clock, unreadable)
        : InMongo.open(mongo, meters, clock, unreadable);
  }

  KeyStore keys();

  DeliveryStore deliveries();

  Outbox outbox();

  /** Takes old deliveries out. */
  DocumentRemoval<StoredDelivery> deliveryRemoval();

  /** Takes old entries of statements out. */
  DocumentRemoval<StatementEntry> entryRemoval();

  /** Takes old missions out, and progress in them. */
  DocumentRemoval<OldMission> missionRemoval();

  PartnerStore partners();

  EntryStore statements();

  MissionStore missions();

  AuditStore audit();

  DeliveryErasure deliveryErasure();

  /** What erases riders from all of it. */
  List<Erasable> erasables(ErasureConfig config);

  Privacy.Stores privacy();

  /** The phones of all nodes; null where a node keeps its own in a file. */
  default @Nullable DeviceStore devices() {
    return null;
  }

  /**
   * Prepares the queries that the documents of another server, the shadow of a warm-up, have run.
   */
  default void prepareAs(Documents other) throws IOException, InterruptedException {
    // A shared database keeps no prepared statements for a connection.
  }

  /** Waits, for a limited time, until connections are open for the first requests. */
  default void awaitConnections(Duration patience) throws InterruptedException {
    // A file needs no connections.
  }

  @Override
  void close() throws IOException;

  /** Documents in a SQLite file of the data folder. */
  record InSqlite(
      SqliteDatabase database,
      KeyStore keys,
      DeliveryStore deliveries,
      Outbox outbox,
      SqliteRemoval deliveryRemoval,
      PartnerStore partners,
      EntryStore statements,
      MissionStore missions,
      AuditStore audit)
      implements Documents {
    static InSqlite of(
        SqliteDatabase database, InstantSource clock, UnreadableDeliveries unreadable) {
      RecentDeliveries recent = new RecentDeliveries();
      return new InSqlite(
          database,
          new SqliteKeys(database),
          new SqliteDeliveries(database, clock, unreadable, recent),
          new SqliteOutbox(database, clock, unreadable, recent),
          new SqliteRemoval(database, recent),
          new SqlitePartners(database),
          new SqliteEntries(database),
          new SqliteMissions(database),
          new SqliteAudit(database));
    }

    @Override
    public Privacy.Stores privacy() {
      return new Privacy.Stores(new SqliteConsents(database), new SqliteRegister(database), false);
    }

    @Override
    public DocumentRemoval<StatementEntry> entryRemoval() {
      return new SqliteEntryRemoval(database);
    }

    @Override
    public DocumentRemoval<OldMission> missionRemoval() {
      return new MissionRemoval(new SqliteMissionRows(database));
    }

    @Override
    public DeliveryErasure deliveryErasure() {
      return new SqliteDeliveryErasure(database, deliveryRemoval.recent());
    }

    @Override
    public List<Erasable> erasables(ErasureConfig config) {
      return List.of(
          Erasable.renaming("deliveries", deliveryErasure()::rename),
          Erasable.renaming("statement-entries", new SqliteEntryErasure(database)::rename),
          Erasable.renaming("audit", new SqliteAuditErasure(database)::rename),
          Erasable.erasing(
              "missions", new MissionErasure(missions, new SqliteMissionRows(database))::erase),
          Erasable.of(
              "documents-file",
              Erasable.When.SHARED,
              _ ->
                  database.rewrite(config.documentsBytesMax())
                      ? Erasable.Outcome.NOTHING
                      : Erasable.Outcome.left(
                          SqliteDatabase.FILE + " is over erasure.documents-bytes-max",
                          "unused parts of it may have what was there: gilmok compact")));
    }

    @Override
    public @Nullable String fault() {
      return database.fault();
    }

    @Override
    public boolean areShared() {
      return false;
    }

    @Override
    public void prepare() {}

    @Override
    public List<String> lookAgain() {
      return List.of();
    }

    @Override
    public void prepareAs(Documents other) throws IOException, InterruptedException {
      if (other instanceof InSqlite asked) {
        database.prepareAs(asked.database);
      }
    }

    @Override
    public void close() throws IOException {
      database.close();
    }
  }

  /** Documents in a MongoDB that several nodes share. */
  record InMongo(
      MongoDocuments documents,
      MongoIndexes indexes,
      KeyStore keys,
      MongoDeliveries deliveries,
      MongoPartners partners,
      MongoEntries statements,
      MissionStore missions,
      AuditStore audit,
      DeviceStore devices)
      implements Documents {
    /**
     * Opens the stores, whether or not MongoDB answers; if it does not, {@link #prepare} continues
     * later.
     */
    static InMongo open(
        MongoConfig config, Meters meters, InstantSource clock, UnreadableDeliveries unreadable)
        throws InterruptedException {
      MongoDocuments documents = new MongoDocuments(config, meters);
      documents.hold();
      InMongo opened =
          new InMongo(
              documents,
              new MongoIndexes(documents, config.indexes(), wantedIndexes()),
              new MongoKeys(documents),
              new MongoDeliveries(documents, clock, unreadable),
              new MongoPartners(documents),
              new MongoEntries(documents),
              new MongoMissions(documents),
              new MongoAudit(documents),
              new MongoDevices(documents));
      try {
        opened.prepare();
      } catch (IOException later) {
        LOG.log(
            Level.WARNING,
            "deliveries, statements and missions are answered 503 until the documents work: "
                + later.getMessage());
      } catch (InterruptedException | RuntimeException failed) {
        documents.close();
        throw failed;
      }
      return opened;
    }

    /** The indexes that all stores need, by collection. */
    public static Map<String, List<MongoIndex>> wantedIndexes() {
      Map<String, List<MongoIndex>> all = new HashMap<>(MongoDeliveries.indexes());
      all.put(MongoEntries.COLLECTION, MongoEntries.INDEXES);
      all.put(MongoAudit.COLLECTION, MongoAudit.INDEXES);
      all.put(MongoDevices.COLLECTION, MongoDevices.INDEXES);
      all.put(MongoErasures.COLLECTION, MongoErasures.INDEXES);
      all.put(MongoConsents.COLLECTION, MongoConsents.INDEXES);
      all.put(MongoRegister.COLLECTION, MongoRegister.INDEXES);
      return all;
    }

    @Override
    public void prepare() throws IOException, InterruptedException {
      if (documents.isOpen()) {
        return;
      }
      documents.greet();
      List<String> lacking = indexes.look();
      if (!lacking.isEmpty()) {
        UnfitDocuments unfit = new UnfitDocuments(lacking);
        documents.lacks(String.valueOf(unfit.getMessage()));
        throw unfit;
      }
      partners.addLeases();
      documents.open();
    }

    @Override
    public List<String> lookAgain() throws IOException, InterruptedException {
      if (!documents.isOpen()) {
        return List.of();
      }
      List<String> lacking = indexes.look();
      if (!partners.hasLeases()) {
        partners.addLeases();
      }
      return lacking;
    }

    @Override
    public DeliveryErasure deliveryErasure() {
      return new MongoDeliveryErasure(documents);
    }

    @Override
    public List<Erasable> erasables(ErasureConfig config) {
      return List.of(
          Erasable.renaming("deliveries", deliveryErasure()::rename),
          Erasable.renaming("statement-entries", new MongoEntryErasure(documents)::rename),
          Erasable.renaming("audit", new MongoAuditErasure(documents)::rename),
          Erasable.erasing(
              "missions", new MissionErasure(missions, new MongoMissionRows(documents))::erase));
    }

    @Override
    public @Nullable String fault() {
      return null;
    }

    @Override
    public Outbox outbox() {
      return deliveries;
    }

    @Override
    public DocumentRemoval<StoredDelivery> deliveryRemoval() {
      return new MongoRemoval(documents);
    }

    @Override
    public Privacy.Stores privacy() {
      return new Privacy.Stores(new MongoConsents(documents), new MongoRegister(documents), true);
    }

    @Override
    public DocumentRemoval<StatementEntry> entryRemoval() {
      return new MongoEntryRemoval(documents);
    }

    @Override
    public DocumentRemoval<OldMission> missionRemoval() {
      return new MissionRemoval(new MongoMissionRows(documents));
    }

    @Override
    public boolean areShared() {
      return true;
    }

    @Override
    public void awaitConnections(Duration patience) throws InterruptedException {
      boolean _ = documents.awaitConnections(patience);
    }

    @Override
    public void close() {
      documents.close();
    }
  }
}
