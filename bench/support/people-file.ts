import { parseAudience } from '../../apps/server/src/contacts/audiences/audience.ts';
import { Readable } from 'node:stream';
import { ImportSettings } from '@reachout/contract/content-imports.ts';
import { receiveImport } from '../../apps/server/src/contacts/imports/receive-import.ts';
import { internalOrigin } from '../../apps/server/src/identity/access/caller.ts';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

/** All contacts of an organization. */
export const allContacts = parseAudience(
  {
    collection: 'contacts',
    rule: {},
    field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
    brandId: null,
  },
  [
    { name: 'email', type: 'string', unique: true },
    { name: 'unsubscribed', type: 'boolean', unique: false },
  ],
);

const columns = [
  'email',
  'first_name',
  'last_name',
  'company',
  'country',
  'city',
  'language',
  'birthday',
  'vip',
];

export const person = (n: number) => ({
  email: `user${n}@example${n % 500}.com`,
  first_name: `Jürgen${n % 9_000}`,
  last_name: `Last${n}`,
  company: `Company, ${n % 40_000}`,
  country: 'DE',
  city: `City${n % 2_000}`,
  language: 'de',
  birthday: `1980-01-${String(1 + (n % 28)).padStart(2, '0')}`,
  vip: n % 10 === 0,
});

const batchRows = 1_000;

/** Generates the file while it is read, so that this process never holds all of it. */
function* file(people: number): Generator<Buffer> {
  yield Buffer.from(`${columns.join(',')}\n`);
  for (let start = 0; start < people; start += batchRows) {
    const lines = Array.from({ length: Math.min(batchRows, people - start) }, (_, index) => {
      const cells = Object.values(person(start + index)).map((cell) => `"${cell}"`);
      return `${cells.join(',')}\n`;
    });
    yield Buffer.from(lines.join(''));
  }
}

/**
 * Uploads a CSV file of contacts and queues its import.
 * @returns the id of the import
 */
export async function uploadPeople(
  db: Database,
  { people, ...who }: { people: number; organizationId: string; userId: string },
): Promise<string> {
  const settings = ImportSettings.parse({
    collection: 'contacts',
    mapping: Object.fromEntries(columns.map((column) => [column, column])),
  });
  const { id } = await receiveImport(
    { db, log: createLog('silent') },
    {
      ...who,
      accessScope: undefined,
      apiKey: undefined,
      origin: internalOrigin,
      settings,
      fileName: 'people.csv',
      isTruncated: () => false,
      file: Readable.from(file(people)),
    },
  );
  return id;
}
