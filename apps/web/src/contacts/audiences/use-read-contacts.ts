import type { Owner } from '@reachout/contract/rules/owners.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AudienceCount, Filter } from '@reachout/contract/filters.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { ReadContacts } from './reading-notice.tsx';

interface CountedAudience extends Partial<Owner>, Pick<Filter, 'collection' | 'field_mapping'> {
  rule: Record<string, unknown>;
}

const pollMs = 1_500;

/** Polling interval for a count: refetches while the contacts are being read. */
export const whileReading = ({ state }: { state: { data?: AudienceCount | undefined } }): number | false =>
  state.data?.reading?.state === 'reading' ? pollMs : false;

/** Starts reading an audience's contacts if they are in a remote content backend. */
export function useReadContacts(input: CountedAudience): ReadContacts & { error: unknown } {
  const { api, orgId } = useOrganization();
  const client = useQueryClient();
  const counted = { organization_id: orgId, ...input, rule: input.rule as Filter['rule'] };
  const read = useMutation(
    api.filters.count.mutationOptions({
      onSuccess: (count) => client.setQueryData(api.filters.count.queryKey({ input: counted }), count),
    }),
  );
  return {
    start: () => read.mutate({ ...counted, read_contacts: true }),
    isStarting: read.isPending,
    error: read.error,
  };
}
