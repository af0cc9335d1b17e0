import { refresh } from './query-client.ts';
export const refreshOrganization = (id: string) => refresh(id);
