import { SegmentedControl, Text } from '@mantine/core';
import type { ContentChanges } from '@reachout/contract/schedules.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { notify } from '#web/ui/notify.tsx';
import { CardSkeleton } from '#web/ui/page-skeletons.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import { QuietText } from '#web/ui/text.ts';
import classes from '#web/ui/two-columns.module.css';
import { ConfirmButtons } from './confirm-buttons.tsx';
import { SendFailure, type ConfirmationProps } from './send-failure.tsx';

/** Shows how a planned email differs from what was confirmed, and confirms it as it is now. */
export default function ConfirmChanges({
  touchpoint,
  recipients,
  isConfirmed,
  input,
  onClose,
}: ConfirmationProps) {
  const { t } = useTranslation(['schedules', 'touchpoints']);
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const canCompare = can('read', 'Content');
  const query = useQuery(
    api.schedules.changes.queryOptions({ input: { id: touchpoint.id }, staleTime: 0, enabled: canCompare }),
  );
  // One key per opened dialog, as for a send that starts now.
  const [idempotencyKey] = useState(randomUuid);
  const confirm = useMutation(
    api.schedules.confirm.mutationOptions({
      context: { idempotencyKey },
      onSuccess: async () => {
        notify(t('changes.done'));
        onClose();
        await navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/receipt',
          params: { orgId, touchpointId: touchpoint.id },
        });
      },
    }),
  );
  const { uncertain_policy: _kept, ...confirmed } = input;
  const isSame = query.data?.changes.length === 0;
  return (
    <>
      {canCompare ? (
        <AsyncRegion query={query} what={t('changes.title')} skeleton={<CardSkeleton lines={3} />}>
          {(changes) => changes && <Differences changes={changes} recipients={recipients} />}
        </AsyncRegion>
      ) : (
        <Text>{t('changes.hidden')}</Text>
      )}
      <SendFailure error={confirm.error} />
      <ConfirmButtons
        focusesCancel
        label={t('touchpoints:review.confirmChanges')}
        isPending={confirm.isPending}
        disabled={!isConfirmed || isSame || (canCompare && query.data === undefined)}
        onConfirm={() =>
          confirm.mutate({
            id: touchpoint.id,
            ...confirmed,
            ...compact({ expected_content_hash: query.data?.content_hash }),
          })
        }
        onClose={onClose}
      />
    </>
  );
}

function Differences({
  changes: { changes, message, confirmed_at, recipients_confirmed, sends },
  recipients,
}: {
  changes: ContentChanges;
  recipients: number | undefined;
}) {
  const { t } = useTranslation('schedules');
  const format = useFormat();
  const [shown, setShown] = useState<'confirmed' | 'current'>('current');
  if (changes.length === 0) return <Text>{t('changes.none', { when: format.dateTime(confirmed_at) })}</Text>;
  const rows = [
    ...changes.map(({ field, confirmed, current }) => ({
      label: t(`changes.field.${field}`),
      // Empty texts, too.
      values: confirmed === null && current === null ? undefined : ([confirmed, current] as const),
    })),
    ...(recipients === undefined || recipients === recipients_confirmed
      ? []
      : [
          {
            label: t('words.recipients'),
            values: [format.number(recipients_confirmed), format.number(recipients)] as const,
          },
        ]),
  ];
  const [before, after] = message === null ? [] : [message.confirmed, message.current];
  const side = shown === 'confirmed' ? before : after;
  return (
    <>
      <Text fw={600}>{t('changes.title')}</Text>
      <dl className={classes.sentences} data-wide>
        {rows.map(({ label, values }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {values === undefined ? (
                t('words.changed')
              ) : (
                <>
                  <del className="quiet">{values[0] || t('changes.nothing')}</del>{' '}
                  <Text component="ins" inherit display="block" td="none">
                    {values[1] || t('changes.nothing')}
                  </Text>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {side !== undefined && (
        <>
          <SegmentedControl
            fullWidth
            my="md"
            aria-label={t('changes.title')}
            value={shown}
            onChange={setShown}
            data={(['confirmed', 'current'] as const).map((value) => ({
              value,
              label: t(`changes.${value}`),
            }))}
          />
          {side.html === '' ? (
            <Text c="dimmed">{t('changes.notShown')}</Text>
          ) : (
            <PreviewFrame {...side} title={t(`changes.${shown}`)} />
          )}
        </>
      )}
      <QuietText mt="md">{t('changes.note', { count: sends })}</QuietText>
    </>
  );
}
