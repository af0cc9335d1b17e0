import { Alert, Anchor, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { focusFirst, type ServerForm, type Values } from './use-server-form.ts';

interface Props<V extends Values> {
  fields: ServerForm<V>['fields'];
  /** In page order. */
  shown: ServerForm<V>['rejected'];
}

/** Lists the errors of a form that is not completely in view. Each item names its field and links to it. */
export default function ErrorSummary<V extends Values>({ fields, shown }: Props<V>) {
  const { t } = useTranslation();
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={t('form.problems', { count: shown.length })}
    >
      <Stack component="ul" gap={4} m={0} ps={18} fz="sm">
        {shown.map(({ path, name, id }) => (
          <li key={path}>
            <Anchor
              href={`#${id}`}
              underline="always"
              onClick={(event) => {
                event.preventDefault();
                focusFirst(fields, [path]);
              }}
            >
              {name !== '' && `${name}: `}
              {fields.errors[path]}
            </Anchor>
          </li>
        ))}
      </Stack>
    </Alert>
  );
}
