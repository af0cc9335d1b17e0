import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { ClientSwitch } from './client-switch.tsx';
import { Navigation } from './navigation.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import classes from './shell.module.css';

/** The sidebar on narrow screens. Mount it to open it. */
export default function NavigationDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['shell', 'common']);
  useFocusBack();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="left"
      size={280}
      title={t('menu')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <div className={classes.drawer}>
        <OrganizationSwitcher />
        <ClientSwitch onGo={onClose} />
        <Navigation onGo={onClose} />
      </div>
    </Drawer>
  );
}
