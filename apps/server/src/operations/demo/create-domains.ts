import type { Brand } from '@reachout/contract/clients.ts';
import { domainCheckKinds, type DomainCheckKind } from '@reachout/contract/states/domain.ts';
import { resultOf } from '../../outreach/domains/check-domain.ts';
import { newKeys } from '../../outreach/domains/dkim-keys.ts';
import { missingSettingsOf } from '../../outreach/domains/domain-setup-of.ts';
import type { Row, Transaction } from '../../platform/database/database.ts';
import { newId, newIdAt } from '../../platform/ids.ts';
import { buildDomain } from '../../sample/domains.ts';
import { insertRows, type Given } from '../../sample/rows.ts';
import { dayMs } from './plan-emails.ts';
import { demoDomains, type DemoDomainDeps } from './demo-domains.ts';
import type { Place } from './make-records.ts';
import { plots, type BrandKey } from './story/story.ts';

/** Campaigns of a brand that are limited to its domain. */
const linkedCampaigns = 2;

/**
 * Creates the domains of the demo with the results of checks that run now, and links the verified ones to the latest campaigns
 * of their brands. The next checks are due in an hour.
 */
export async function createDomains(
  trx: Transaction,
  { organizationId: organization_id, now }: Place,
  { secrets, ...deps }: DemoDomainDeps,
  { kits, campaigns }: { kits: Readonly<Record<BrandKey, Brand>>; campaigns: readonly Row<'campaigns'>[] },
): Promise<void> {
  const shifted = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const keys = await newKeys(secrets, organization_id);
  await insertRows(trx, 'dkim_keys', keys);
  await insertRows(
    trx,
    'transports',
    demoServers.map(({ name, host, words }) => ({
      organization_id,
      id: newId(),
      name,
      settings: JSON.stringify({
        kind: 'smtp',
        host,
        port: 587,
        security: 'starttls',
        username: null,
        envelope: 'ours',
      }),
      error_content: words,
      checked_at: shifted(-dayMs),
    })),
  );
  for (const { brand, isOfClient, status, ageMs, lost } of demoDomains) {
    const { id, client_id } = kits[brand];
    const { domain } = plots[brand];
    const check = async (kind: DomainCheckKind): Promise<Given<'sending_domain_checks'>> => {
      if (missingSettingsOf(kind, domain, deps.installation).length > 0) return {};
      const { verdict, found, wanted, advice } = await resultOf(
        deps,
        kind,
        { domain, organization_id },
        keys,
      );
      const [at, lostAt] = [shifted(0), lost?.kind === kind ? shifted(-lost.agoMs) : undefined];
      return {
        state: verdict === 'temporary_error' ? null : verdict,
        verdict,
        found: JSON.stringify(found),
        wanted: JSON.stringify(wanted),
        advice: JSON.stringify(advice),
        started_at: at,
        checked_at: at,
        answered_at: at,
        passed_at: lostAt ?? (verdict === 'pass' ? at : null),
        failing_since: lostAt ?? (verdict === 'fail' ? at : null),
        fails_count: lostAt === undefined ? Number(verdict === 'fail') : lost!.fails,
      };
    };
    const checks = new Map<DomainCheckKind, Given<'sending_domain_checks'>>();
    for (const kind of domainCheckKinds) checks.set(kind, await check(kind));
    const own = campaigns.filter(({ brand_id }) => brand_id === id).map((campaign) => campaign.id);
    const created_at = shifted(-ageMs);
    await buildDomain(trx, {
      organization_id,
      id: newIdAt(new Date(created_at)),
      client_id,
      brand_id: isOfClient ? null : id,
      domain,
      destination: `https://${domain}`,
      status,
      created_at,
      next_check_at: shifted(3_600_000),
      checks: (kind) => checks.get(kind)!,
      campaign_ids: status === 'verified' ? own.slice(-linkedCampaigns) : [],
    });
  }
}

/** Mail servers that nothing is sent by: their names are of nobody (RFC 2606). */
const demoServers = [
  { name: 'Nordwind', host: 'smtp.nordwind.example', words: null },
  {
    name: 'Solara',
    host: 'smtp.solara.example',
    words: 'AUTH rejected: 535 5.7.8 Authentication credentials invalid',
  },
];
