import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Box, Button, CopyButton, Group } from '@mantine/core';
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
        <Box component="span" flex="1 1 9rem" miw={0}>
          <span className={classes.value}>{value}</span>
          {hint !== undefined && (
            <Box component="span" display="block" fz="xs" c="dimmed">
              {hint}
            </Box>
          )}
        </Box>
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
        const word = copied ? t('actions.copied') : label;
        return (
          <Button
            size="compact-sm"
            leftSection={<IconCopy size={14} />}
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
