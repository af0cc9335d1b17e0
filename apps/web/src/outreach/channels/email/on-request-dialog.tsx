import { Button, Checkbox, Group, List, Modal, Skeleton, Text } from '@mantine/core';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import brandAct from '#web/clients/brands/brand-act.module.css';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { DeliveryOptions } from './delivery-options.tsx';
import { ReviewChecklist, type FixTarget } from './review-checklist.tsx';
import { Facts, PointsToCheck } from './send-dialog.tsx';
import { SendFailure } from './send-failure.tsx';

interface Props {
  /** Moves to a part of the page. */
  onFix: (target: FixTarget) => void;
  onClose: () => void;
}

/** Says what will happen when the email takes requests, and switches that on; or what must be fixed before. */
export default function OnRequestDialog({ onFix, onClose }: Props) {
  const { t } = useTranslation(['delivery', 'touchpoints', 'common']);
  useFocusBack();
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(
    api.touchpoints.review.queryOptions({
      input: { id: touchpoint.id, kind: 'triggered' },
      staleTime: 0,
      refetchOnMount: 'always',
    }),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      classNames={{ content: brandAct.dialog ?? '' }}
      data-brand-color={touchpoint.brand.color}
      title={
        <Group gap="sm" wrap="nowrap">
          <BrandMark brand={touchpoint.brand} size={32} />
          <Text fw={650} size="lg">
            {t('onRequest.title', { brand: touchpoint.brand.name })}
          </Text>
        </Group>
      }
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <AsyncRegion
        query={query}
        what={t('touchpoints:review.checklist')}
        skeleton={<Skeleton height={280} radius="sm" />}
      >
        {(review) => {
          const blocking = review.checks.filter(({ level }) => level === 'block');
          return blocking.length === 0 ? (
            <SwitchOn review={review} onClose={onClose} />
          ) : (
            <ReviewChecklist
              review={{ ...review, checks: blocking }}
              onFix={(target) => {
                onClose();
                onFix(target);
              }}
            />
          );
        }}
      </AsyncRegion>
    </Modal>
  );
}

function SwitchOn({ review, onClose }: { review: Review; onClose: () => void }) {
  const { t } = useTranslation(['delivery', 'touchpoints']);
  const { api, orgId, organization } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const navigate = useNavigate();
  const [policy, setPolicy] = useState(organization.uncertain_policy);
  const [sendsSample, setSendsSample] = useState(false);
  const isToConfirm = review.checks.some(({ level }) => level === 'confirm');
  // One key per opened dialog, as for a send to an audience.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const start = useMutation(
    api.sends.start.mutationOptions({
      context: { idempotencyKey },
      onSuccess: ({ id }) =>
        navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId: touchpoint.id, sendId: id },
        }),
    }),
  );
  return (
    <>
      <Facts review={review} subject={undefined} />
      <PointsToCheck review={review} />
      {isToConfirm && (
        <Checkbox
          mb="md"
          label={t('touchpoints:review.sendsSample')}
          checked={sendsSample}
          onChange={(event) => setSendsSample(event.currentTarget.checked)}
        />
      )}
      <DeliveryOptions policy={policy} onChange={setPolicy} />
      <List size="sm" spacing={4}>
        {(['start', 'locked', 'suppressed'] as const).map((effect) => (
          <List.Item key={effect}>{t(`onRequest.effects.${effect}`)}</List.Item>
        ))}
      </List>
      <SendFailure error={start.error} />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('touchpoints:review.notYet')}
        </Button>
        <Button
          className={brandAct.button}
          loading={start.isPending}
          disabled={isToConfirm && !sendsSample}
          onClick={() =>
            start.mutate({
              id: touchpoint.id,
              kind: 'triggered',
              sends_sample_content: sendsSample,
              uncertain_policy: policy,
            })
          }
        >
          {t('onRequest.confirm')}
        </Button>
      </Group>
    </>
  );
}
