import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { readKept, writeKept } from '#web/platform/kept.ts';
import { changes } from '#web/platform/query-client.ts';

/** A brand to be; with a `client_id` below that client, else below a new one. */
export interface BrandDraft {
  client_id: string;
  client_name: string;
  /** Empty below a new client: the brand is called like it. */
  brand_name: string;
}

const empty: BrandDraft = { client_id: '', client_name: '', brand_name: '' };

export const isNamed = ({ client_id, client_name, brand_name }: BrandDraft): boolean =>
  (client_id === '' ? client_name : brand_name).trim() !== '';

/** What is typed of a brand stays in this tab until the brand is there. */
export function useNewBrand() {
  const { orgId, clientId = '' } = useOrganization();
  const key = `brand.${orgId}`;
  const [draft, setDraft] = useState<BrandDraft>(
    () => (readKept(key) as BrandDraft | undefined) ?? { ...empty, client_id: clientId },
  );
  // Of an attempt that got no further: the next one goes on with this client.
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
      const name = wanted.brand_name.trim() || wanted.client_name.trim();
      const brand = await client.brands.create({
        organization_id: orgId,
        client_id: await findClient(wanted),
        name,
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
