import { readFileSync } from 'node:fs';

/** Linux counts in ticks of 1/100 s on every machine that Node.js runs on. */
const tickMs = 10;

/** Milliseconds of CPU time that this thread has used. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** For how long a reading of the clock serves for several starts. */
const readingLastsMs = 5;
let lastReadAt = -Infinity;
let lastCpuMs = 0;

/**
 * Where a span of CPU time begins that may last for hundreds of milliseconds: as `threadCpuMs`, or up to 5 ms less, so that
 * many short spans do not pay for reading the clock, which takes as long as writing a thousand bytes.
 */
export function cpuMsAtStart(): number {
  const now = performance.now();
  if (now - lastReadAt > readingLastsMs) {
    lastReadAt = now;
    lastCpuMs = threadCpuMs();
  }
  return lastCpuMs;
}

/** Milliseconds of CPU time that another process has used; undefined where the system has no `/proc` (proc(5)). */
export function readCpuMs(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field, the program name in parentheses, may contain spaces. The 14th and 15th are utime and stime.
  const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fromThird[11]) + Number(fromThird[12])) * tickMs;
}
