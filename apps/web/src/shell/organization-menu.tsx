import { Menu, TextInput } from '@mantine/core';
import { IconCheck, IconMail, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { myInvitationsQuery, organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { PopupProps } from '#web/ui/with-popup.tsx';

/** Keeps the section but drops record ids: `~/campaigns/7` becomes the other organization's `~/campaigns`. */
function sectionPath(pathname: string, from: string, to: string): string {
  const section = pathname.slice(`/o/${from}`.length).split('/')[1];
  if (!section) return `/o/${to}`;
  return `/o/${to}/${section === 'brands' ? 'clients' : section}`;
}

const filterFrom = 8;

/** The organizations to switch to. */
export default function OrganizationMenu({ target, ...popup }: PopupProps) {
  return (
    <Menu position="bottom-start" width={260} {...popup}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Organizations />
      </Menu.Dropdown>
    </Menu>
  );
}

function Organizations() {
  const { t } = useTranslation(['shell', 'organizations']);
  const { orgId } = useOrganization();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { data } = useQuery(organizationsQuery);
  const invitations = useQuery(myInvitationsQuery).data?.count ?? 0;
  const [filter, setFilter] = useState('');
  const all = data?.items ?? [];
  const shown = all.filter((entry) => entry.name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <>
      {all.length >= filterFrom && (
        <TextInput
          size="xs"
          m={4}
          aria-label={t('filterOrganizations')}
          placeholder={t('filterOrganizations')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <Menu.Label>{t('organizations')}</Menu.Label>
      {shown.map((entry) => (
        <Menu.Item
          key={entry.id}
          leftSection={<Logo name={entry.name} logo={entry.logo_url} size={22} />}
          rightSection={
            entry.id === orgId ? (
              <IconCheck size={16} className="thick-icon" aria-label={t('current')} />
            ) : null
          }
          onClick={(event) => {
            const path = sectionPath(pathname, orgId, entry.id);
            if (event.ctrlKey || event.metaKey) window.open(path, '_blank', 'noopener');
            else void navigate({ to: path, search: { client: undefined } as never });
          }}
        >
          {entry.name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item component={Link} to="/organizations" leftSection={<IconPlus size={16} />}>
        {t('allOrganizations')}
      </Menu.Item>
      {invitations > 0 && (
        <Menu.Item component={Link} to="/organizations" leftSection={<IconMail size={16} />}>
          {t('organizations:invitationCount', { count: invitations })}
        </Menu.Item>
      )}
    </>
  );
}
