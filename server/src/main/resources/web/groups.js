// Which group each rider is in: that of their phone where the key may list phones, else the one
// that their positions name in the attribute "group".

import { ask } from "./api.js";

/** Phones are listed anew no more often than that, and only while somebody looks. */
const LIST_MILLIS = 60_000;
const PAGES_MAX = 100;

export class Groups {
  constructor(fleet) {
    this.fleet = fleet;
    this.byRider = new Map();
    this.mayList = false;
    this.listed = 0;
  }

  /** The group of a rider; undefined for none. */
  of(id) {
    const known = this.byRider.get(id);
    if (known !== undefined) {
      return known;
    }
    const sent = this.fleet.position(id)?.attributes?.group;
    return typeof sent === "string" && sent !== "" ? sent : undefined;
  }

  /** All of them, in order. */
  names() {
    const names = new Set();
    for (const id of this.fleet.ids) {
      const name = this.of(id);
      if (name !== undefined) {
        names.add(name);
      }
    }
    return [...names].sort();
  }

  /** Another key may list other phones, or none. */
  restart(mayList) {
    this.mayList = mayList;
    this.byRider = new Map();
    this.listed = 0;
  }

  /** Lists the phones if that was long ago. What fails is tried again the next time. */
  async refresh() {
    if (!this.mayList || (this.listed !== 0 && performance.now() - this.listed < LIST_MILLIS)) {
      return;
    }
    this.listed = performance.now();
    const byRider = new Map();
    let next = null;
    try {
      for (let page = 0; page === 0 || (next !== null && page < PAGES_MAX); page++) {
        const answer = await ask("GET", `/v1/devices${next === null ? "" : `?cursor=${encodeURIComponent(next)}`}`);
        for (const { riderId, group } of answer.items) {
          if (group !== undefined) {
            byRider.set(riderId, group);
          }
        }
        next = answer.next;
      }
      if (this.mayList) {
        this.byRider = byRider;
      }
    } catch {
      // The server is away or busy: what was known stays.
    }
  }
}
