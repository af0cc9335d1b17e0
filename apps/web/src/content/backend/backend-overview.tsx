import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { ValueList } from '#web/ui/value-list.tsx';
import { ConnectDrawer } from './connect-drawer.tsx';
import { SetUpDrawer } from './set-up-drawer.tsx';

type Directus = NonNullable<ContentBackend['directus']>;

/** The content backend in use, its problems, and the actions to change it. */
export function BackendOverview({ backend }: { backend: ContentBackend }) {
  const { t } = useTranslation('backend');
  const [opened, setOpened] = useState<'connect' | 'setUp' | 'disconnect'>();
  const close = () => setOpened(undefined);
  const { kind, directus } = backend;
  const isConnected = kind === 'directus' && directus !== null;
  return (
    <SectionCard title={isConnected ? t('directus') : t('builtIn')} hint={t('explain')}>
      <Stack gap="md">
        {isConnected ? <DirectusState directus={directus} /> : <BuiltInState backend={backend} />}
        <Group gap="xs">
          {isConnected && <CheckButton />}
          <PermittedButton
            permission={['update', 'Organization']}
            variant={isConnected ? 'default' : 'filled'}
            onClick={() => setOpened('connect')}
          >
            {isConnected ? t('change') : t('connect')}
          </PermittedButton>
          <PermittedButton permission={['update', 'Organization']} onClick={() => setOpened('setUp')}>
            {t('setUp')}
          </PermittedButton>
          {isConnected && (
            <Button c="var(--app-danger)" onClick={() => setOpened('disconnect')}>
              {t('disconnect')}
            </Button>
          )}
        </Group>
      </Stack>
      {opened === 'connect' && <ConnectDrawer backend={backend} onClose={close} />}
      {opened === 'setUp' && <SetUpDrawer backend={backend} onClose={close} />}
      {opened === 'disconnect' && directus !== null && (
        <DisconnectDialog endpoint={directus.endpoint} onClose={close} />
      )}
    </SectionCard>
  );
}

function BuiltInState({ backend: { directus, built_in } }: { backend: ContentBackend }) {
  const { t } = useTranslation('backend');
  return (
    <ValueList
      values={[
        { name: t('words.collections'), value: built_in.collection_count },
        ...(directus === null ? [] : [{ name: t('lastEndpoint'), value: directus.endpoint }]),
      ]}
    />
  );
}

const badgeOf = { connected: 'active', failing: 'failed', disconnected: 'inactive' } as const;

function DirectusState({ directus }: { directus: Directus }) {
  const { t } = useTranslation(['backend', 'problems']);
  const format = useFormat();
  const { state, failure, error_content, missing_collections, access_token } = directus;
  const message = error_content ?? '';
  return (
    <Stack gap="md">
      {failure !== null && (
        <Notice color="red" title={t('failingTitle')}>
          {t(`problems:backendFailure.${failure}`, { message })}
        </Notice>
      )}
      {missing_collections.length > 0 && (
        <Notice color="yellow" title={t('missingTitle')}>
          {t('missing', { names: format.list(missing_collections) })}
        </Notice>
      )}
      <ValueList
        values={[
          {
            name: t('words.status'),
            value: <StatusBadge status={badgeOf[state]} label={t(`state.${state}`)} />,
          },
          { name: t('words.address'), value: directus.endpoint },
          { name: t('version'), value: directus.server_version ?? t('unknown') },
          { name: t('words.collections'), value: format.number(directus.collection_count) },
          { name: t('token'), value: t('tokenEnds', { end: access_token?.last_four ?? '' }) },
          { name: t('checked'), value: <Time at={directus.checked_at} /> },
        ]}
      />
    </Stack>
  );
}

const Notice = ({ color, title, children }: { color: 'red' | 'yellow'; title: string; children: string }) => (
  <Alert color={color} icon={<IconAlertTriangle size={18} />} title={title} role="status">
    <Text size="sm">{children}</Text>
  </Alert>
);

function CheckButton() {
  const { t } = useTranslation('backend');
  const { api, orgId } = useOrganization();
  const check = useMutation(api.contentBackend.check.mutationOptions(notifyOf(t('checkedNow'))));
  return (
    <>
      <PermittedButton
        variant="filled"
        permission={['update', 'Organization']}
        loading={check.isPending}
        onClick={() => check.mutate({ id: orgId })}
      >
        {t('check')}
      </PermittedButton>
      <ActionError error={check.error} />
    </>
  );
}

function DisconnectDialog({ endpoint, onClose }: { endpoint: string; onClose: () => void }) {
  const { t } = useTranslation('backend');
  const { api, orgId } = useOrganization();
  const disconnect = useMutation(api.contentBackend.disconnect.mutationOptions(notifyOf(t('disconnected'))));
  return (
    <ConfirmDialog
      title={t('disconnectQuestion', { endpoint })}
      text={t('disconnectEffect')}
      confirmLabel={t('disconnect')}
      onClose={onClose}
      onConfirm={() => disconnect.mutateAsync({ id: orgId })}
    />
  );
}
