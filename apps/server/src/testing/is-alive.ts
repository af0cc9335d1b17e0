import { readFileSync } from 'node:fs';

/** Dead processes that nobody clears away, as in containers without an init, still take signals. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) [ZX] /.test(readStat(pid));
}

/** Empty where the system has no `/proc`. */
function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
