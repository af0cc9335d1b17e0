import { Group, Menu, TextInput } from '@mantine/core';
import { IconCheck, IconPin, IconPinned, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePinnedClients } from '#web/clients/clients/pinned-clients.ts';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { maxSearchLength } from '#web/ui/search-field.tsx';
import { FinePrint } from '#web/ui/text.ts';
import type { PopupProps } from '#web/ui/with-popup.tsx';
import classes from './client-menu.module.css';

const shownCount = 20;

interface Choice {
  id: string;
  name: string;
  logo_url: string | null;
}

type Choose = (id: string | undefined) => void;

/** A menu may not have a search field, but the library makes every dropdown a menu: here it is what contains one. */
function asDialog(dropdown: HTMLElement | null): void {
  dropdown?.setAttribute('role', 'dialog');
  dropdown?.removeAttribute('aria-orientation');
}

export default function ClientMenu({ onChoose, target, ...popup }: PopupProps & { onChoose: Choose }) {
  const { t } = useTranslation('shell');
  return (
    <Menu
      position="bottom-start"
      width={280}
      trapFocus
      // The search field takes the initial focus.
      withInitialFocusPlaceholder={false}
      closeOnItemClick={false}
      {...popup}
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown ref={asDialog} aria-label={t('client.find')}>
        <Clients onChoose={onChoose} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The clients to choose from: all, the pinned ones, and search results. */
function Clients({ onChoose }: { onChoose: Choose }) {
  const { t } = useTranslation(['shell', 'common']);
  const { api, orgId, clientId } = useOrganization();
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const { pinned, isFull, toggle } = usePinnedClients();
  const { data } = useQuery(
    api.clients.list.queryOptions({
      input: compact({
        organization_id: orgId,
        search: search === '' || search.length > maxSearchLength ? undefined : search,
        page: 0,
        page_size: shownCount,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  const ofPins = useQueries({
    queries: pinned.map((id) => ({
      ...api.clients.get.queryOptions({ input: { id }, meta: { quiet: true } }),
      retry: false,
    })),
  });
  const isSearching = search !== '';
  const isTooLong = typed.trim().length > maxSearchLength;
  // A pinned client of another organization, or a deleted one, is not found.
  const pins = isSearching ? [] : ofPins.flatMap(({ data: client }) => client ?? []);
  const found = (data?.items ?? []).filter(({ id }) => !pins.some((pin) => pin.id === id));
  const more = (data?.count ?? 0) - (data?.items.length ?? 0);
  const row = (client: Choice) => (
    <ClientRow
      key={client.id}
      client={client}
      isCurrent={client.id === clientId}
      isPinned={pinned.includes(client.id)}
      isFull={isFull}
      onChoose={() => onChoose(client.id)}
      onPin={() => toggle(client.id)}
    />
  );
  return (
    <>
      <TextInput
        data-autofocus
        size="xs"
        m={4}
        aria-label={t('client.find')}
        placeholder={t('client.find')}
        value={typed}
        error={isTooLong && t('common:form.tooLong', { max: maxSearchLength })}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || search !== typed.trim() || found[0] === undefined) return;
          event.preventDefault();
          onChoose(found[0].id);
        }}
      />
      <div role="menu" aria-label={t('words.clients')} hidden={isSearching && found.length === 0}>
        {!isSearching && (
          <Menu.Item
            leftSection={<IconUsers size={18} aria-hidden />}
            rightSection={
              clientId === undefined ? (
                <IconCheck size={16} className="thick-icon" aria-label={t('current')} />
              ) : null
            }
            onClick={() => onChoose(undefined)}
          >
            {t('client.all')}
          </Menu.Item>
        )}
        {pins.length > 0 && (
          <>
            <Menu.Label>{t('client.pinned')}</Menu.Label>
            {pins.map(row)}
          </>
        )}
        {found.length > 0 && <Menu.Label>{t('words.clients')}</Menu.Label>}
        {found.map(row)}
      </div>
      <FinePrint px="sm" py={4} role="status">
        {data?.count === 0 && isSearching ? t('client.none', { search }) : ''}
        {more > 0 ? t('client.more', { count: more }) : ''}
      </FinePrint>
    </>
  );
}

interface RowProps {
  client: Choice;
  isCurrent: boolean;
  isPinned: boolean;
  isFull: boolean;
  onChoose: () => void;
  onPin: () => void;
}

function ClientRow({ client: { name, logo_url }, isCurrent, isPinned, isFull, onChoose, onPin }: RowProps) {
  const { t } = useTranslation('shell');
  const PinIcon = isPinned ? IconPinned : IconPin;
  return (
    <Group gap={0} wrap="nowrap" align="stretch" role="none">
      <Menu.Item
        className="break"
        miw={0}
        leftSection={<Logo name={name} logo={logo_url} size={22} />}
        rightSection={
          isCurrent ? <IconCheck size={16} className="thick-icon" aria-label={t('current')} /> : null
        }
        onClick={onChoose}
      >
        {name}
      </Menu.Item>
      <Menu.Item
        aria-label={t(isPinned ? 'client.unpin' : 'client.pin', { name })}
        title={t(isPinned ? 'client.unpin' : 'client.pin', { name })}
        className={classes.pin}
        data-pinned={isPinned || undefined}
        disabled={isFull && !isPinned}
        onClick={onPin}
      >
        <PinIcon size={16} aria-hidden />
      </Menu.Item>
    </Group>
  );
}
