import type { Field } from '@reachout/contract/content-fields.ts';
import { useMutation } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { changes } from '#web/platform/query-client.ts';

/** Moves a field within the order of its collection; each field with a new position is saved. */
export function useFieldOrder(collection: string, fields: readonly Field[]) {
  const { orgId } = useOrganization();
  const { mutate, isPending, error } = useMutation({
    ...changes(orgId),
    mutationFn: async (ordered: readonly Field[]) => {
      for (const [sort, { field, sort: before }] of ordered.entries())
        if (sort !== before)
          await client.content.updateField({ organization_id: orgId, collection, field, sort });
    },
  });
  return {
    isPending,
    error,
    move: (index: number, by: -1 | 1) => {
      const ordered = fields.filter((_field, place) => place !== index);
      ordered.splice(index + by, 0, fields[index]!);
      mutate(ordered);
    },
  };
}
