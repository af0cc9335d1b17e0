const recordsBelowClients = ['clients', 'brands'];
const recordsOfOrganization = ['settings', 'mailbox'];

/**
 * Where the same work goes on for another client: lists stay, the page of a record gives way to its list, and a client's
 * own page to that of the other client.
 * @param clientId  undefined for all clients
 */
export function pathForClient(pathname: string, orgId: string, clientId: string | undefined): string {
  const base = `/o/${orgId}`;
  const [section = '', record] = pathname.slice(base.length + 1).split('/');
  if (record === undefined || record === '' || recordsOfOrganization.includes(section)) return pathname;
  if (!recordsBelowClients.includes(section)) return `${base}/${section}`;
  return clientId === undefined ? `${base}/clients` : `${base}/clients/${clientId}`;
}
