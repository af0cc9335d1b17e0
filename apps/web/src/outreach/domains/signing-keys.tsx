import { Group, Stack } from '@mantine/core';
import type { DomainDetails } from '@reachout/contract/domains.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ValueList } from '#web/ui/value-list.tsx';
import { explained } from './explain.ts';

/** Which of the organization's keys signs, and how to change it. The records list the signing one first. */
export function SigningKeys({ domain: { records } }: { domain: DomainDetails }) {
  const { t } = useTranslation('domains');
  const [rotating, setRotating] = useState(false);
  const [signing, next] = records
    .filter(({ purpose }) => purpose === 'dkim')
    .map(({ name }) => selectorOf(name));
  return (
    <SectionCard title={t('keys.title')} hint={t('keys.hint')}>
      <Stack gap="md">
        <ValueList
          values={[
            { name: t('keys.signing'), value: signing },
            { name: t('keys.next'), value: next },
          ]}
        />
        <Group>
          <PermittedButton permission={['update', 'Organization']} onClick={() => setRotating(true)}>
            {t('keys.rotate')}
          </PermittedButton>
        </Group>
      </Stack>
      {rotating && <RotateDialog onClose={() => setRotating(false)} />}
    </SectionCard>
  );
}

const selectorOf = (name: string): string => name.split('.')[0]!;

function RotateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('domains');
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const rotate = useMutation(
    api.domains.rotateKeys.mutationOptions({ onSuccess: ({ step }) => notify(t(`keys.${step}`)) }),
  );
  const textOf = (code: string, { until, domains, count }: Record<string, unknown>) => {
    if (code === 'key_in_use') return t('keys.inUse', { until: format.dateTime(String(until)) });
    if (code !== 'key_not_published') return undefined;
    return t('keys.notPublished', { count: Number(count), names: format.list(domains as string[]) });
  };
  return (
    <ConfirmDialog
      title={t('keys.rotateTitle')}
      text={t('keys.rotateBody')}
      confirmLabel={t('keys.rotate')}
      isDestructive={false}
      onClose={onClose}
      onConfirm={() =>
        rotate
          .mutateAsync({ organization_id: orgId })
          .catch((error: unknown) => Promise.reject(explained(error, textOf) as Error))
      }
    />
  );
}
