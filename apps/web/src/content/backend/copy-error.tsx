import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { ErrorContent } from '#web/ui/error-content.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useRetryCopies } from './use-retry-copies.ts';

/** Why the copy of a record in the content backend is outdated, if it is. */
export function CopyError({ record: { name, error_content } }: { record: CopiedRecord }) {
  const { t } = useTranslation('clients');
  const retry = useRetryCopies();
  if ((error_content ?? '') === '') return null;
  return (
    <>
      <ErrorContent
        title={t('notSynced', { name })}
        message={error_content ?? ''}
        action={
          <PermittedButton
            permission={['update', 'Organization']}
            size="xs"
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t('sync.now')}
          </PermittedButton>
        }
      />
      <ActionError error={retry.error} />
    </>
  );
}

interface CopiedRecord {
  name: string;
  error_content: string | null;
}
