import { Alert, Checkbox, SegmentedControl, Skeleton, Text } from '@mantine/core';
import type { QueueSlots } from '@reachout/contract/schedules.ts';
import type { Review, TouchpointDetails } from '@reachout/contract/touchpoints.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandDialog } from '#web/clients/brands/brand-dialog.tsx';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { ConfirmButtons } from './confirm-buttons.tsx';
import { DeliveryOptions } from './delivery-options.tsx';
import { isToCheck } from './review-checklist.tsx';
import { SendFailure, type ConfirmationProps } from './send-failure.tsx';
import type { RenderedSubject } from './shown-subject.ts';
import { SubjectText } from './subject-text.tsx';
import { useStartSend } from './use-start-send.ts';
import classes from '#web/ui/two-columns.module.css';
import { useTopicText } from './topic-text.ts';

interface Props {
  touchpoint: TouchpointDetails;
  /**
   * The reviewed state: the server rejects the send if the email has changed, or the number of recipients, if the review showed one.
   */
  review: Review;
  /** For the first recipient. */
  subject: RenderedSubject;
  /** What is chosen at first. */
  start: SendStart;
  /** Of an email that is sent in a series already, which only takes further items. */
  queue?: { slots: QueueSlots | null };
  onClose: () => void;
}

const starts = ['now', 'date', 'repeat', 'items'] as const;
export type SendStart = (typeof starts)[number];

// Lazy: the rules of repetition are large, and most emails are sent now.
const meanwhile = { fallback: <Skeleton height={220} radius="sm" /> };

const ScheduleSend = lazyPart(() => loadForSchedules(() => import('./schedule-send.tsx')), meanwhile);

const ConfirmChanges = lazyPart(() => loadForSchedules(() => import('./confirm-changes.tsx')), meanwhile);

const QueueItems = lazyPart(() => loadForSchedules(() => import('./queue-items.tsx')), meanwhile);

/**
 * Final confirmation of a send: from which brand, to how many recipients, what, when. If it is sent now, the safe choice has
 * the focus.
 */
export function SendDialog({ touchpoint, subject, start: initialStart, queue, onClose, ...shown }: Props) {
  const { t } = useTranslation('touchpoints');
  // What is confirmed is what was seen when the dialog opened, whatever is read meanwhile.
  const [review] = useState(shown.review);
  const [start, setStart] = useState(initialStart);
  const [sendsSample, setSendsSample] = useState(false);
  const [policy, setPolicy] = useState(useOrganization().organization.uncertain_policy);
  const brand = touchpoint.brand.name;
  // Before the contacts were read, the number is an upper limit that changes with every added or removed contact.
  const isKnown = review.audience_reading?.read_at !== null;
  const recipients = isKnown ? review.audience_breakdown?.will_receive : undefined;
  const isAgain = touchpoint.is_planned && queue === undefined;
  const kind = isAgain ? 'confirm' : start === 'now' ? 'send' : 'schedule';
  const confirmation: ConfirmationProps = {
    touchpoint,
    recipients,
    isConfirmed: !isToConfirm(review) || sendsSample,
    input: {
      ...compact({ expected_recipients: recipients }),
      expected_version: review.version,
      sends_sample_content: sendsSample,
      uncertain_policy: policy,
    },
    onClose,
  };
  return (
    <BrandDialog
      brand={touchpoint.brand}
      title={
        recipients === undefined
          ? t(`review.${kind}TitleHidden`, { brand })
          : t(`review.${kind}Title`, { count: recipients, brand })
      }
      size={isAgain ? 'xl' : start === 'now' ? 'md' : 'lg'}
      onClose={onClose}
    >
      <Facts review={review} subject={subject} />
      <PointsToCheck review={review} sendsSample={sendsSample} onChange={setSendsSample} />
      {isAgain ? (
        <ConfirmChanges {...confirmation} />
      ) : (
        <>
          <DeliveryOptions policy={policy} onChange={setPolicy} />
          {queue === undefined && (
            <SegmentedControl
              fullWidth
              mt="xs"
              mb="md"
              aria-label={t('review.when')}
              value={start}
              onChange={setStart}
              data={starts
                // Item by item needs a collection of them.
                .filter((value) => value !== 'items' || touchpoint.collection !== null)
                .map((value) => ({ value, label: t(`review.start.${value}`) }))}
            />
          )}
          {start === 'now' ? (
            <SendNow {...confirmation} />
          ) : start === 'items' ? (
            <QueueItems {...confirmation} slots={queue?.slots ?? null} />
          ) : (
            <ScheduleSend {...confirmation} isRepeated={start === 'repeat'} />
          )}
        </>
      )}
    </BrandDialog>
  );
}

function SendNow({ touchpoint, recipients, isConfirmed, input, onClose }: ConfirmationProps) {
  const { t } = useTranslation('touchpoints');
  const start = useStartSend(touchpoint.id);
  return (
    <>
      <Text mb="lg">{t('review.sendBody')}</Text>
      <SendFailure error={start.error} />
      <ConfirmButtons
        focusesCancel
        label={
          recipients === undefined
            ? t('review.sendButtonHidden')
            : t('review.sendButton', { count: recipients })
        }
        isPending={start.isPending}
        disabled={!isConfirmed}
        onConfirm={() => start.mutate({ id: touchpoint.id, ...input })}
        onClose={onClose}
      />
    </>
  );
}

/** Content, sender and audience, as the recipients will see them. */
export function Facts({ review, subject }: Pick<Props, 'review' | 'subject'>) {
  const { t } = useTranslation('touchpoints');
  const nameOf = useCollectionName();
  const topicText = useTopicText();
  const { subject: source, from, audience, topic, shared_contacts } = review;
  const rows = [
    [t('review.check.subject'), <SubjectText key="subject" source={source} rendered={subject} />],
    [t('review.check.sender'), `${from.name} <${from.email}>`.trim()],
    ...(audience === null ? [] : [[t('review.check.audience'), audience.name]]),
    ...(topic === null ? [] : [[t('words.topic'), topicText(review)]]),
    ...(shared_contacts === null
      ? []
      : [
          [
            t('review.check.shared_contacts'),
            t('review.bad.shared_contacts', { collection: nameOf(shared_contacts.collection) }),
          ],
        ]),
  ] as const;
  return (
    <dl className={classes.sentences} data-wide>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether something must be confirmed on its own: that sample content is sent. */
export const isToConfirm = ({ checks }: Review): boolean => checks.some(({ level }) => level === 'confirm');

interface PointsProps {
  review: Review;
  sendsSample: boolean;
  onChange: (sendsSample: boolean) => void;
}

/** The warnings of the review, so that they are seen before sending, and what must be confirmed on its own. */
export function PointsToCheck({ review, sendsSample, onChange }: PointsProps) {
  const { t } = useTranslation('touchpoints');
  const format = useFormat();
  const points = review.checks.filter(isToCheck);
  return (
    <>
      {points.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} my="md">
          {t('review.toCheck', {
            points: format.list(points.map(({ check }) => t(`review.check.${check}`))),
          })}
        </Alert>
      )}
      {isToConfirm(review) && (
        <Checkbox
          mb="md"
          label={t('review.sendsSample')}
          checked={sendsSample}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
