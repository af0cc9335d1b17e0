import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Button, CopyButton, Group } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './domains.module.css';

interface Props {
  label: string;
  /** Copied exactly. */
  value: string;
  /** The same value as other providers expect it. */
  splitValue?: string | undefined;
  hint?: string | undefined;
}

/** A value of a record, with a button that copies it. */
export function CopyValue({ label, value, splitValue, hint }: Props) {
  const { t } = useTranslation('domains');
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className={classes.words}>
          <span className={classes.value}>{value}</span>
          {hint !== undefined && <span className={classes.hint}>{hint}</span>}
        </span>
        <Group gap={6}>
          <Copy text={value} label={t('copy')} what={`${label} ${value}`} />
          {splitValue !== undefined && (
            <Copy text={splitValue} label={t('copySplit')} what={`${label} ${splitValue}`} />
          )}
        </Group>
      </dd>
    </div>
  );
}

/** Characters of a value in the name of its button. */
const maxNamed = 60;

function Copy({ text, label, what }: { text: string; label: string; what: string }) {
  const { t } = useTranslation('domains');
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => {
        const word = copied ? t('copied') : label;
        return (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconCopy size={14} stroke={1.75} />}
            aria-label={`${word}: ${cutText(what, maxNamed)}`}
            onClick={copy}
          >
            {word}
          </Button>
        );
      }}
    </CopyButton>
  );
}
