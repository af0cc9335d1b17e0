import { Text } from '@mantine/core';
import type { QueueSlots } from '@reachout/contract/schedules.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { ActionError } from '#web/ui/states.tsx';
import { SendDialog } from './send-dialog.tsx';

/**
 * Adds items to the queue of an email whose series goes on. The email is reviewed again first, as before its first send.
 * @param slots  the times that are offered first
 */
export function AddItems({ slots }: { slots: QueueSlots | null }) {
  const { t } = useTranslation(['schedules', 'touchpoints']);
  const { api } = useOrganization();
  const format = useFormat();
  const { touchpoint } = useTouchpoint();
  /** In milliseconds; undefined while it is closed. */
  const [openedAt, setOpenedAt] = useState<number>();
  const isOpen = openedAt !== undefined;
  const query = useQuery(
    api.touchpoints.review.queryOptions({
      input: { id: touchpoint.id },
      enabled: isOpen,
      staleTime: 0,
      // What is shown is confirmed: it does not change meanwhile.
      refetchOnWindowFocus: false,
    }),
  );
  const { error, isFetching } = query;
  // Never an earlier review.
  const data = isOpen && query.dataUpdatedAt >= openedAt ? query.data : undefined;
  const blocked = data?.checks.filter(({ level }) => level === 'block') ?? [];
  return (
    <div>
      <CreateButton
        variant="default"
        permission={['send', 'Touchpoint']}
        record={{ client_id: touchpoint.client.id, brand_id: touchpoint.brand.id }}
        loading={isOpen && isFetching && data === undefined}
        onClick={() => setOpenedAt(Date.now())}
      >
        {t('items.addMore')}
      </CreateButton>
      {isOpen && <ActionError error={error} />}
      {isOpen && blocked.length > 0 && (
        <Text role="alert" size="sm" c="var(--app-danger)" mt="xs">
          {t('items.blocked', {
            points: format.list(blocked.map(({ check }) => t(`touchpoints:review.check.${check}`))),
          })}
        </Text>
      )}
      {isOpen && data && blocked.length === 0 && (
        <SendDialog
          queue={{ slots }}
          touchpoint={touchpoint}
          review={data}
          subject={undefined}
          start="items"
          onClose={() => setOpenedAt(undefined)}
        />
      )}
    </div>
  );
}
