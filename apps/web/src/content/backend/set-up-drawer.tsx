import { Alert, Button, Group, List, Stack, TagsInput, Text } from '@mantine/core';
import type { ContentBackend, SetUpStep } from '@reachout/contract/content-backend.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { isProblem, isRecord } from '#web/platform/problem.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { EndpointInput } from './endpoint-input.tsx';
import { RestingNotice } from './resting-notice.tsx';
import { useConnectionChecks } from './use-connection-checks.ts';

type Steps = readonly SetUpStep[];

interface Props {
  backend: ContentBackend;
  onClose: () => void;
}

/** Creates missing objects in a Directus, connects it, and reports what was created. */
export function SetUpDrawer({ backend, onClose }: Props) {
  const [created, setCreated] = useState<Steps>();
  return created === undefined ? (
    <SetUpForm backend={backend} onDone={setCreated} onClose={onClose} />
  ) : (
    <Report created={created} onClose={onClose} />
  );
}

function SetUpForm({ backend, onDone, onClose }: Props & { onDone: (created: Steps) => void }) {
  const { t } = useTranslation('backend');
  const { api, orgId } = useOrganization();
  const checks = useConnectionChecks();
  const setUp = useMutation(api.contentBackend.setUp.mutationOptions());
  const form = useRecordForm(boundsOf('contentBackend.setUp'), {
    fields: {
      endpoint: {
        input: EndpointInput,
        initial: backend.directus?.endpoint,
        missing: checks.endpoint('') ?? undefined,
      },
      admin_token: {
        label: t('adminToken'),
        hint: t('adminHint'),
        autoComplete: 'off',
        input: PasswordInput,
      },
      collections: {
        label: t('only'),
        hint: t('onlyHint'),
        input: TagsInput,
        inputProps: { maxTags: 200 },
      },
      can_write: { label: t('canWrite'), kind: 'checkbox' },
    },
    checks: { endpoint: checks.endpoint, admin_token: checks.token },
    save: async (values) => onDone((await setUp.mutateAsync({ id: orgId, ...values })).created),
  });
  return (
    <FormDrawer onClose={onClose} title={t('setUp')} form={form} submitLabel={t('setUp')}>
      <Text size="sm">{t('setUpIntro')}</Text>
      <RestingNotice backend={backend} />
      <RecordFields form={form} isFocused />
      <Unfinished created={stepsOf(form.error, 'created')} unfinished={stepsOf(form.error, 'unfinished')} />
    </FormDrawer>
  );
}

/** @returns the steps in the error of an interrupted setup */
function stepsOf(error: unknown, name: 'created' | 'unfinished'): Steps {
  const data = isProblem(error) ? error.extra['data'] : undefined;
  const steps = isRecord(data) ? data[name] : undefined;
  return Array.isArray(steps) ? (steps as Steps) : [];
}

/** The objects that an interrupted setup has created or may have created; shown above the reason. */
function Unfinished({ created, unfinished }: { created: Steps; unfinished: Steps }) {
  const { t } = useTranslation('backend');
  if (created.length + unfinished.length === 0) return null;
  return (
    <Alert color="yellow" role="status" title={t('unfinished.title')}>
      <Stack gap="xs">
        {created.length > 0 && <Text size="sm">{t('unfinished.created')}</Text>}
        <StepList steps={created} />
        {unfinished.length > 0 && <Text size="sm">{t('unfinished.unsure')}</Text>}
        <StepList steps={unfinished} />
        <Text size="sm">{t('unfinished.again')}</Text>
      </Stack>
    </Alert>
  );
}

function StepList({ steps }: { steps: Steps }) {
  const { t } = useTranslation('backend');
  if (steps.length === 0) return null;
  return (
    <List size="sm">
      {steps.map(({ kind, name }) => (
        <List.Item key={`${kind} ${name}`}>{t(`created.${kind}`, { name })}</List.Item>
      ))}
    </List>
  );
}

function Report({ created, onClose }: { created: Steps; onClose: () => void }) {
  const { t } = useTranslation(['backend', 'common']);
  return (
    <Dialog onClose={onClose} title={t('created.title')}>
      <Stack gap="md">
        {created.length === 0 && <Text>{t('created.none')}</Text>}
        <StepList steps={created} />
        <Group justify="flex-end">
          <Button variant="filled" data-autofocus onClick={onClose}>
            {t('words.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
