import type { TrackingPolicy } from '@reachout/contract/statuses.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { readKept, writeKept } from '#web/platform/kept.ts';
import { changes } from '#web/platform/query-client.ts';

/** A brand to create: for the client with `client_id`, otherwise for a new client. */
export interface BrandDraft {
  client_id: string;
  client_name: string;
  /** Empty for a new client: the brand gets the client's name. */
  brand_name: string;
  /** Empty until somebody has decided. */
  tracking_policy: TrackingPolicy | '';
}

const empty: BrandDraft = { client_id: '', client_name: '', brand_name: '', tracking_policy: '' };

export const isComplete = ({ client_id, client_name, brand_name, tracking_policy }: BrandDraft): boolean =>
  (client_id === '' ? client_name : brand_name).trim() !== '' && tracking_policy !== '';

/** Input for a new brand is stored in this tab until the brand is created. */
export function useNewBrand() {
  const { orgId, clientId = '' } = useOrganization();
  const key = `brand.${orgId}`;
  const [draft, setDraft] = useState<BrandDraft>(() => ({
    ...empty,
    client_id: clientId,
    ...(readKept(key) as Partial<BrandDraft> | undefined),
  }));
  // Client created by a failed attempt: the next attempt reuses it.
  const made = useRef<{ name: string; id: string }>(undefined);
  const findClient = async ({ client_id, client_name }: BrandDraft): Promise<string> => {
    if (client_id !== '') return client_id;
    const name = client_name.trim();
    if (made.current?.name !== name)
      made.current = {
        name,
        id: (await client.clients.create({ organization_id: orgId, name })).id,
      };
    return made.current.id;
  };
  const create = useMutation({
    ...changes(orgId),
    mutationFn: async (wanted: BrandDraft) => {
      const { tracking_policy } = wanted;
      if (tracking_policy === '') throw new Error('a brand has a tracking policy');
      const name = wanted.brand_name.trim() || wanted.client_name.trim();
      const brand = await client.brands.create({
        organization_id: orgId,
        client_id: await findClient(wanted),
        name,
        tracking_policy,
      });
      writeKept(key, undefined);
      return brand.id;
    },
  });
  return {
    draft,
    setDraft: (next: BrandDraft) => {
      setDraft(next);
      writeKept(key, next);
    },
    create,
  };
}
