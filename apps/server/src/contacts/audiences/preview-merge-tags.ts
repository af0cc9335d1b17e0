import type { CompileProblem, MergeTags } from '../../email/email-content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { testContact } from './audience.queries.ts';
import { findTagProblems, listCountedTests, type TagFields } from './check-merge-tags.ts';

/** @returns the merge tag problems of an email, for the contact of the preview, if any */
export async function previewTagProblems(
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  {
    tags,
    fields,
    contact,
  }: { tags: MergeTags; fields: TagFields | undefined; contact: Record<string, unknown> | undefined },
): Promise<CompileProblem[]> {
  const tests = listCountedTests(tags);
  const count =
    contact === undefined
      ? undefined
      : {
          recipients: 'one' as const,
          empty: tests.length === 0 ? [] : await transaction((trx) => testContact(trx, contact, tests)),
        };
  return findTagProblems(tags, fields, count);
}
