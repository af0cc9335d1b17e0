import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from './use-focus-back.ts';

/** A dialog that is mounted to be opened. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation();
  useFocusBack();
  return <Modal opened closeButtonProps={{ 'aria-label': t('actions.close') }} {...props} />;
}
