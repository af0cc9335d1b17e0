import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Menu item that shows the checklist again. */
export default function ShowSetupItem({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('setup');
  return <Menu.Item onClick={onClick}>{t('show')}</Menu.Item>;
}
