import { quotaKinds } from '@reachout/contract/organizations.ts';
import { setDailyRecipientLimit } from '../apps/server/src/identity/organizations/daily-recipient-limit.ts';
import { defaultQuotas, setQuota } from '../apps/server/src/identity/organizations/quotas.ts';
import { isUuid } from '../apps/server/src/platform/ids.ts';
import { runOperatorCommand, UsageError } from './installation.ts';

// npm run organization:limit -- ID NUMBER [OF]: how many recipients, contacts, … an organization may have.

const usage = `Usage: npm run organization:limit -- ID NUMBER [OF]
  ID      of the organization: the part behind /o/ in the address of its pages
  NUMBER  how many it may have, or "default" for as many as all others
  OF      recipients in 24 hours, if left out; or one of: ${quotaKinds.join(', ')}`;

await runOperatorCommand(async ({ db }, config, [id = '', number = '', of = 'recipients', ...more]) => {
  const limit = number === 'default' ? null : /^\d{1,9}$/.test(number) ? Number(number) : undefined;
  const kind = quotaKinds.find((known) => known === of);
  if (!isUuid(id) || limit === undefined || (kind === undefined && of !== 'recipients') || more.length > 0)
    throw new UsageError(usage);
  const name =
    kind === undefined ? await setDailyRecipientLimit(db, id, limit) : await setQuota(db, id, kind, limit);
  if (name === undefined) throw new UsageError(`There is no organization ${id}.`);
  return kind === undefined
    ? `${name} may reach ${limit ?? config.dailyRecipientLimit} recipients in 24 hours.`
    : `${name} may have ${limit ?? defaultQuotas[kind]} ${kind}${kind === 'imports' ? ' in 24 hours' : ''}.`;
});
