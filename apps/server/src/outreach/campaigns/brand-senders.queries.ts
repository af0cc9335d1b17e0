import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { countRows, ignoringCase } from '../../platform/database/list-page.ts';

/**
 * Finds only brands with at least one campaign that is not archived: others do not send yet, or no longer.
 * @param allowedDomains  those that the operator allows; undefined if all domains are allowed
 */
export async function selectBrandSenderProblems(
  trx: Transaction,
  { organizationId, clientId }: { organizationId: string; clientId: string | undefined },
  allowedDomains: readonly string[] | undefined,
  limit: number,
) {
  // Decides as `findSenderProblem` does without a campaign (email/transports/sender-policy.ts).
  const domain = sql`lower(split_part(b.from_email, '@', -1))`;
  const status = sql`coalesce(sender_domain_status(${domain}, b.client_id, b.id), 'none')`;
  const isDenied =
    allowedDomains === undefined
      ? sql<boolean>`false`
      : sql<boolean>`b.from_email <> '' and chosen_transport(b.organization_id, b.id) is null and case ${status}
          when 'verified' then false
          when 'failing' then true
          else ${domain} <> all(${[...allowedDomains]}::text[])
        end`;
  const matching = trx
    .selectFrom('current_brands as b')
    .where('b.organization_id', '=', organizationId)
    .$if(clientId !== undefined, (query) => query.where('b.client_id', '=', clientId ?? null))
    .where((eb) => eb.or([eb('b.from_email', '=', ''), isDenied]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('campaigns as c')
          .select('c.id')
          .whereRef('c.organization_id', '=', 'b.organization_id')
          .whereRef('c.brand_id', '=', 'b.id')
          .where('c.deleted', '=', false)
          .where('c.status', '<>', 'archived'),
      ),
    );
  const rows = await matching
    .select(['b.id', 'b.name', 'b.from_email', 'b.client_id', 'b.client_name'])
    .select(isDenied.as('is_denied'))
    .orderBy('is_denied', 'desc')
    .orderBy(ignoringCase('b.name'))
    .orderBy('b.id')
    .limit(limit)
    .execute();
  return { rows, count: await countRows(matching) };
}
