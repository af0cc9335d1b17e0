import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readCpuMs } from '../platform/cpu-time.ts';

/** @returns the ids of this process's template processes */
export function findTemplateProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const parent = /\) \w (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
        const isOurs = parent === String(process.pid);
        return isOurs && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('template-worker');
      } catch {
        // The process has ended.
        return false;
      }
    })
    .map(Number);
}

/** @returns the CPU time in ms of the busiest template process during `work`, sampled every 20 ms */
export async function measureTemplateCpu(work: () => Promise<void>): Promise<number> {
  const before = new Map(findTemplateProcesses().map((pid) => [pid, readCpuMs(pid) ?? 0]));
  let mostMs = 0;
  let isOver = false;
  const worked = work().finally(() => (isOver = true));
  const areDone = () => isOver;
  while (!areDone()) {
    for (const pid of findTemplateProcesses())
      mostMs = Math.max(mostMs, (readCpuMs(pid) ?? 0) - (before.get(pid) ?? 0));
    await delay(20);
  }
  await worked;
  return mostMs;
}
