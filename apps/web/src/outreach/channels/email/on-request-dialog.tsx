import { List, Skeleton } from '@mantine/core';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandDialog } from '#web/clients/brands/brand-dialog.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ConfirmButtons } from './confirm-buttons.tsx';
import { DeliveryOptions } from './delivery-options.tsx';
import { ReviewChecklist, type FixTarget } from './review-checklist.tsx';
import { Facts, isToConfirm, PointsToCheck } from './send-dialog.tsx';
import { SendFailure } from './send-failure.tsx';
import { useStartSend } from './use-start-send.ts';

interface Props {
  /** Of the review that was shown before. */
  version: string;
  /** Moves to a part of the page. */
  onFix: (target: FixTarget) => void;
  onClose: () => void;
}

/** Says what will happen when the email takes requests, and switches that on; or what must be fixed before. */
export default function OnRequestDialog({ version, onFix, onClose }: Props) {
  const { t } = useTranslation(['delivery', 'touchpoints']);
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
    <BrandDialog
      brand={touchpoint.brand}
      title={t('onRequest.title', { brand: touchpoint.brand.name })}
      onClose={onClose}
    >
      <AsyncRegion
        query={query}
        what={t('touchpoints:review.checklist')}
        skeleton={<Skeleton height={280} radius="sm" />}
      >
        {(review) => {
          const blocking = review.checks.filter(({ level }) => level === 'block');
          return blocking.length === 0 ? (
            <SwitchOn review={review} version={version} onClose={onClose} />
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
    </BrandDialog>
  );
}

function SwitchOn({ review, onClose, ...shown }: { review: Review; version: string; onClose: () => void }) {
  const { t } = useTranslation('delivery');
  const { organization } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const [policy, setPolicy] = useState(organization.uncertain_policy);
  const [sendsSample, setSendsSample] = useState(false);
  // Whatever is read meanwhile.
  const [version] = useState(shown.version);
  const start = useStartSend(touchpoint.id);
  return (
    <>
      <Facts review={review} subject={undefined} />
      <PointsToCheck review={review} sendsSample={sendsSample} onChange={setSendsSample} />
      <DeliveryOptions policy={policy} onChange={setPolicy} />
      <List size="sm" spacing={4}>
        {(['start', 'locked', 'suppressed'] as const).map((effect) => (
          <List.Item key={effect}>{t(`onRequest.effects.${effect}`)}</List.Item>
        ))}
      </List>
      <SendFailure error={start.error} />
      <ConfirmButtons
        focusesCancel
        label={t('onRequest.confirm')}
        isPending={start.isPending}
        disabled={isToConfirm(review) && !sendsSample}
        onConfirm={() =>
          start.mutate({
            id: touchpoint.id,
            kind: 'triggered',
            expected_version: version,
            sends_sample_content: sendsSample,
            uncertain_policy: policy,
          })
        }
        onClose={onClose}
      />
    </>
  );
}
