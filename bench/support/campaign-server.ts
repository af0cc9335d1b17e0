import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createApp } from '../../apps/server/src/app.ts';
import { createServices } from '../../apps/server/src/services.ts';
import { readConfig, type DatabaseLogins } from '../../apps/server/src/platform/config.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { serveParent } from './child-process.ts';

// Both sides of the list benchmark in one process: the real app, and the minimum that could serve the same request, one
// prepared statement behind Node's own HTTP server, without authentication, permissions and tenants.

export interface CampaignServerOrder {
  logins: DatabaseLogins;
  ownerUrl: string;
  dataDir: string;
  secretKey: string;
  /** Additional settings of the app. */
  settings: Record<string, string>;
  /** Users to sign in, who send the requests. */
  emails: string[];
  /** Also serves the built web app. */
  withWeb?: boolean;
}

export interface CampaignServerReply {
  ports: { app: number; bare: number };
  /** The cookies of each person, in the order of `emails`. */
  cookies: string[];
}

serveParent({ start });

async function start(order: CampaignServerOrder): Promise<CampaignServerReply> {
  const config = readConfig({
    DATA_DIR: order.dataDir,
    SECRET_KEY: order.secretKey,
    ROLES: 'api',
    LOG_LEVEL: 'warn',
    ...order.settings,
  });
  const services = createServices(config, order.logins, createLog(config.logLevel));
  const app = await createApp(
    services,
    order.withWeb ? join(import.meta.dirname, '../../apps/web/dist') : undefined,
  );
  const cookies: string[] = [];
  for (const email of order.emails) {
    const link = new URL(await services.auth.makeSignInLink(email));
    const answer = await app.inject({ method: 'GET', url: `${link.pathname}${link.search}` });
    cookies.push(answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; '));
  }
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { ports: { app: Number(new URL(address).port), bare: await startBare(order.ownerUrl) }, cookies };
}

async function startBare(ownerUrl: string): Promise<number> {
  const pool = new Pool({ connectionString: ownerUrl, max: 10 });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const organizationId = request.url?.split('=')[1];
    const { rows } = await pool.query({ name: 'campaigns', text: bareList, values: [organizationId] });
    const body = JSON.stringify({ items: rows });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const bareList = `
  select c.id, c.organization_id, c.brand_id, c.name, c.status, null as error_content, c.created_at, c.updated_at,
    b.name as brand_name, b.logo_url, l.id as client_id, l.name as client_name,
    (select count(*) from touchpoints t
      where t.organization_id = c.organization_id and t.campaign_id = c.id and not t.deleted) as touchpoint_count,
    (select count(*) from campaigns a where a.organization_id = $1 and not a.deleted) as total
  from campaigns c
  join brands b on b.organization_id = c.organization_id and b.id = c.brand_id and not b.deleted
  join clients l on l.organization_id = b.organization_id and l.id = b.client_id and not l.deleted
  where c.organization_id = $1 and not c.deleted
  order by c.updated_at desc, c.id desc
  limit 10
`;
