import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import { readForTrial, type TrialContact } from '../../../contacts/audiences/read-for-trial.ts';
import type { CompileProblem, EmailContent, EmailSnapshot } from '../../../email/email-content.ts';
import { isOpenLink } from '../../../email/links/link-targets.ts';
import { runTrial } from '../../../email/templates/run-trial.ts';
import type { Trial } from '../../../email/trial.ts';
import { limitStatements } from '../../../platform/database/database.ts';
import { isStatementTimeout } from '../../../platform/database/is-database-away.ts';
import type { ReviewOptions } from '../channel.ts';
import type { EmailPlan } from './plan-email.ts';

/** Reading the recipients takes as long as counting them. */
const readLimitMs = 4_000;

/**
 * Builds the messages of an audience before it is sent, as far as time allows.
 * @param recipients how many will receive the email
 * @returns what is wrong because of the values of recipients
 */
export async function tryEmail(
  { transaction, userId }: Pick<ReviewOptions, 'transaction' | 'userId'>,
  { touchpoint, audience, content }: EmailPlan,
  snapshot: EmailSnapshot,
  recipients: number,
): Promise<CompileProblem[]> {
  const fields = snapshot.contact_fields;
  if (typeof audience !== 'object' || content === undefined || fields?.length === 0) return [];
  const { organization_id } = touchpoint;
  let contacts: TrialContact[] | undefined;
  try {
    contacts = await transaction(async (trx) => {
      await limitStatements(trx, readLimitMs);
      return await readForTrial(trx, organization_id, audience, {
        fields,
        linkFields: linkFieldsOf(snapshot),
      });
    });
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    return [notTried];
  }
  // That nothing has been read is said where empty merge tags are counted.
  if (contacts === undefined || contacts.length === 0) return [];
  const trial = await runTrial(
    snapshot,
    contacts.map(({ data }) => data),
    organization_id,
    userId,
  );
  if (trial === undefined) return [notTried];
  const isComplete = trial.tried >= recipients;
  // Those with unusual values are tried first: the others have nothing that could be counted.
  const isExact = isComplete || (fields !== null && contacts[trial.tried - 1]?.is_unusual === false);
  return describeTrial(trial, content, {
    recipients: isExact ? recipients : trial.tried,
    isComplete,
    isExact,
  });
}

/** @returns fields that are in the address of a link */
const linkFieldsOf = ({ links }: EmailSnapshot): string[] => [
  ...new Set(
    links
      .filter(isOpenLink)
      .flatMap(({ url }) => [...url.matchAll(/\bcontact\.([\w-]+)/g)].map(([, name]) => name!)),
  ),
];

const notTried: CompileProblem = {
  code: 'recipients_not_tried',
  severity: 'warning',
  message: 'It could not be checked whether each recipient can get this email: that takes too long.',
};

interface Tried {
  /** `one` for the contact of a preview. */
  recipients: number | 'one';
  /** Whether all recipients were tried. */
  isComplete: boolean;
  /** Whether all with unusual values were tried. */
  isExact: boolean;
}

const whole = new Intl.NumberFormat('en');

export function describeTrial(
  { failed, nowhere, structures, emptySubjects }: Trial,
  content: EmailContent,
  { recipients, isComplete, isExact }: Tried,
): CompileProblem[] {
  const counted = (count: number, isCertain: boolean) => {
    if (recipients === 'one') return { who: 'this contact', problem: {} };
    const bound = isCertain ? '' : 'at least ';
    return {
      who: `${bound}${whole.format(count)} of ${whole.format(recipients)}`,
      problem: { count: { empty: count, recipients, is_exact: isCertain } },
    };
  };
  const warning = (
    code: CompileProblem['code'],
    { problem }: ReturnType<typeof counted>,
    message: string,
    place: Partial<CompileProblem>,
  ): CompileProblem => ({ code, severity: 'warning', message, ...place, ...problem });
  return [
    ...failed.map(({ error, count }) => {
      const found = counted(count, isComplete);
      const message = `No email can be made for ${found.who}: ${describeSendError(error)}`;
      return warning('recipients_not_built', found, message, {});
    }),
    ...nowhere.map(({ url, count }) => {
      const found = counted(count, isExact);
      const message = `The link ${url} leads nowhere for ${found.who}.`;
      return warning('link_nowhere', found, message, { ...placeOf(url, content.mjml), variable: url });
    }),
    ...structures.map(({ variable, count }) => {
      const found = counted(count, isExact);
      const message = `${variable} holds a list or an object for ${found.who}: print one of its values.`;
      const field = content.subject.includes(variable) ? { field: 'subject' as const } : undefined;
      return warning('value_not_text', found, message, {
        ...(field ?? placeOf(variable, content.mjml)),
        variable,
      });
    }),
    ...(emptySubjects === 0
      ? []
      : [counted(emptySubjects, isExact)].map((found) =>
          warning('subject_blank', found, `The subject is empty for ${found.who}.`, { field: 'subject' }),
        )),
  ];
}

function placeOf(text: string, mjml: string): Pick<CompileProblem, 'field' | 'line'> {
  const at = mjml.indexOf(text);
  return { field: 'mjml', ...(at >= 0 && { line: mjml.slice(0, at).split('\n').length }) };
}
