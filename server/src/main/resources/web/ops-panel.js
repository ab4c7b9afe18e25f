// A panel: its title, what to look for, a chart with its legend, figures, and whatever else.

import { TimeChart } from "./chart.js";
import { make, makeSvg, put } from "./dom.js";
import { format } from "./ops-units.js";
import { say } from "./words.js";

const LINES_MAX = 7;
const STYLES = 8;

/** A line's name in the reader's language, if there is one. */
export function lineName(label, values) {
  const known = say(`opsLine_${label}`, values);
  return known.startsWith("opsLine_") ? label : known;
}

/** A label's value is shown as it is. */
const nameOf = ({ label, isPlain }) => (isPlain && label !== "other" ? label : lineName(label));

const capital = (text) => text[0].toUpperCase() + text.slice(1);

export class Panel {
  /**
   * @param spec one of PANELS
   * @param content draws what it shows beside its chart: (history, view) => elements
   * @param cursor tells all panels where the cursor is: {moveTo(time), step(by)}
   */
  constructor(spec, content, cursor) {
    this.spec = spec;
    this.content = content;
    const title = `ops${capital(spec.id)}`;
    this.legend = make("ul", { class: "legend-list" });
    this.figures = make("dl", { class: "figure-list" });
    this.rest = make("div", { class: "panel-rest" });
    const heading = make("h2", { id: `panel-${spec.id}` }, say(title));
    const look = make("details", { class: "look-for" }, make("summary", { "aria-label": `${say(title)}: ?` }, "?"), make("p", {}, say(`${title}Look`)));
    this.element = make(
      "section",
      { class: `ops-panel ${spec.isWide ? "wide" : ""}`, "aria-labelledby": heading.id, "data-panel": spec.id },
      make("header", {}, heading, look),
    );
    if (spec.chart) {
      this.element.append(this.legend, this.makeChart(cursor));
    }
    this.element.append(this.figures, this.rest);
    this.title = say(title);
  }

  makeChart(cursor) {
    this.chart = new TimeChart({ ...this.spec.chart });
    const svg = this.chart.element;
    svg.addEventListener("pointermove", (event) => this.chart.view && cursor.moveTo(this.chart.timeAt(event.clientX)));
    svg.addEventListener("pointerdown", (event) => this.chart.view && cursor.moveTo(this.chart.timeAt(event.clientX)));
    svg.addEventListener("pointerleave", () => cursor.moveTo(null));
    svg.addEventListener("blur", () => cursor.moveTo(null));
    svg.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12, Home: -Infinity, End: Infinity };
      if (event.key in steps) {
        event.preventDefault();
        cursor.step(steps[event.key], () => this.words());
      } else if (event.key === "Escape") {
        cursor.moveTo(null);
      }
    });
    return svg;
  }

  /** The lines that there are now, and the plan that they belong to. */
  choose(history) {
    let plan = this.spec.chart;
    let lines = plan.lines ?? this.splitLines(history, plan);
    if (lines.length === 0 && plan.instead) {
      plan = plan.instead;
      lines = plan.lines;
    }
    return { plan, lines };
  }

  /** The largest lines first; those beyond the most are only counted. */
  splitLines(history, plan) {
    const sums = history.split(plan.split).map((label) => {
      const name = `${plan.split}:${label}`;
      return { name, label, sum: history.values(name).reduce((sum, value) => sum + (value ?? 0), 0) };
    });
    sums.sort((a, b) => (a.label === "other") - (b.label === "other") || b.sum - a.sum || (a.label < b.label ? -1 : 1));
    this.left = Math.max(0, sums.length - LINES_MAX);
    const shown = sums.slice(0, LINES_MAX);
    // Each keeps its colour when the order changes.
    this.styles ??= new Map();
    for (const { label } of shown) {
      if (!this.styles.has(label)) {
        this.styles.set(label, this.styles.size % STYLES);
      }
    }
    return shown.map((line) => ({ ...line, style: this.styles.get(line.label), isPlain: true }));
  }

  draw(history, view) {
    if (this.chart) {
      const { plan, lines } = this.choose(history);
      const none = new Array(history.times.length).fill(null);
      this.lines = lines.map((line, i) => {
        const known = history.values(line.name);
        const values = plan.isZero && known ? zeros(known) : known;
        return { ...line, style: line.style ?? i, values: values ?? none };
      });
      this.plan = plan;
      this.chart.plan = { height: this.spec.chart.height, ...plan };
      this.chart.draw(view, this.lines, plan.bars && history.values(plan.bars));
      this.drawLegend();
    }
    this.drawFigures(history);
    if (this.content) {
      this.rest.replaceChildren(...this.content(history, view));
    }
    this.point(null);
  }

  drawLegend() {
    const items = this.lines.map((line) =>
      make("li", { class: `s${line.style}` }, swatch(line.style), make("span", {}, nameOf(line)), make("b", {})),
    );
    if (this.left > 0) {
      items.push(make("li", { class: "left-out" }, lineName("more", { count: this.left })));
    }
    if (items.length === 0) {
      items.push(make("li", { class: "left-out" }, "—"));
    }
    this.legend.replaceChildren(...items);
  }

  drawFigures(history) {
    const figures = (this.spec.figures ?? []).map(({ label, unit, read }) =>
      make("div", {}, make("dt", {}, lineName(label)), make("dd", {}, format(unit, read(history)))),
    );
    this.figures.replaceChildren(...figures);
  }

  /** Shows the values at a sample; null: the newest. */
  point(index) {
    if (!this.chart || !this.lines) {
      return;
    }
    this.chart.point(index);
    this.lines.forEach(({ values }, i) => {
      put(this.legend.children[i].lastElementChild, format(this.plan.unit, index === null ? values.at(-1) : values[index]));
    });
    if (index === null) {
      this.chart.describe(`${this.title}. ${this.words()}`);
    }
  }

  /** The legend as a sentence. */
  words() {
    return this.lines.map((line, i) => `${nameOf(line)} ${this.legend.children[i].lastElementChild.textContent}`).join(", ");
  }
}

/** What is counted seldom is not there before the first time: it was nothing. */
function zeros(values) {
  return values.map((value) => value ?? 0);
}

/** A line's colour and dashes. */
function swatch(style) {
  return makeSvg("svg", { viewBox: "0 0 18 8", class: "swatch", "aria-hidden": "true" }, makeSvg("path", { class: `series s${style}`, d: "M1 4H17" }));
}
