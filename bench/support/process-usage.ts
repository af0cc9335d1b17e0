import { readdirSync, readFileSync } from 'node:fs';

// Reads /proc: benches run on Linux.

/** Clock ticks per second in /proc, fixed by Linux for all programs. */
const ticksPerSecond = 100;

/** @returns the CPU seconds of a process with all its threads, user and system */
export function cpuSeconds(pid: number): number {
  const [user, system] = statOf(pid);
  return (user! + system!) / ticksPerSecond;
}

/** @returns the CPU seconds of a process and its descendants, including ended ones */
export function cpuSecondsOfTree(pid: number): number {
  const [user, system, endedUser, endedSystem] = statOf(pid);
  const own = (user! + system! + endedUser! + endedSystem!) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfTree(child), own);
}

/** @returns the peak memory of a process, in MB (10^6 bytes) */
export function peakMemoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

/** @returns the memory of a process and its descendants in MB, without shared memory such as the buffers of PostgreSQL */
export function anonymousMbOfTree(pid: number): number {
  const kilobytes = Number(/RssAnon:\s+(\d+) kB/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0);
  return childrenOf(pid).reduce((sum, child) => sum + anonymousMbOfTree(child), (kilobytes * 1024) / 1e6);
}

/** @returns the seconds that the threads of a process were runnable but waited for a CPU: how noisy the machine is */
export function runQueueSeconds(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const text = readIfThere(`/proc/${pid}/task/${thread}/schedstat`);
    return sum + Number(text.split(' ')[1] ?? 0) / 1e9;
  }, 0);
}

/** @returns utime, stime, cutime and cstime (proc_pid_stat(5), fields 14 to 17); zeros for an ended process */
function statOf(pid: number): number[] {
  const text = readIfThere(`/proc/${pid}/stat`);
  // The program name, in parentheses, can contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? [0, 0, 0, 0] : fields.slice(11, 15).map(Number);
}

function childrenOf(pid: number): number[] {
  const text = readIfThere(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
