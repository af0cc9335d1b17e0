import type { DomainCheck, DomainDetails } from '@reachout/contract/domains.ts';
import {
  domainCheckKinds,
  type DomainCheckKind,
  type DomainStatus,
} from '@reachout/contract/states/domain.ts';
import { useMutation, useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { isOpen } from './check-state.ts';
import { domainQuery } from './domains-query.ts';

interface Checked {
  status: DomainStatus;
  checks: Partial<DomainDetails['checks']>;
}

/** That of SPF includes the return path. */
const operations = {
  dkim: async (id: string): Promise<Checked> => {
    const { status, ...dkim } = await client.domains.checkDkim({ id });
    return { status, checks: { dkim } };
  },
  spf: async (id: string): Promise<Checked> => {
    const { status, return_path, ...spf } = await client.domains.checkSpf({ id });
    return { status, checks: { spf, return_path } };
  },
  dmarc: async (id: string): Promise<Checked> => {
    const { status, ...dmarc } = await client.domains.checkDmarc({ id });
    return { status, checks: { dmarc } };
  },
  tracking: async (id: string): Promise<Checked> => {
    const { status, ...tracking } = await client.domains.checkTracking({ id });
    return { status, checks: { tracking } };
  },
};
type Operation = keyof typeof operations;
const names = ['dkim', 'spf', 'dmarc', 'tracking'] as const satisfies readonly Operation[];

const operationOf = (kind: DomainCheckKind): Operation => (kind === 'return_path' ? 'spf' : kind);
const kindsOf = (name: Operation) => domainCheckKinds.filter((kind) => operationOf(kind) === name);

/** The server starts the same check at most once in this time, and returns the stored result meanwhile. */
const leastMs = 10_000;
/** Pauses between automatic checks; the last one repeats. */
const pausesMs = [leastMs, 20_000, 40_000, 60_000] as const;

interface Counts {
  dataUpdateCount: number;
  errorUpdateCount: number;
}

/** What a card shows beside the stored result. */
export interface CheckProgress {
  /** False if settings of the operator are missing. */
  isPossible: boolean;
  isChecking: boolean;
  error: unknown;
}

/**
 * Checks what is open when the page opens and then with growing pauses, while the page is visible. Each check is a query of
 * its own, whose result replaces that of the domain.
 */
export function useDomainChecks(domain: DomainDetails) {
  const scope = useOrganization();
  const queries = useQueryClient();
  const isPossible = (name: Operation) => domain.records.some(({ purpose }) => purpose === name);
  const results = useQueries({
    queries: names.map((name) => ({
      queryKey: [[scope.orgId, 'domain checks', name], domain.id],
      queryFn: async () => {
        await storeChecked(queries, scope, domain.id, await operations[name](domain.id));
        return true;
      },
      enabled: isPossible(name) && kindsOf(name).some((kind) => isOpen(domain.checks[kind])),
      refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }: { state: Counts }) =>
        pausesMs[Math.max(0, dataUpdateCount + errorUpdateCount - 1)] ?? pausesMs[3],
      meta: { quiet: true },
    })),
  });
  const possible = results.filter((_, index) => isPossible(names[index]!));
  const checking = useMutation({
    mutationFn: async () => {
      const latest = Math.max(...possible.map(({ dataUpdatedAt }) => dataUpdatedAt));
      await sleep(latest + leastMs - Date.now());
      await Promise.all(possible.map(({ refetch }) => refetch()));
    },
  });
  return {
    canCheck: possible.length > 0,
    isChecking: checking.isPending,
    /** Checks everything again, as soon as the server does so. */
    checkNow: () => checking.mutate(),
    progressOf: (kind: DomainCheckKind): CheckProgress => {
      const name = operationOf(kind);
      const { isFetching, error } = results[names.indexOf(name)]!;
      return { isPossible: isPossible(name), isChecking: isFetching, error };
    },
  };
}

/** Beyond the wait that is needed, for the way of the request. */
const marginMs = 50;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms) && ms + marginMs);
  });

/** Shows the result at once. If the status changed, other pages and the rest of this one change with it. */
async function storeChecked(
  queries: QueryClient,
  scope: OrganizationContext,
  id: string,
  { status, checks }: Checked,
): Promise<void> {
  const { queryKey } = domainQuery(scope, id);
  const before = queries.getQueryData(queryKey);
  if (before === undefined) return;
  const all: Record<DomainCheckKind, DomainCheck> = { ...before.checks, ...checks };
  queries.setQueryData(queryKey, { ...before, status, checks: all });
  // All is right, but the domain may be taken.
  const isHeld =
    status === 'pending' && domainCheckKinds.every((kind) => kind === 'tracking' || !isOpen(all[kind]));
  if (status !== before.status || isHeld)
    await queries.invalidateQueries({ queryKey: [[scope.orgId, 'domains']] });
}
