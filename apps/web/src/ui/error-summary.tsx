import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './error-summary.module.css';
import { focusFirst, inOrder, type ServerForm, type Values } from './use-server-form.ts';

/** With fewer, all of them are in sight. */
const leastErrors = 3;

interface Item {
  path: string;
  /** What the field is called on the page. */
  name: string;
  /** Of its input. */
  id: string;
}

/** From three errors on, a list in the order of the fields. Each item names its field and leads to it. */
export function ErrorSummary<V extends Values>({ form: { fields } }: { form: ServerForm<V> }) {
  const { t } = useTranslation();
  const { errors } = fields;
  const [items, setItems] = useState<readonly Item[]>([]);
  const count = Object.keys(errors).length;
  // The names are those of the labels, which are on the page and nowhere else.
  const readNames = useEffectEvent((paths: readonly string[]) => {
    const found = inOrder(paths.map((path) => ({ path, node: fields.getInputNode(path as never) })));
    setItems(found.map(({ path, node }) => ({ path, name: nameOf(node), id: node?.id ?? '' })));
  });
  useLayoutEffect(() => readNames(Object.keys(errors)), [errors]);
  if (count < leastErrors) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      title={t('form.problems', { count })}
    >
      <ul className={classes.list}>
        {items
          .filter(({ path }) => errors[path] !== undefined)
          .map(({ path, name, id }) => (
            <li key={path}>
              <Anchor
                href={`#${id}`}
                underline="always"
                onClick={(event) => {
                  event.preventDefault();
                  focusFirst(fields, [path]);
                }}
              >
                {name === '' ? errors[path] : `${name}: ${String(errors[path])}`}
              </Anchor>
            </li>
          ))}
      </ul>
    </Alert>
  );
}

const nameOf = (field: HTMLElement | null): string =>
  field?.closest('.mantine-InputWrapper-root')?.querySelector('.mantine-InputWrapper-label')?.textContent ??
  '';
