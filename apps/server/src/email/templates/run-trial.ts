import type { EmailSnapshot } from '../email-content.ts';
import type { Trial } from '../trial.ts';
import { runTemplateTask, TemplateTaskError } from './template-processes.ts';

/**
 * Builds the messages of some recipients, in a process that is killed after 2 s.
 * @param owner the organization; `person` is the user who requests it. Each uses at most one process
 * @returns undefined if the process was killed
 * @throws LimitExceeded
 */
export async function runTrial(
  snapshot: EmailSnapshot,
  contacts: readonly Record<string, unknown>[],
  owner: string,
  person?: string,
): Promise<Trial | undefined> {
  try {
    return await runTemplateTask<Trial>({ kind: 'trial', snapshot, contacts }, owner, person);
  } catch (error) {
    if (error instanceof TemplateTaskError) return undefined;
    throw error;
  }
}
