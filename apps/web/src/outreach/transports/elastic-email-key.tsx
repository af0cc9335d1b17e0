import { Group, Text } from '@mantine/core';
import type { Transports } from '@reachout/contract/transports.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { notifyOf } from '#web/ui/notify.tsx';

/** The key of the organization's account at Elastic Email, which transports share; nothing without one. */
export function ElasticEmailKey({
  transports: { items, elastic_email_key: key },
}: {
  transports: Transports;
}) {
  const { t } = useTranslation('transports');
  const { api, orgId } = useOrganization();
  const [removing, setRemoving] = useState(false);
  const remove = useMutation(
    api.transports.deleteElasticEmailKey.mutationOptions(notifyOf(t('key.removed'))),
  );
  if (key === null) return null;
  const isUsed = items.some(({ settings }) => settings.kind === 'elastic_email');
  return (
    <Group gap="sm">
      <Text size="sm">{t('key.stored', { end: key.last_four })}</Text>
      <DisabledWithTooltip
        size="compact-sm"
        reason={isUsed ? t('key.used') : undefined}
        onClick={() => setRemoving(true)}
      >
        {t('key.remove')}
      </DisabledWithTooltip>
      {removing && (
        <ConfirmDialog
          title={t('key.question')}
          text={t('key.effect')}
          confirmLabel={t('key.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync({ id: orgId })}
        />
      )}
    </Group>
  );
}
