import { UnstyledButton } from '@mantine/core';
import { IconSelector, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { FinePrint } from '#web/ui/text.ts';
import { WithPopup } from '#web/ui/with-popup.tsx';
import { pathForClient } from './current-client.ts';
import classes from './organization-switcher.module.css';

const ClientMenu = lazy(() => loadChunk(() => import('./client-menu.tsx')));

/** Selects the client whose records all pages show, or all clients. The key C opens it (`use-global-shortcuts.ts`). */
export function ClientSwitch({ onGo }: { onGo?: () => void }) {
  const { t } = useTranslation('shell');
  const { api, clientId, can } = useOrganization();
  const [opened, setOpened] = useState(false);
  const goTo = useGoToClient();
  const isReadable = can('read', 'Client');
  const { data, error } = useQuery({
    ...api.clients.get.queryOptions({ input: { id: clientId ?? '' } }),
    enabled: clientId !== undefined && isReadable,
    retry: false,
  });
  const isUnknown = clientId !== undefined && error !== null && 'status' in error && error.status === 404;
  useEffect(() => {
    // A client that is deleted or of another organization: no records would be shown.
    if (isUnknown) goTo(undefined, { replace: true });
  });
  if (!isReadable) return null;
  const name = clientId === undefined ? t('client.all') : (data?.name ?? '…');
  return (
    <WithPopup
      kind="menu"
      opened={opened}
      onChange={setOpened}
      popup={(popup) => (
        <ClientMenu
          {...popup}
          onChoose={(id) => {
            setOpened(false);
            onGo?.();
            goTo(id);
          }}
        />
      )}
    >
      <UnstyledButton className={classes.button} aria-label={t('client.switch', { name })} data-client-switch>
        {clientId === undefined ? (
          <span className={classes.plate}>
            <IconUsers size={18} aria-hidden />
          </span>
        ) : (
          <Logo name={name} logo={data?.logo_url ?? null} size={32} />
        )}
        <span className={classes.words}>
          <FinePrint span>{t('words.client')}</FinePrint>
          <span className={classes.name} title={name}>
            {name}
          </span>
        </span>
        <IconSelector size={16} className={classes.sign} aria-hidden />
      </UnstyledButton>
    </WithPopup>
  );
}

function useGoToClient() {
  const { orgId } = useOrganization();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (id: string | undefined, options?: { replace: boolean }) =>
    void navigate({ to: pathForClient(pathname, orgId, id), search: { client: id } as never, ...options });
}
