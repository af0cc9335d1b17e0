import { Anchor, Badge, Box, Paper, Text } from '@mantine/core';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { linkToField } from './problem-link.tsx';
import classes from './review-checklist.module.css';

type Check = Review['checks'][number];

/** Whether it has the badge “Check”: what only has to be confirmed counts, too. */
export const isToCheck = ({ level }: Check): boolean => level === 'warn' || level === 'confirm';

/** The part of the page in which each check is fixed; the brand kit has its own page. */
const parts = {
  subject: 'content',
  sender: 'content',
  sender_domain: 'content',
  body: 'content',
  content_item: 'items',
  unsubscribe_link: 'content',
  sample_content: 'content',
  legal_details: 'brand',
  legal_notice: 'content',
  audience: 'audience',
  shared_contacts: 'audience',
  daily_limit: 'audience',
  quiet_hours: 'brand',
  tracking: 'brand',
  as_written: undefined,
  variables: 'content',
  size: 'content',
  test: 'test',
  transport: undefined,
} as const satisfies Record<Check['check'], FixTarget['part'] | 'brand' | undefined>;

/** Of the brand kit; other checks are about its legal details. */
const sections: Partial<Record<Check['check'], string>> = {
  quiet_hours: 'quiet-hours',
  tracking: 'tracking',
};

/** The field in which a check is fixed; other checks are not about a single field. */
const fieldOf: Partial<Record<Check['check'], string>> = {
  subject: 'subject',
  sender: 'from_email',
  sender_domain: 'from_email',
  body: 'mjml',
  variables: 'mjml',
  unsubscribe_link: 'mjml',
  sample_content: 'mjml',
  legal_notice: 'mjml',
  size: 'mjml',
};

/** Where a check is fixed: a part of the page, by its id, and a field in it. */
export interface FixTarget {
  part: 'content' | 'items' | 'audience' | 'test';
  field: string | undefined;
  /** A line of the body. */
  line?: number | undefined;
}

const marks = {
  block: <IconX size={18} className="thick-icon" aria-hidden />,
  warn: <IconAlertTriangle size={18} aria-hidden />,
  confirm: <IconAlertTriangle size={18} aria-hidden />,
  note: <IconInfoCircle size={18} aria-hidden />,
  fine: <IconCheck size={18} className="thick-icon" aria-hidden />,
  open: <IconMinus size={18} className="thick-icon" aria-hidden />,
};
const colors = { block: 'red', confirm: 'yellow', warn: 'yellow', fine: 'green', open: 'gray' } as const;

interface ChecklistProps {
  review: Review;
  /** Moves to a part of the page. */
  onFix: (target: FixTarget) => void;
}

export function ReviewChecklist({ review, onFix }: ChecklistProps) {
  const { t } = useTranslation('touchpoints');
  const blocked = review.checks.filter((check) => check.level === 'block').length;
  const toCheck = review.checks.filter(isToCheck).length;
  return (
    <Paper withBorder p="md" radius="md">
      <SectionTitle>{t('review.checklist')}</SectionTitle>
      <QuietText mb="sm">
        {blocked > 0
          ? t('review.blocked', { count: blocked })
          : toCheck > 0
            ? t('review.readyToCheck', { count: toCheck })
            : t('review.ready')}
      </QuietText>
      <ul className="bare">
        {review.checks.map((check) => (
          <CheckItem key={check.check} check={check} review={review} onFix={onFix} />
        ))}
      </ul>
    </Paper>
  );
}

function CheckItem({ check, review, onFix }: ChecklistProps & { check: Check }) {
  const { t } = useTranslation('touchpoints');
  const { level, words } = useVerdict(check, review);
  const linkTo = linkToField((field, line) => onFix({ part: 'content', field, line }));
  const name = t(`review.check.${check.check}`);
  const part = parts[check.check];
  return (
    <li className={classes.item} data-level={level}>
      <span className={classes.mark}>{marks[level]}</span>
      <Box miw={0}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <QuietText>{words}</QuietText>
      </Box>
      <div className={classes.side}>
        {level !== 'note' && (
          <Badge color={colors[level]} className="status-badge" data-tone={colors[level]}>
            {t(`review.level.${level}`)}
          </Badge>
        )}
        {check.level !== 'fine' && part && (
          <FixLink
            part={part}
            section={sections[check.check] ?? 'legal'}
            field={fieldOf[check.check]}
            name={name}
            onFix={onFix}
          />
        )}
      </div>
      {level !== 'note' && check.problems.length > 0 && (
        <div className={classes.problems}>
          <ProblemList problems={check.problems} linkTo={linkTo} />
        </div>
      )}
    </li>
  );
}

interface FixLinkProps extends Pick<ChecklistProps, 'onFix'> {
  part: FixTarget['part'] | 'brand';
  /** Of the brand kit. */
  section: string;
  field: string | undefined;
  name: string;
}

function FixLink({ part, section, field, name, onFix }: FixLinkProps) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const label = { 'aria-label': `${t('review.fix')}: ${name}` };
  if (part === 'brand')
    return (
      <LinkAnchor
        size="sm"
        to="/o/$orgId/brands/$brandId/kit"
        params={{ orgId, brandId: touchpoint.brand.id }}
        hash={section}
        {...label}
      >
        {t('review.fix')}
      </LinkAnchor>
    );
  return (
    <Anchor size="sm" component="button" type="button" {...label} onClick={() => onFix({ part, field })}>
      {t('review.fix')}
    </Anchor>
  );
}

/** Checks that require a body that can be rendered. */
const needsBody: readonly Check['check'][] = ['unsubscribe_link', 'sample_content', 'variables', 'size'];

/** Display state of a check: `open` if nothing was checked, so that nothing is wrongly shown as ready. */
function useVerdict(
  { check, level, problems }: Check,
  {
    checks,
    audience_breakdown: audience,
    not_measured,
    links_as_written,
    shared_contacts,
    daily_limit,
    quiet_until,
    sender_problem,
    test,
  }: Review,
): { level: keyof typeof marks; words: string } {
  const { t } = useTranslation('touchpoints');
  const nameOf = useCollectionName();
  const { can } = useOrganization();
  const format = useFormat();
  const textOfError = useSendErrorText();
  const values = {
    quietUntil: quiet_until === null ? '' : format.dateTime(quiet_until),
    used: daily_limit?.used ?? 0,
    limit: daily_limit?.limit ?? 0,
    notMeasured: format.number(not_measured ?? 0),
    recipients: format.number(audience?.will_receive ?? 0),
    count: links_as_written,
    tag: '{{ brand.postal_address }}',
    collection: shared_contacts === null ? '' : nameOf(shared_contacts.collection),
  };
  if (level === 'warn' && check === 'body') return { level, words: t('review.bodyWarnings') };
  if (level === 'block' && check === 'variables') return { level, words: t('review.unknownTags') };
  if (level === 'note' && check === 'variables') {
    const tags = problems.map(({ variable }) => variable).join(', ');
    return { level, words: t('review.notCountedTags', { tags }) };
  }
  if (check === 'test' && level === 'warn' && test !== null)
    return { level, words: t('review.bad.test_changed') };
  if (check === 'sender_domain' && sender_problem !== null)
    return { level, words: textOfError(sender_problem) };
  if (level !== 'fine') return { level, words: t(`review.bad.${check}`, values) };
  const hasBody = checks.some((other) => other.check === 'body' && other.level !== 'block');
  if (!hasBody && needsBody.includes(check)) return { level: 'open', words: t('review.needsBody') };
  if (check === 'variables' && (audience?.will_receive ?? 0) === 0)
    return {
      level: 'open',
      words: can('read', 'Content') ? t('review.needsRecipients') : t('review.tagsHidden'),
    };
  if (check === 'audience' && audience === null) return { level, words: t('review.goodHidden') };
  return { level, words: t(`review.good.${check}`, values) };
}
