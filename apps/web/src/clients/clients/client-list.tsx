import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import type { ClientWithBrands } from '@reachout/contract/clients.ts';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import type { DeletedRow } from '#web/ui/data-table.tsx';
import { openRow } from '#web/ui/open-row.ts';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import classes from './client-list.module.css';

interface Props {
  rows: readonly ClientWithBrands[];
  deleted: readonly DeletedRow[];
  onAddBrand: (client: ClientWithBrands) => void;
  onDeleteClient: (client: ClientWithBrands, index: number) => void;
}

/** Clients with their brands below. */
export function ClientList({ rows, deleted, onAddBrand, onDeleteClient }: Props) {
  const { t } = useTranslation(['clients', 'common']);
  const { orgId, can } = useOrganization();
  const shown = rows.filter((row) => !deleted.some((entry) => entry.id === row.client_id));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the links in it are for the keyboard
    <ul className={classes.list} onClick={openRow} onAuxClick={openRow}>
      {deleted.map((entry) => (
        <li key={entry.id}>
          <Group className={classes.deleted} role="status" gap="sm">
            <span>{entry.text}</span>
            <Button size="compact-sm" variant="default" onClick={entry.onUndo}>
              {t('common:actions.undo')}
            </Button>
          </Group>
        </li>
      ))}
      {shown.map((client, index) => (
        <Paper key={client.client_id} component="li" withBorder radius="md" className={classes.client}>
          <div className={classes.head}>
            <IconBuilding size={18} stroke={1.75} className={classes.icon} aria-hidden />
            <Logo name={client.client_name} logo={client.client_logo_url} size={24} />
            <LinkAnchor
              data-row-link
              to="/o/$orgId/clients/$clientId"
              params={{ orgId, clientId: client.client_id }}
              fw={650}
              c="inherit"
              className={classes.name}
            >
              {client.client_name}
            </LinkAnchor>
            <Text size="sm" c="dimmed" className={classes.count}>
              {t('brandCount', { count: client.brands.length })}
            </Text>
            {(can('create', 'Brand') || can('delete', 'Client')) && (
              <RowMenu name={client.client_name}>
                {can('create', 'Brand') && (
                  <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => onAddBrand(client)}>
                    {t('newBrand')}
                  </Menu.Item>
                )}
                {can('delete', 'Client') && <DeleteItem onClick={() => onDeleteClient(client, index)} />}
              </RowMenu>
            )}
          </div>
          {client.brands.length === 0 ? (
            <div className={classes.none}>
              <Text size="sm" c="dimmed">
                {t('noBrands')}
              </Text>
              {can('create', 'Brand') && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconPlus size={14} />}
                  onClick={() => onAddBrand(client)}
                >
                  {t('newBrand')}
                </Button>
              )}
            </div>
          ) : (
            <ul className={classes.brands}>
              {client.brands.map((brand) => (
                <li key={brand.brand_id} className={classes.brand}>
                  <BrandMark
                    size={22}
                    brand={{
                      name: brand.brand_name,
                      color: brand.brand_color,
                      logo_url: brand.brand_logo_url,
                      dark_logo_url: brand.brand_dark_logo_url,
                    }}
                  />
                  <LinkAnchor
                    data-row-link
                    to="/o/$orgId/brands/$brandId"
                    params={{ orgId, brandId: brand.brand_id }}
                    c="inherit"
                  >
                    {brand.brand_name}
                  </LinkAnchor>
                </li>
              ))}
            </ul>
          )}
        </Paper>
      ))}
    </ul>
  );
}
