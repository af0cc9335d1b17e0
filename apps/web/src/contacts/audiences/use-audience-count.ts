import type { FieldMapping, Filter } from '@reachout/contract/filters.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useSettled } from '#web/ui/debounce.ts';

import { useReadContacts, whileReading } from './use-read-contacts.ts';

type JsonObject = Filter['rule'];

export interface AudienceDraft extends Owner {
  collection: string;
  rule: Record<string, unknown>;
  field_mapping: FieldMapping;
}

/**
 * Counts the contacts that a rule matches, debounced. The old number stays, dimmed, until the new one arrives; an
 * older request is cancelled, so that its result cannot arrive late.
 */
export function useAudienceCount(draft: AudienceDraft) {
  const { api, orgId } = useOrganization();
  const written = JSON.stringify(draft);
  const settled = useSettled(written);
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
  // Read here, not only in the child that shows them: the query tracks properties read during this render, and the child
  // renders later.
  const { data, error, isError, isFetching, refetch } = query;
  return {
    count: { data, error, isError, isFetching, refetch },
    busy: settled !== written || query.isPlaceholderData,
    read,
  };
}
