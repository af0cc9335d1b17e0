import { Button, Group, Paper, Stack } from '@mantine/core';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { IconCalendarEvent, IconCheck, IconSend } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AudienceBreakdown } from '#web/contacts/audiences/audience-breakdown.tsx';
import brandAct from '#web/clients/brands/brand-act.module.css';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { refresh } from '#web/platform/query-client.ts';
import type { EmailDraft } from './email-draft.ts';
import { OnRequest } from './on-request.tsx';
import { previewQuery } from './preview-query.ts';
import { ReviewChecklist, type FixTarget } from './review-checklist.tsx';
import { SendDialog, type SendStart } from './send-dialog.tsx';
import { SendTest } from './send-test.tsx';
import { shownSubject, type RenderedSubject } from './shown-subject.ts';
import { useTopicText } from './topic-text.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import classes from '#web/ui/two-columns.module.css';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ColumnsSkeleton } from '#web/ui/page-skeletons.tsx';
import { QuietText } from '#web/ui/text.ts';

interface Props {
  draft: EmailDraft;
  /** Moves to a part of the page. */
  onFix: (target: FixTarget) => void;
}

export function ReviewPanel({ draft, onFix }: Props) {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const { api, orgId } = scope;
  const { touchpoint } = useTouchpoint();
  // Always refetched: what is shown here is about to be confirmed.
  const query = useQuery(
    api.touchpoints.review.queryOptions({
      input: { id: touchpoint.id },
      staleTime: 0,
      refetchOnMount: 'always',
    }),
  );
  const isReviewed = query.data?.updated_at === draft.email.updated_at;
  const unseen = !draft.isStored ? t('review.unsaved') : isReviewed ? undefined : t('review.reviewing');
  useShowReviewed(draft, query.data);
  const [confirming, setConfirming] = useState<SendStart>();
  const preview = useQuery(
    previewQuery(scope, touchpoint.id, {
      hasBody: query.data?.checks.some(({ check, level }) => check === 'body' && level !== 'block') ?? false,
    }),
  );
  // Without a recipient it would have gaps.
  const rendered = query.data?.audience_breakdown?.will_receive ? preview.data : undefined;
  return (
    <AsyncRegion
      query={query}
      what={t('review.checklist')}
      skeleton={<ColumnsSkeleton main={[8]} beside={[3, 3]} />}
    >
      {(review) => (
        <div className={classes.columns}>
          <ReviewChecklist review={review} onFix={onFix} />
          <Stack gap="md">
            <Sentences review={review} subject={rendered} />
            {review.audience_breakdown && (
              <AudienceBreakdown
                numbers={review.audience_breakdown}
                busy={query.isFetching}
                reading={review.audience_reading}
              />
            )}
            <SendTest contact={undefined} version={review.version} reason={unseen} />
            <SendAction
              review={review}
              unseen={unseen ?? (query.isFetching ? t('review.reviewing') : undefined)}
              onSend={setConfirming}
            />
            {!touchpoint.is_planned && <OnRequest version={review.version} unseen={unseen} onFix={onFix} />}
          </Stack>
          {confirming !== undefined && (
            <SendDialog
              touchpoint={touchpoint}
              review={review}
              subject={rendered}
              start={confirming}
              onClose={() => {
                setConfirming(undefined);
                void refresh(orgId);
              }}
            />
          )}
        </div>
      )}
    </AsyncRegion>
  );
}

function Sentences({ review, subject }: { review: Review; subject: RenderedSubject }) {
  const { t } = useTranslation('touchpoints');
  const { can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const plannedTime = usePlannedTime();
  const topicText = useTopicText();
  const people = review.audience_breakdown?.will_receive ?? 0;
  const rows = [
    {
      key: 'who',
      label: t('words.to'),
      text:
        review.audience_breakdown === null && !can('read', 'Content')
          ? t('review.whoHidden')
          : people === 0
            ? t('review.nobody')
            : review.audience === null
              ? t('words.recipientCount', { count: people })
              : t(review.audience_reading?.read_at === null ? 'review.whoUpTo' : 'review.whoAudience', {
                  count: people,
                  audience: review.audience.name,
                }),
    },
    ...(review.topic === null ? [] : [{ key: 'topic', label: t('words.topic'), text: topicText(review) }]),
    {
      key: 'what',
      label: t('words.email'),
      text: t('review.whatText', {
        subject: shownSubject(review.subject, subject) || t('inbox.noSubject'),
        sender: review.from.email
          ? `${review.from.name} <${review.from.email}>`.trim()
          : review.from.name || t('noSender'),
      }),
    },
    {
      key: 'when',
      label: t('review.when'),
      text:
        touchpoint.is_planned && touchpoint.scheduled_date !== null
          ? plannedTime(touchpoint.scheduled_date, touchpoint.scheduled_date_tz)
          : t('review.whenText'),
    },
  ];
  return (
    <Paper withBorder p="md" radius="md">
      <dl className={classes.sentences}>
        {rows.map((row) => (
          <div key={row.key}>
            <dt>{row.label}</dt>
            <dd title={row.key === 'what' ? review.subject : undefined}>{row.text}</dd>
          </div>
        ))}
      </dl>
      <QuietText mt="sm">
        {review.transport_name === null
          ? t(review.transport === 'mailbox' ? 'review.bad.transport' : 'review.smtp')
          : t('review.ownTransport', { name: review.transport_name })}
      </QuietText>
    </Paper>
  );
}

/** Reads the email again if the review is of a newer one: what is sent is what is seen. */
function useShowReviewed({ email, isDirty }: EmailDraft, review: Review | undefined): void {
  const { api } = useOrganization();
  const queries = useQueryClient();
  const isNewer = review !== undefined && Date.parse(review.updated_at) > Date.parse(email.updated_at);
  const { touchpoint_id: id } = email;
  useEffect(() => {
    if (isNewer && !isDirty)
      void queries.invalidateQueries({ queryKey: api.touchpoints.getEmail.queryKey({ input: { id } }) });
  }, [isNewer, isDirty, queries, api, id]);
}

interface SendActionProps {
  review: Review;
  /** Why what is seen is not what would be sent. */
  unseen: string | undefined;
  onSend: (start: SendStart) => void;
}

function SendAction({ review, unseen, onSend }: SendActionProps) {
  const { t } = useTranslation('touchpoints');
  const { can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const blocked = review.checks.filter((check) => check.level === 'block').length;
  const reason = !can('send', 'Touchpoint')
    ? t('review.noPermission')
    : touchpointCan.reopen(touchpoint)
      ? t('review.archived')
      : blocked > 0
        ? t('review.blocked', { count: blocked })
        : unseen;
  const isSame = touchpoint.is_planned && !touchpoint.is_changed;
  // If blocked, the buttons stay visible with the reason below.
  const state = {
    size: 'md',
    'aria-disabled': reason !== undefined,
    ...(reason === undefined ? {} : { 'data-disabled': true, 'aria-describedby': 'send-reason' }),
  };
  return (
    <Stack gap="xs">
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Button
          {...state}
          // Without a change of the email itself, only its brand or audience can differ from what was confirmed.
          {...(isSame ? {} : { variant: 'filled', className: brandAct.button })}
          data-brand-color={touchpoint.brand.color}
          leftSection={touchpoint.is_planned ? <IconCheck size={18} /> : <IconSend size={18} />}
          onClick={() => reason === undefined && onSend('now')}
        >
          {t(isSame ? 'review.compare' : touchpoint.is_planned ? 'review.confirmChanges' : 'words.sendNow')}
        </Button>
        {!touchpoint.is_planned && (
          <Button
            {...state}
            leftSection={<IconCalendarEvent size={18} />}
            onClick={() => reason === undefined && onSend('date')}
          >
            {t('review.schedule')}
          </Button>
        )}
      </Group>
      {reason !== undefined && <QuietText id="send-reason">{reason}</QuietText>}
    </Stack>
  );
}
