/**
 * Calls `work` as soon as `performance.now()` has reached `at`. A timer of Node.js alone may fire up to 2 ms too early for
 * that clock, because it counts whole milliseconds. Does not keep the process running.
 */
export function callAt(at: number, work: () => void): void {
  const check = () => (performance.now() < at ? callAt(at, work) : work());
  setTimeout(check, Math.ceil(at - performance.now())).unref();
}
