import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Brings the checklist back. */
export default function ShowSetupItem({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('dashboard');
  return <Menu.Item onClick={onClick}>{t('setup.show')}</Menu.Item>;
}
