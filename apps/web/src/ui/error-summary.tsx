import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './error-summary.module.css';
import { focusFirst, type ServerForm, type Values } from './use-server-form.ts';

/** With fewer, all of them are in sight. */
const leastErrors = 3;

/** From three errors on, a list in the order of the fields. Each item names its field and leads to it. */
export function ErrorSummary<V extends Values>({ form: { fields, rejected } }: { form: ServerForm<V> }) {
  const { t } = useTranslation();
  const shown = rejected.filter(({ path }) => fields.errors[path] !== undefined);
  if (shown.length < leastErrors) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      title={t('form.problems', { count: shown.length })}
    >
      <ul className={classes.list}>
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
      </ul>
    </Alert>
  );
}
