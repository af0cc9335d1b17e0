import type { Brand, Client } from '@reachout/contract/clients.ts';
import { createContext, useContext } from 'react';

export const ClientContext = createContext<Client | undefined>(undefined);
export const BrandContext = createContext<Brand | undefined>(undefined);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('useClient outside of a client');
  return client;
}

export function useBrand(): Brand {
  const brand = useContext(BrandContext);
  if (!brand) throw new Error('useBrand outside of a brand');
  return brand;
}
