import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import type { Review, reviewChecks } from '@reachout/contract/touchpoints.ts';
import { findTagProblems } from '../../../contacts/audiences/check-merge-tags.ts';
import type { CompileResult } from '../../../email/templates/compile-email.ts';
import { findSenderProblem, type SenderPolicy } from '../../../email/transports/sender-policy.ts';
import type { CompileProblem } from '../../../email/email-content.ts';
import { shortageOf, type DailyUse } from '../../../ledger/daily-limit.ts';
import { findForeignTags } from '../../../content/templates/find-foreign-tags.ts';
import { findSamples } from '../../../content/templates/find-samples.ts';
import { toTemplateProblem } from '../../../content/templates/template-problem.ts';
import { withoutUntracked } from './as-written.ts';
import type { ItemProblems } from './check-items.ts';
import type { Recipients } from './count-recipients.ts';
import type { EmailPlan } from './plan-email.ts';
import type { QuietEnd } from './quiet-hours.ts';

type CheckName = (typeof reviewChecks)[number];
type CheckResult = Review['checks'][number];
/**
 * `hidden` if the user may not learn how many contacts an audience has, or whether it has any; `none` if the email is
 * not sent to an audience
 */
type ReviewedRecipients = Recipients | 'hidden' | 'none';

export interface ReviewedWith {
  /** Undefined without a body. */
  items: ItemProblems | undefined;
  recipients: ReviewedRecipients;
  /** The collection of the audience, if other clients share it. */
  shared: { collection: string; label: string | null } | undefined;
  policy: SenderPolicy;
  dailyUse: DailyUse | undefined;
  /** The last test of the email, if there was one. */
  test: Review['test'] | undefined;
  /** The end of the quiet hours that would delay a send now. */
  quietUntil: QuietEnd | undefined;
  /** What is wrong because of the values of recipients. */
  trial: readonly CompileProblem[];
  /** Of tracked websites. */
  hosts: ReadonlySet<string>;
  /** The number of links that are left as they are. */
  asWritten: number;
}

/**
 * Checks an email for problems before it is sent. The same checks apply on screen and when a send starts, so that their
 * results never contradict each other.
 * @param compiled  undefined without a body
 */
export function reviewEmail(
  plan: EmailPlan,
  compiled: CompileResult | undefined,
  { items, recipients, shared, policy, dailyUse, test, trial, quietUntil, hosts, asWritten }: ReviewedWith,
): CheckResult[] {
  const problems = withoutUntracked(
    compiled === undefined ? [] : compiled.ok ? compiled.warnings : compiled.problems,
    hosts,
  );
  const from = (check: CheckName) => problems.filter((problem) => checkOf(problem) === check);
  return [
    plan.email.subject.trim() === ''
      ? block('subject', 'Write a subject.')
      : toCheckResult('subject', from('subject')),
    plan.email.from_email === ''
      ? block('sender', 'Enter the address that the email comes from.')
      : toCheckResult('sender', from('sender')),
    ...checkSenderDomain(plan.email.from_email, policy),
    plan.content === undefined ? block('body', 'Write the email.') : toCheckResult('body', from('body')),
    ...(items?.source === undefined ? [] : [toCheckResult('content_item', items.source)]),
    toCheckResult('unsubscribe_link', from('unsubscribe_link')),
    checkSamples(plan),
    ...checkLegalNotice(plan, compiled),
    ...(recipients === 'none' ? [] : [checkAudience(plan.audience, recipients)]),
    ...(shared === undefined ? [] : [warnOfSharing(shared)]),
    ...checkDailyLimit(recipients, dailyUse),
    ...(quietUntil === undefined ? [] : [noteQuietHours(quietUntil)]),
    ...noteTracking(recipients),
    ...noteAsWritten(asWritten),
    checkVariables([...checkTags(plan, compiled, recipients), ...(items?.tags ?? []), ...trial]),
    toCheckResult('size', from('size')),
    ...(recipients === 'none' ? [] : [checkTest(test)]),
    policy.transport === 'mailbox'
      ? note('transport', 'Messages are delivered to the test inbox and never leave this machine.')
      : fine('transport'),
  ];
}

export const isBlocked = (checks: readonly CheckResult[]): boolean =>
  checks.some(({ level }) => level === 'block');

const checkTest = (test: ReviewedWith['test']): CheckResult =>
  test?.is_current === true
    ? fine('test')
    : warn('test', test ? 'The email was changed after its last test.' : 'Send yourself a test first.');

/**
 * Each commercial email must identify its sender: a postal address (CAN-SPAM, 16 CFR 316.5) and an imprint (§ 5 DDG).
 * Only the sender knows whether a law applies to these recipients, so nothing is blocked.
 */
function checkLegalNotice({ brand, content }: EmailPlan, compiled: CompileResult | undefined): CheckResult[] {
  const { postal_address, imprint, imprint_url } = brand;
  if (postal_address === '' || (imprint === '' && imprint_url === null))
    return [warn('legal_details', 'The brand has no postal address or no imprint.')];
  if (compiled?.ok !== true || content === undefined) return [fine('legal_details')];
  const firstLine = postal_address.split('\n', 1)[0] ?? '';
  const isShown =
    /\bbrand\.postal_address\b/.test(content.mjml) || compiled.snapshot.text.includes(firstLine);
  return [
    fine('legal_details'),
    isShown
      ? fine('legal_notice')
      : warn('legal_notice', 'The email does not show the postal address of the brand.'),
  ];
}

const checkTags = (
  { fields }: EmailPlan,
  compiled: CompileResult | undefined,
  recipients: ReviewedRecipients,
): CompileProblem[] =>
  compiled === undefined
    ? []
    : findTagProblems(
        compiled.tags,
        // Without an audience, a contact may have any fields.
        recipients === 'none' ? undefined : fields,
        typeof recipients === 'object' ? recipients.tags : undefined,
      );

/** Sample content and tags of other programs are sent by mistake, unless a person says that they are not. */
function checkSamples({ content, fields }: EmailPlan): CheckResult {
  const result = toCheckResult(
    'sample_content',
    content === undefined
      ? []
      : [...findSamples(content.mjml), ...findForeignTags(content, fields?.names ?? [])],
  );
  return result.problems.length === 0 ? result : { ...result, level: 'confirm' };
}

function checkOf({ code, field }: CompileProblem): CheckName {
  switch (code) {
    case 'unsubscribe_link_missing':
    case 'unsubscribe_link_conditional':
      return 'unsubscribe_link';
    case 'html_large':
    case 'html_too_large':
      return 'size';
    case 'subject_empty':
      return 'subject';
    case 'sender_invalid':
      return 'sender';
    default:
      return field === 'subject' || field === 'preheader' ? 'subject' : 'body';
  }
}

const block = (check: CheckName, message: string): CheckResult => ({
  check,
  level: 'block',
  message,
  problems: [],
});

const warn = (check: CheckName, message: string): CheckResult => ({
  check,
  level: 'warn',
  message,
  problems: [],
});

const note = (check: CheckName, message: string): CheckResult => ({
  check,
  level: 'note',
  message,
  problems: [],
});

const fine = (check: CheckName): CheckResult => ({ check, level: 'fine', message: null, problems: [] });

function toCheckResult(check: CheckName, problems: CompileProblem[]): CheckResult {
  const isBlocking = problems.some(({ severity }) => severity === 'error');
  return {
    check,
    level: isBlocking ? 'block' : problems.length > 0 ? 'warn' : 'fine',
    message: problems[0]?.message ?? null,
    problems: problems.map(toTemplateProblem),
  };
}

/** Merge tags that are not counted may well have values, so they alone are nothing to check. */
function checkVariables(problems: CompileProblem[]): CheckResult {
  const result = toCheckResult('variables', problems);
  const isNote = result.level === 'warn' && problems.every(({ code }) => code === 'variable_not_counted');
  return isNote ? { ...result, level: 'note' } : result;
}

function checkAudience(
  audience: EmailPlan['audience'],
  recipients: Exclude<ReviewedRecipients, 'none'>,
): CheckResult {
  if (audience === undefined) return block('audience', 'Choose an audience.');
  if (typeof audience === 'string') return block('audience', audience);
  if (recipients !== 'hidden' && recipients.problem !== undefined)
    return block('audience', `The contacts can’t be counted: ${recipients.problem}`);
  if (recipients !== 'hidden' && (recipients.breakdown?.will_receive ?? 0) === 0)
    return block('audience', 'Nobody in this audience would receive the email.');
  return fine('audience');
}

/** An agency may write to people of another client only on purpose; a team with several brands shares them. */
const warnOfSharing = ({ collection, label }: { collection: string; label: string | null }): CheckResult =>
  warn('shared_contacts', `All clients share the contacts of this audience: “${label ?? collection}”.`);

/** Quiet hours delay messages and exclude nobody. */
function noteQuietHours({ at, time_zone }: QuietEnd): CheckResult {
  const end = Temporal.Instant.from(at).toZonedDateTimeISO(time_zone).toPlainTime();
  const time = end.toString({ smallestUnit: 'minute' });
  return note(
    'quiet_hours',
    `The brand has quiet hours: messages that are sent now start at ${time} (${time_zone}).`,
  );
}

/** The policy of the brand excludes nobody, but its effect on the statistics should surprise nobody. */
function noteTracking(recipients: ReviewedRecipients): CheckResult[] {
  if (typeof recipients !== 'object' || (recipients.notMeasured ?? 0) === 0) return [];
  const { notMeasured, breakdown } = recipients;
  return [
    note(
      'tracking',
      `Opens and clicks of ${notMeasured} of ${breakdown?.will_receive} recipients will not be measured.`,
    ),
  ];
}

/** Visits through them count for no email, which should surprise nobody either. */
const noteAsWritten = (count: number): CheckResult[] =>
  count === 0 ? [] : [note('as_written', `Left as written: ${count} ${count === 1 ? 'link' : 'links'}.`)];

/** Without a mail server every sender is allowed, and the domain is not checked. */
function checkSenderDomain(address: string, policy: SenderPolicy): CheckResult[] {
  if (policy.transport === 'mailbox' || address === '') return [];
  const problem = findSenderProblem(address, policy);
  return [problem === undefined ? fine('sender_domain') : block('sender_domain', describeSendError(problem))];
}

function checkDailyLimit(recipients: ReviewedRecipients, dailyUse: DailyUse | undefined): CheckResult[] {
  if (dailyUse === undefined) return [];
  const added = typeof recipients === 'object' ? (recipients.breakdown?.will_receive ?? 0) : 0;
  const shortage = shortageOf(dailyUse, added);
  return [
    shortage === undefined ? fine('daily_limit') : block(shortage.check, describeSendError(shortage.error)),
  ];
}
