import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in ticks of 1/100 s on every machine that Node.js runs on. */
const tickMs = 10;

interface ProcessCpu {
  id: number;
  parent: number;
  /** With its children that have ended and were waited for. */
  ms: number;
}

/**
 * Milliseconds of CPU time, user and system, that a process, its children and theirs have used, running or ended; undefined where
 * the system has no `/proc`, or the process has ended.
 */
export function readTreeCpuMs(pid: number): number | undefined {
  const tree = listTree(pid);
  return tree.length > 0 ? sumOf(tree) : undefined;
}

/**
 * Milliseconds of CPU time of the renderers and other processes that browsers below a process have started. A browser does not wait
 * for them when it ends, so that from then on they are missing in the time of its tree: read them before.
 */
export const readBrowserChildrenCpuMs = (pid: number): number =>
  sumOf(listTree(pid).filter(({ id }) => readCommand(id).includes('--type=')));

const sumOf = (processes: readonly ProcessCpu[]): number => processes.reduce((sum, { ms }) => sum + ms, 0);

/** @returns the process and all below it; none if it has ended */
function listTree(pid: number): ProcessCpu[] {
  const processes = listProcesses();
  const tree = processes.filter(({ id }) => id === pid);
  for (const { id } of tree) tree.push(...processes.filter(({ parent }) => parent === id));
  return tree;
}

function listProcesses(): ProcessCpu[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  } catch {
    // No `/proc`.
    return [];
  }
}

function readProcess(pid: string): ProcessCpu | [] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program name in parentheses, may contain spaces. 4: ppid, 14 to 17: utime, stime, cutime, cstime.
    const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fromThird.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { id: Number(pid), parent: Number(fromThird[1]), ms: ticks * tickMs };
  } catch {
    // It has ended.
    return [];
  }
}

/** @returns its program and arguments, separated by spaces or zero bytes */
function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
