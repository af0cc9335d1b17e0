import { readFileSync } from 'node:fs';

/** Zombie processes count as dead: without an init, as in some containers, they remain and still accept signals. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) [ZX] /.test(readStat(pid));
}

/** @returns an empty text on systems without `/proc` */
function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
