import { Checkbox } from '@mantine/core';
import { isAsWritten, withAsWritten } from '@reachout/contract/rules/as-written.ts';
import { useTranslation } from 'react-i18next';

interface Props {
  href: string;
  /** As it is written. */
  rel: string | undefined;
  readOnly?: boolean;
  onChange: (rel: string) => void;
}

/** Whether the address of a link stays as it is. Nothing is added to those of other programs and of the platform anyway. */
export function AsWrittenField({ href, rel, readOnly = false, onChange }: Props) {
  const { t } = useTranslation('editor');
  if (!/^\s*(?:https?:|\{\{(?!-?\s*links\.))/i.test(href)) return null;
  return (
    <Checkbox
      size="sm"
      mt="xs"
      label={t('asWritten')}
      description={t('asWrittenHint')}
      disabled={readOnly}
      checked={isAsWritten(rel)}
      onChange={({ currentTarget }) => onChange(withAsWritten(rel, currentTarget.checked))}
    />
  );
}
