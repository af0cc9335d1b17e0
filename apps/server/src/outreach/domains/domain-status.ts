import type { DomainCheckKind, DomainCheckState, DomainStatus } from '@reachout/contract/states/domain.ts';
import type { Row } from '../../platform/database/database.ts';

/**
 * What the status depends on, of one check. `state`: the latest verdict about the records, null before the first. `failing_since`: the
 * first of the latest failures in a row; temporary errors do not count.
 */
export type CheckState = Row<'sending_domain_checks', 'kind' | 'state' | 'failing_since' | 'fails_count'>;

/** A verified domain is failing after so many failures in a row of one check, */
const minFails = 3;
/** with so much time from the first to the last: a mistake in the zone can be undone before sends stop. */
const minFailingMs = 6 * 3_600_000;
/** A failing domain is to be verified again when one check has failed for so long: another organization may have its name. */
const maxFailingMs = 30 * 86_400_000;

const needed: Readonly<Partial<Record<DomainCheckKind, readonly DomainCheckState[]>>> = {
  dkim: ['pass'],
  spf: ['pass', 'warn'],
  return_path: ['pass'],
  dmarc: ['pass', 'warn'],
};

/** @param checks  all of the domain */
export function statusAfter(status: DomainStatus, checks: readonly CheckState[], now: Date): DomainStatus {
  const hasFailedFor = (ms: number) =>
    checks.some(
      ({ kind, failing_since, fails_count }) =>
        needed[kind] !== undefined &&
        fails_count >= minFails &&
        failing_since !== null &&
        now.getTime() - Date.parse(failing_since) >= ms,
    );
  if (status === 'verified') return hasFailedFor(minFailingMs) ? 'failing' : 'verified';
  const hasAll = (Object.keys(needed) as DomainCheckKind[]).every((kind) => {
    const state = checks.find((check) => check.kind === kind)?.state;
    return state !== undefined && state !== null && needed[kind]!.includes(state);
  });
  if (hasAll) return 'verified';
  return status === 'failing' && hasFailedFor(maxFailingMs) ? 'pending' : status;
}
