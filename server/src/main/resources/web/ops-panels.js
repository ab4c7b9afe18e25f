// Which panels the page has, in their order, and which lines of the history each shows. The lines'
// names are those of gilmok.ops.OpsCatalog.

/** A line: its name in the history, and the name that it is shown by. */
const line = (name, label, more = {}) => ({ name, label, ...more });
const figure = (label, unit, read) => ({ label, unit, read });

const newest = (name) => (history) => history.newest(name);

/** The highest newest value of the lines that are told apart by a label. */
const worst = (name) => (history) => {
  const all = [history.newest(name), ...history.split(name).map((one) => history.newest(`${name}:${one}`))];
  const known = all.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

/** How full something with a bound is. */
const fullness = (metric) => (history) => {
  const bound = history.latest?.bounds.find((one) => one.metric === metric);
  return bound ? bound.value / bound.max : null;
};

/** The sum of a metric's newest values. */
const value = (metric) => (history) => {
  const points = history.latest?.values[metric];
  return points ? points.reduce((sum, point) => sum + point.value, 0) : null;
};

export const PANELS = [
  {
    id: "latency",
    isWide: true,
    chart: { unit: "seconds", scale: "log", height: 150, strip: "GC", bars: "gc.pause", lines: [line("http.p99", "p99", { isFilled: true }), line("http.p50", "p50")] },
    figures: [figure("stopped", "share", newest("gc.pause"))],
  },
  {
    id: "requests",
    chart: { unit: "rate", least: 1, lines: [line("http.requests", "requests", { isFilled: true })] },
    figures: [
      figure("open", "count", newest("http.open")),
      figure("connections", "count", newest("http.connections")),
      figure("received", "bytesRate", newest("http.received")),
      figure("sent", "bytesRate", newest("http.sent")),
      figure("repeated", "rate", newest("http.repeated")),
    ],
  },
  {
    id: "slow",
    chart: { unit: "share", least: 0.01, lines: [line("http.slow", "slow", { isFilled: true }), line("http.stuck", "stuck")] },
  },
  {
    id: "failures",
    chart: { unit: "rate", least: 1, lines: [line("http.faults", "faults"), line("http.unavailable", "503"), line("http.refused", "4xx")] },
  },
  { id: "routes", isWide: true, content: "routes" },
  { id: "callers", isWide: true, chart: { unit: "rate", least: 1, split: "caller.requests" }, content: "callers" },
  { id: "refusals", chart: { unit: "rate", least: 1, split: "refusals", isZero: true } },
  {
    id: "processor",
    chart: {
      unit: "cores",
      least: 0.5,
      split: "processor",
      isStacked: true,
      isZero: true,
      instead: { unit: "share", least: 0.1, lines: [line("processor.used", "process", { isFilled: true }), line("processor.host", "host")] },
    },
    figures: [
      figure("process", "share", newest("processor.used")),
      figure("host", "share", newest("processor.host")),
      figure("throttled", "share", newest("processor.throttled")),
    ],
  },
  {
    id: "loops",
    chart: { unit: "seconds", scale: "log", split: "loop.lag.p99", instead: { unit: "seconds", scale: "log", lines: [line("loop.lag.p99", "lag p99")] } },
    figures: [figure("taskWait", "seconds", worst("loop.wait.p99")), figure("pending", "count", newest("loop.pending"))],
  },
  {
    id: "virtual",
    chart: { unit: "count", least: 4, lines: [line("virtual.queued", "queued"), line("virtual.mounted", "mounted"), line("virtual.parallelism", "parallelism")] },
    figures: [
      figure("pool", "count", newest("virtual.pool")),
      figure("start", "seconds", newest("virtual.start.p99")),
      figure("pinned", "rate", newest("virtual.pinned")),
      figure("lockWait", "share", newest("lock.wait")),
      figure("blocked", "count", newest("blocked")),
    ],
  },
  { id: "waits", chart: { unit: "seconds", scale: "log", split: "wait.p99" }, content: "waits" },
  {
    id: "log",
    chart: { unit: "seconds", scale: "log", lines: [line("log.append.p99", "append p99"), line("log.fsync.p99", "fsync p99"), line("log.fsync.p50", "fsync p50")] },
    figures: [
      figure("fsyncs", "rate", newest("log.fsyncs")),
      figure("group", "count", newest("log.group.mean")),
      figure("logQueue", "share", fullness("gilmok_log_queue_bytes")),
      figure("logFull", "share", fullness("gilmok_log_bytes")),
    ],
  },
  {
    id: "documents",
    chart: { unit: "seconds", scale: "log", split: "documents.mongo.p99", instead: { unit: "seconds", scale: "log", lines: [line("documents.commit.p99", "commit p99")] } },
    figures: [
      figure("writes", "share", fullness("gilmok_documents_queue_writes")),
      figure("busy", "rate", newest("documents.busy")),
    ],
  },
  {
    id: "collect",
    chart: { unit: "rate", least: 1, lines: [line("collect.accepted", "accepted", { isFilled: true }), line("collect.duplicates", "duplicates"), line("collect.quarantined", "quarantined")] },
  },
  { id: "sinks", isWide: true, chart: { unit: "seconds", least: 1, split: "sink.lag" }, content: "sinks" },
  {
    id: "relay",
    chart: { unit: "rate", least: 1, split: "relay.calls", isZero: true },
    figures: [
      figure("waiting", "count", newest("relay.waiting")),
      figure("breakers", "count", newest("relay.breakers:open")),
      figure("call", "seconds", newest("relay.call.p99")),
      figure("delivered", "seconds", newest("relay.delivered.p99")),
      figure("dead", "rate", newest("relay.dead")),
    ],
  },
  {
    id: "memory",
    chart: { unit: "bytes", least: 1e8, lines: [line("heap.used", "used", { isFilled: true }), line("heap.live", "live"), line("heap.max", "max")] },
    figures: [figure("allocated", "bytesRate", newest("heap.allocated"))],
  },
  {
    id: "gc",
    chart: { unit: "share", least: 0.01, split: "gc.cause", isStacked: true, isZero: true },
    figures: [figure("pauses", "rate", newest("gc.count")), figure("stopped", "share", newest("gc.pause"))],
  },
  { id: "bounds", content: "bounds" },
  { id: "background", content: "background" },
  { id: "slowest", isWide: true, content: "slowest" },
  {
    id: "lines",
    chart: { unit: "rate", least: 1, split: "lines", isZero: true },
    figures: [figure("dropped", "rate", newest("lines.dropped"))],
  },
  {
    id: "machine",
    chart: { unit: "share", least: 0.1, split: "pressure", isZero: true },
    content: "machine",
    figures: [
      figure("load", "count", value("gilmok_host_load1")),
      figure("swap", "bytes", value("gilmok_host_swap_used_bytes")),
      figure("majorFaults", "rate", newest("faults")),
      figure("files", "count", value("process_files_open_files")),
    ],
  },
  { id: "events", content: "events" },
];
