import { Drawer } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { ChangeDialog, type SubscriptionChange } from './change-dialog.tsx';
import { SubscriptionPanel } from './subscription-panel.tsx';

interface Props {
  title: string;
  collection: string;
  contactKey: string;
  onClose: () => void;
}

/** The subscription of a contact by itself: for those who may not edit the contact. */
export function ContactDrawer({ title, collection, contactKey, onClose }: Props) {
  const { t } = useTranslation('common');
  useFocusBack();
  const [change, setChange] = useState<SubscriptionChange>();
  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        closeOnEscape={change === undefined}
        title={title}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <SubscriptionPanel collection={collection} contactKey={contactKey} onChange={setChange} />
      </Drawer>
      {change && <ChangeDialog change={change} onClose={() => setChange(undefined)} />}
    </>
  );
}
