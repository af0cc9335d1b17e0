import { chromium, type Browser } from '@playwright/test';
import { buildWeb } from '../../scripts/build-web.ts';
import { chromiumArgs, findOrInstallChromium } from '../../scripts/chromium.ts';
import { openDatabase } from './benchmark.ts';
import { buildAgency } from './agency.ts';
import type { CampaignServerOrder, CampaignServerReply } from './campaign-server.ts';
import { startChild } from './child-process.ts';

export interface WebApp {
  browser: Browser;
  url: string;
  /** Session cookie of a signed-in owner. */
  cookie: string;
  organizationId: string;
  /** An email that was sent. */
  touchpointId: string;
}

/** Runs with a browser and a server that serves the web app for an agency. */
export async function withWebApp<Result>(run: (app: WebApp) => Promise<Result>): Promise<Result> {
  await buildWeb();
  const database = await openDatabase({ durable: false });
  const { owner } = database;
  const server = await startChild('campaign-server.ts');
  const browser = await chromium.launch({
    executablePath: await findOrInstallChromium(),
    args: [...chromiumArgs],
  });
  try {
    const agency = await buildAgency(owner, { clients: 20, campaigns: 200, events: 20_000, contacts: 1_000 });
    const { ports, cookies } = await server.ask<CampaignServerReply>('start', {
      ...database.forServer,
      settings: { RATE_LIMIT_NETWORK: '1000000', RATE_LIMIT_PERSON: '1000000' },
      emails: [agency.owner],
      withWeb: true,
    } satisfies CampaignServerOrder);
    const { touchpoint_id: touchpointId } = await owner
      .selectFrom('touchpoint_sends')
      .select('touchpoint_id')
      .where('organization_id', '=', agency.organization_id)
      .orderBy('send_date', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const url = `http://localhost:${ports.app}`;
    return await run({
      browser,
      url,
      cookie: cookies[0]!,
      organizationId: agency.organization_id,
      touchpointId,
    });
  } finally {
    await browser.close();
    await server.stop();
    await database.close();
  }
}

/** @returns a cookie header as a browser context takes it */
export const readCookies = (cookie: string, url: string) =>
  cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url };
  });
