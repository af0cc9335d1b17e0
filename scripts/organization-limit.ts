import { quotaKinds, type QuotaKind } from '@reachout/contract/organizations.ts';
import {
  setDailyRecipientLimit,
  defaultQuotas,
  setQuota,
  setMessageRate,
} from '../apps/server/src/identity/organizations/quotas.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { isUuid } from '../apps/server/src/platform/ids.ts';
import { runOperatorCommand, UsageError, wrongArgument } from './installation.ts';

// npm run organization:limit -- ID NUMBER [OF]: sets how many recipients, contacts, … an organization may have.

const kinds = ['recipients', 'messages', ...quotaKinds] as const;
const usage = `Usage: npm run organization:limit -- ID NUMBER [OF]
  ID      of the organization: the part behind /o/ in the address of its pages
  NUMBER  how many it may have, or "default" for as many as all others
  OF      recipients in 24 hours, if left out; or one of: messages (a minute), ${quotaKinds.join(', ')}`;

await runOperatorCommand(readArguments, async ({ db }, config, { id, limit, kind }) => {
  const name = await setLimit(db, id, kind, limit);
  if (name === undefined) throw new UsageError(`There is no organization ${id}.`);
  if (kind === 'messages') {
    const rate = limit ?? config.sendRates.organization;
    return `${name} may send ${rate ?? 'any number of'} messages a minute.`;
  }
  return kind === 'recipients'
    ? `${name} may reach ${limit ?? config.dailyRecipientLimit} recipients in 24 hours.`
    : `${name} may have ${limit ?? defaultQuotas[kind]} ${kind}${periodOf(kind)}.`;
});

function periodOf(kind: QuotaKind): string {
  if (kind === 'website_events' || kind === 'website_megabytes') return ' in a day (UTC) of each website';
  return kind === 'imports' ? ' in 24 hours' : '';
}

type Kind = (typeof kinds)[number];

function setLimit(db: Database, id: string, kind: Kind, limit: number | null): Promise<string | undefined> {
  if (kind === 'recipients') return setDailyRecipientLimit(db, id, limit);
  if (kind === 'messages') return setMessageRate(db, id, limit);
  return setQuota(db, id, kind, limit);
}

function readArguments([id, number, of = 'recipients', ...more]: string[]) {
  if (id === undefined) throw new UsageError(usage);
  if (!isUuid(id))
    throw wrongArgument(
      'ID is not that of an organization: those look like 01987c1e-55a0-7b3c-9d42-6f1e08c2a7b5.',
      usage,
    );
  if (number === undefined) throw wrongArgument('NUMBER is missing.', usage);
  if (number !== 'default' && !/^\d{1,9}$/.test(number))
    throw wrongArgument(`"${number}" is neither a whole number from 0 to 999999999 nor "default".`, usage);
  const kind = kinds.find((known) => known === of);
  if (kind === undefined) throw wrongArgument(`"${of}" is none of: ${kinds.join(', ')}.`, usage);
  if (kind === 'messages' && Number(number) === 0)
    throw wrongArgument('An organization sends at least 1 message a minute.', usage);
  if (more.length > 0) throw wrongArgument(`"${more.join(' ')}" is too much.`, usage);
  return { id, limit: number === 'default' ? null : Number(number), kind };
}
