import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { ImageLibrary } from './image-library.tsx';

interface Props {
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Lists the image files to choose from. Mount it to open it. */
export function ImagePicker({ onChoose, onClose }: Props) {
  const { t } = useTranslation(['files', 'common']);
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('image.choose')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <ImageLibrary onChoose={({ id }) => onChoose(id)} />
    </Modal>
  );
}
