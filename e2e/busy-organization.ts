import type { APIRequestContext } from '@playwright/test';
import sharp from 'sharp';
import { apiOf, prepareEmail } from './api.ts';
import { deferAll, runSql, setSendStatus } from './database.ts';
import { expect } from './fixtures.ts';
import type { Server } from './server.ts';

/**
 * Creates an organization with a full dashboard: one send is running, another was paused automatically with a reason; six
 * brands and the organization have a logo.
 * @returns its id
 */
export async function buildBusyOrganization(
  request: APIRequestContext,
  { url, databaseUrl }: Server,
): Promise<string> {
  const api = apiOf(request, url);
  type Made = { id: string };
  const { id } = await api.post<Made>('/organizations', { name: 'Zaunkönig' });
  const emails = [
    await prepareEmail(api, id),
    await prepareEmail(api, id, { contacts: [], brand: 'Harbor' }),
  ];
  const brandIds = emails.map(({ brandId }) => brandId);
  for (const name of ['Morrow', 'Lindgrün', 'Fjord', 'Kestrel']) {
    const { clientId } = emails[brandIds.length % 2]!;
    const brand = await api.post<Made>('/brands', {
      organization_id: id,
      client_id: clientId,
      name,
      tracking_policy: 'everyone',
    });
    await api.post('/campaigns', { organization_id: id, brand_id: brand.id, name: `${name} autumn` });
    brandIds.push(brand.id);
  }
  const logo = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  for (const target of [`organizations/${id}`, ...brandIds.map((brandId) => `brands/${brandId}`)]) {
    const headers = { origin: url, 'content-type': 'image/png' };
    const uploaded = await request.post(`${url}/api/storage/logos/${target}`, { headers, data: logo });
    expect(uploaded.status(), await uploaded.text()).toBe(201);
  }
  // Waits for the resized logos: the first response does not wait for them.
  await expect
    .poll(async () => {
      const { logos } = await api.get<{ logos: object }>(`/dashboard?organization_id=${id}`);
      return Object.keys(logos).length;
    })
    .toBe(brandIds.length);
  for (const [index, { touchpointId }] of emails.entries()) {
    const send = await api.post<{ id: string }>(`/touchpoints/${touchpointId}/sends`, {});
    await deferAll(databaseUrl, send.id, ['ada@contacts.example']);
    if (index === 0) continue;
    await setSendStatus(databaseUrl, send.id, 'paused');
    await runSql(databaseUrl, `update touchpoint_sends set error = $2 where id = $1`, [
      send.id,
      { code: 'overdue', values: {} },
    ]);
  }
  return id;
}
