import { useDebouncedValue } from '@mantine/hooks';
import type { FieldMapping, Filter } from '@reachout/contract/filters.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

import { useReadContacts, whileReading } from './use-read-contacts.ts';

type JsonObject = Filter['rule'];

export interface AudienceDraft extends Owner {
  collection: string;
  rule: Record<string, unknown>;
  field_mapping: FieldMapping;
}

const debounceMs = 500;

/**
 * How many people a rule selects, 500 ms after its last change. The old number stays, dimmed, until the new one is
 * there; an older request is cancelled, so that its count never arrives late.
 */
export function useAudienceCount(draft: AudienceDraft) {
  const { api, orgId } = useOrganization();
  const written = JSON.stringify(draft);
  const [settled] = useDebouncedValue(written, debounceMs);
  const input = JSON.parse(settled) as AudienceDraft;
  const query = useQuery(
    api.filters.count.queryOptions({
      input: { organization_id: orgId, ...input, rule: input.rule as JsonObject },
      placeholderData: keepPreviousData,
      refetchInterval: whileReading,
      meta: { quiet: true },
    }),
  );
  const read = useReadContacts(input);
  // Read here, not only by the child that shows them: the hook follows what was read, and the child is drawn later.
  const { data, error, isError, isFetching, refetch } = query;
  return {
    count: { data, error, isError, isFetching, refetch },
    busy: settled !== written || query.isPlaceholderData,
    read,
  };
}
