// Lets time pass in the panel of days.

/** Who wants no motion sees a picture in so many milliseconds. */
const STILL_MILLIS = 1_000;

export class Playing {
  /** @param onPassed is told how many milliseconds have passed, with each picture */
  constructor(onPassed) {
    this.onPassed = onPassed;
    this.isOn = false;
    this.least = matchMedia("(prefers-reduced-motion: reduce)").matches ? STILL_MILLIS : 0;
  }

  begin() {
    this.isOn = true;
    this.last = performance.now();
    this.wait();
  }

  end() {
    this.isOn = false;
    cancelAnimationFrame(this.frame);
  }

  wait() {
    this.frame = requestAnimationFrame((now) => {
      const passed = now - this.last;
      if (passed >= this.least) {
        this.last = now;
        this.onPassed(Math.max(0, passed));
      }
      if (this.isOn) {
        this.wait();
      }
    });
  }
}

/** How long it takes until a lane has a position again; 0 where it has one. */
export function untilKnown({ track, time }) {
  const i = track.indexAt(time);
  if (i >= 0 && (i + 1 === track.size ? time <= track.millis[i] : !track.isGap(i))) {
    return 0;
  }
  return i + 1 < track.size ? track.millis[i + 1] - time : Infinity;
}
