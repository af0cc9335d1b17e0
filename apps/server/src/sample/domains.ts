import { domainCheckKinds, type DomainCheckKind } from '@reachout/contract/states/domain.ts';
import type { Database, Row } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { insertRow, insertRows, type Given } from './rows.ts';

interface SampleDomain extends Given<'sending_domains'> {
  organization_id: string;
  domain: string;
  /** What is known of each check. Default: nothing */
  checks?: (kind: DomainCheckKind) => Given<'sending_domain_checks'>;
  /** Campaigns that it is linked to. */
  campaign_ids?: readonly string[];
}

/** Stores a domain with its checks. */
export async function buildDomain(
  db: Database,
  { checks = () => ({}), campaign_ids = [], ...given }: SampleDomain,
): Promise<Row<'sending_domains'>> {
  const domain = await insertRow(db, 'sending_domains', { id: newId(), ...given });
  const of = { organization_id: domain.organization_id, domain_id: domain.id };
  await insertRows(
    db,
    'sending_domain_checks',
    domainCheckKinds.map((kind) => ({ ...checks(kind), ...of, kind })),
  );
  await insertRows(
    db,
    'campaign_domains',
    campaign_ids.map((campaign_id) => ({ ...of, id: newId(), campaign_id })),
  );
  return domain;
}
