import { Image, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The web address of an image, with a preview once it is valid. */
export function ImageAddress(props: TextInputProps) {
  const { t } = useTranslation('collections');
  const address = String(props.value ?? '');
  return (
    <div>
      <TextInput {...props} type="url" placeholder="https://" description={t('imageHint')} />
      {/^https:\/\/\S+$/.test(address) && (
        <Image
          key={address}
          src={address}
          alt=""
          mt="xs"
          mah={160}
          w="auto"
          maw="100%"
          fit="contain"
          radius="sm"
          referrerPolicy="no-referrer"
        />
      )}
    </div>
  );
}
