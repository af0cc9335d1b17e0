import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The address of a Directus, the first field of its form. */
export function EndpointInput(props: TextInputProps) {
  const { t } = useTranslation('backend');
  return (
    <TextInput
      data-autofocus
      type="url"
      label={t('words.address')}
      description={t('endpointHint')}
      placeholder="https://cms.example.com"
      {...props}
    />
  );
}
