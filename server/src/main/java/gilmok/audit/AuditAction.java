package gilmok.audit;

/** The changes that are written down. */
public enum AuditAction {
  KEY_CREATED("key.created"),
  KEY_REVOKED("key.revoked"),
  PARTNER_CREATED("partner.created"),
  PARTNER_CHANGED("partner.changed"),
  PARTNER_REDELIVERED("partner.redelivered"),
  PARTNER_REPLAYED("partner.replayed"),
  PARTNER_RETRIED("partner.retried"),
  SINK_TUNED("sink.tuned"),
  SINK_PAUSED("sink.paused"),
  SINK_RESUMED("sink.resumed"),
  SINK_REWOUND("sink.rewound"),
  SINK_FORGOTTEN("sink.forgotten"),
  QUARANTINE_REPLAYED("quarantine.replayed"),
  RECORDS_EXPORTED("records.exported"),
  RECORDS_IMPORTED("records.imported"),
  BACKUP_MADE("backup.made"),
  DEVICE_TIED("device.tied"),
  DEVICE_UNTIED("device.untied"),
  DEVICE_COMMANDED("device.commanded"),
  CONSENT_CHANGED("consent.changed"),
  RIDER_ERASED("rider.erased");

  private final String label;

  AuditAction(String label) {
    this.label = label;
  }

  /** The name in entries, as in {@code key.created}. */
  public String label() {
    return label;
  }
}
