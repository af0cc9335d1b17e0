import { sql } from 'kysely';
import { ruleToSql } from '../built-in/filter-rule-sql.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Audience } from './audience.ts';
import {
  domainOf,
  isUnusual,
  selectValidated,
  whitespace,
  type ValidatedAudience,
  type AudienceTally,
} from './audience-sql.ts';

/**
 * Domains of matched addresses that are not plain ASCII, lower-cased; they are converted to A-labels. Most audiences have
 * no such domain: then this costs one parallel scan of the contacts.
 */
export async function findUnusualDomains(
  trx: Transaction,
  organizationId: string,
  audience: Audience,
  limit: number,
): Promise<string[]> {
  const text = sql`(item.data ->> ${audience.field_mapping.email}::text)`;
  const { rows } = await sql<{ domain: string }>`
    select distinct ${domainOf(sql`btrim(${text}, ${whitespace})`)} as domain
    from content_items item
    where item.organization_id = ${organizationId} and item.collection = ${audience.collection}
      and ${ruleToSql(audience.rule)} and ${isUnusual(text)}
    limit ${limit}
  `.execute(trx);
  return rows.map(({ domain }) => domain);
}

export async function tallyAudience(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
): Promise<AudienceTally> {
  const { rows } = await sql<AudienceTally[number]>`
    select reason, count(*) as count from (${selectValidated(organizationId, audience)}) contact group by reason
  `.execute(trx);
  return rows;
}

/** The first contacts, by id, that will receive something. */
export async function selectSample(
  trx: Transaction,
  organizationId: string,
  audience: ValidatedAudience,
  limit: number,
): Promise<{ id: string; email: string; data: Record<string, never> }[]> {
  const { rows } = await sql<{ id: string; email: string; data: Record<string, never> }>`
    select id, address as email, data
    from (${selectValidated(organizationId, audience)}) contact
    where reason is null
    order by id
    limit ${limit}
  `.execute(trx);
  return rows;
}
