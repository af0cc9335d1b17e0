import { setDailyRecipientLimit } from '../apps/server/src/identity/organizations/daily-recipient-limit.ts';
import { isUuid } from '../apps/server/src/platform/ids.ts';
import { runOperatorCommand, UsageError } from './installation.ts';

// npm run organization:limit -- ID NUMBER: how many recipients an organization may reach in 24 hours.

const usage = `Usage: npm run organization:limit -- ID NUMBER
  ID      of the organization: the part behind /o/ in the address of its pages
  NUMBER  recipients in 24 hours, or "default" for DAILY_RECIPIENT_LIMIT`;

await runOperatorCommand(async ({ db }, config, [id = '', number = '', ...more]) => {
  const limit = number === 'default' ? null : /^\d{1,9}$/.test(number) ? Number(number) : undefined;
  if (!isUuid(id) || limit === undefined || more.length > 0) throw new UsageError(usage);
  const name = await setDailyRecipientLimit(db, id, limit);
  if (name === undefined) throw new UsageError(`There is no organization ${id}.`);
  return `${name} may reach ${limit ?? config.dailyRecipientLimit} recipients in 24 hours.`;
});
