import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownAction } from '#web/identity/lists/record-actions.tsx';

interface NameProps {
  apiKey: { name: string; prefix: string };
  children?: ReactNode;
}

/** The name of a key, with its start, by which its owner recognizes it. */
export function ApiKeyName({ apiKey: { name, prefix }, children }: NameProps) {
  return (
    <div className="break">
      {name}
      <div>
        <Code>{prefix}…</Code>
      </div>
      {children}
    </div>
  );
}

export function useRevocation(): ShownAction<{ name: string }> {
  const { t } = useTranslation('settings');
  return {
    label: t('keys.revoke'),
    isDestructive: true,
    question: ({ name }) => ({ title: t('keys.revokeQuestion', { name }), body: t('keys.revokeEffect') }),
    done: t('keys.revoked'),
  };
}
