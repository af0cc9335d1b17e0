import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface RowMenuProps {
  name: string;
  /** In px. */
  size?: number;
  children: ReactNode;
}

export function RowMenu({ name, size = 32, children }: RowMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={size} aria-label={t('actions.moreFor', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Menu item that duplicates its record. */
export function DuplicateItem({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return <Menu.Item onClick={onClick}>{t('actions.duplicate')}</Menu.Item>;
}

/** Menu item that deletes its record. */
export function DeleteItem({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu.Item c="var(--app-danger)" onClick={onClick}>
      {t('actions.delete')}
    </Menu.Item>
  );
}
