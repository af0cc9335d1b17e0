import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { Review, reviewChecks } from '@reachout/contract/touchpoints.ts';
import { compileEmail } from '../../../email/templates/compile-email.ts';
import { findSenderProblem, type RelayRules } from '../../../email/transports/relay-rules.ts';
import type { CompileProblem, EmailSnapshot } from '../../../email/email-content.ts';
import { toTemplateProblem } from '../../../content/templates/template-problem.ts';
import { dailyLimitExceeded, exceeds, type DailyLimit } from '../daily-limit.ts';
import type { EmailPlan } from './plan-email.ts';

type CheckName = (typeof reviewChecks)[number];
type CheckResult = Review['checks'][number];
type ReviewedBreakdown = AudienceBreakdown | 'hidden' | 'none' | undefined;

export interface EmailReview {
  checks: CheckResult[];
  /** The compiled email, when nothing about it blocks. */
  snapshot: EmailSnapshot | undefined;
}

/**
 * Compiles what would be sent and says what stands in its way. The same checks decide on screen and when a send starts,
 * so a person is never told two things.
 * @param breakdown  of the audience; `hidden` for anyone who is not to learn how many it has, or whether any; `none` where
 * the email goes to no audience
 */
export async function reviewEmail(
  plan: EmailPlan,
  breakdown: ReviewedBreakdown,
  {
    relay,
    dailyLimit,
    userId,
  }: { relay: RelayRules | undefined; dailyLimit: DailyLimit | undefined; userId: string },
): Promise<EmailReview> {
  const compiled =
    plan.content === undefined
      ? undefined
      : await compileEmail(plan.content, plan.context, plan.touchpoint.organization_id, userId);
  const problems = compiled === undefined ? [] : compiled.ok ? compiled.warnings : compiled.problems;
  const from = (check: CheckName) => problems.filter((problem) => checkOf(problem) === check);
  return {
    snapshot: compiled?.ok ? compiled.snapshot : undefined,
    checks: [
      plan.email.subject.trim() === ''
        ? block('subject', 'Write a subject.')
        : toCheckResult('subject', from('subject')),
      plan.email.from_email === ''
        ? block('sender', 'Enter the address that the email comes from.')
        : toCheckResult('sender', from('sender')),
      ...checkSenderDomain(plan.email.from_email, relay),
      plan.content === undefined
        ? block('template', 'Choose a template.')
        : toCheckResult('template', from('template')),
      toCheckResult('unsubscribe_link', from('unsubscribe_link')),
      ...(breakdown === 'none' ? [] : [checkAudience(plan.audience, breakdown)]),
      ...checkDailyLimit(breakdown, dailyLimit),
      toCheckResult('variables', from('variables')),
      toCheckResult('size', from('size')),
      relay === undefined
        ? {
            check: 'transport',
            level: 'warn',
            message: 'Messages are delivered to the test inbox and never leave this machine.',
            problems: [],
          }
        : fine('transport'),
    ],
  };
}

export const isBlocked = ({ checks }: EmailReview): boolean => checks.some(({ level }) => level === 'block');

function checkOf({ code, field }: CompileProblem): CheckName {
  switch (code) {
    case 'unsubscribe_link_missing':
    case 'unsubscribe_link_conditional':
      return 'unsubscribe_link';
    case 'variable_empty':
      return 'variables';
    case 'html_large':
    case 'html_too_large':
      return 'size';
    case 'subject_empty':
      return 'subject';
    case 'sender_invalid':
      return 'sender';
    default:
      return field === 'subject' || field === 'preheader' ? 'subject' : 'template';
  }
}

const block = (check: CheckName, message: string): CheckResult => ({
  check,
  level: 'block',
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

function checkAudience(
  audience: EmailPlan['audience'],
  breakdown: Exclude<ReviewedBreakdown, 'none'>,
): CheckResult {
  if (audience === undefined) return block('audience', 'Choose an audience.');
  if (typeof audience === 'string') return block('audience', audience);
  if (breakdown !== 'hidden' && (breakdown === undefined || breakdown.will_receive === 0))
    return block('audience', 'Nobody in this audience would receive the email.');
  return fine('audience');
}

/** Without a mail server every sender is fine, and nobody has to think of the domain. */
function checkSenderDomain(address: string, relay: RelayRules | undefined): CheckResult[] {
  if (relay === undefined || address === '') return [];
  const problem = findSenderProblem(address, relay);
  return [problem === undefined ? fine('sender_domain') : block('sender_domain', describeSendError(problem))];
}

function checkDailyLimit(breakdown: ReviewedBreakdown, dailyLimit: DailyLimit | undefined): CheckResult[] {
  if (dailyLimit === undefined) return [];
  const recipients = typeof breakdown === 'object' ? breakdown.will_receive : 0;
  const wanted = { ...dailyLimit, used: dailyLimit.used + recipients };
  return [
    exceeds(wanted)
      ? block('daily_limit', describeSendError(dailyLimitExceeded(wanted)))
      : fine('daily_limit'),
  ];
}
