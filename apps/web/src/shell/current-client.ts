const recordsBelowClients = ['clients', 'brands'];
const recordsOfOrganization = ['settings', 'mailbox'];

/**
 * @returns the corresponding path for another client: lists stay, a record's page is replaced by its list, and a client's
 * page by that of the other client
 * @param clientId  undefined for all clients
 */
export function pathForClient(pathname: string, orgId: string, clientId: string | undefined): string {
  const base = `/o/${orgId}`;
  const [section = '', record] = pathname.slice(base.length + 1).split('/');
  if (record === undefined || record === '' || recordsOfOrganization.includes(section)) return pathname;
  if (!recordsBelowClients.includes(section)) return `${base}/${section}`;
  return clientId === undefined ? `${base}/clients` : `${base}/clients/${clientId}`;
}
