import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in ticks of 1/100 s on every machine that Node.js runs on. */
const tickMs = 10;

interface ProcessCpu {
  parent: number;
  /** With its children that have ended and were waited for. */
  ms: number;
}

/**
 * Milliseconds of CPU time, user and system, that a process, its children and theirs have used, running or ended; undefined where
 * the system has no `/proc`, or the process has ended.
 */
export function readTreeCpuMs(pid: number): number | undefined {
  const processes = listProcesses();
  const tree = [pid];
  for (const parent of tree) for (const [id, cpu] of processes) if (cpu.parent === parent) tree.push(id);
  return processes.has(pid) ? tree.reduce((sum, id) => sum + processes.get(id)!.ms, 0) : undefined;
}

function listProcesses(): Map<number, ProcessCpu> {
  const processes = new Map<number, ProcessCpu>();
  try {
    for (const name of readdirSync('/proc')) {
      const cpu = /^\d+$/.test(name) ? readProcess(name) : undefined;
      if (cpu !== undefined) processes.set(Number(name), cpu);
    }
  } catch {
    // No `/proc`.
  }
  return processes;
}

function readProcess(pid: string): ProcessCpu | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program name in parentheses, may contain spaces. 4: ppid, 14 to 17: utime, stime, cutime, cstime.
    const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fromThird.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fromThird[1]), ms: ticks * tickMs };
  } catch {
    // It has ended.
    return undefined;
  }
}
