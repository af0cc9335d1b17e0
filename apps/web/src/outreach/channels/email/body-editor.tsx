import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadMailEditor } from '#web/content/editor/load-mail-editor.ts';
import { MailEditorSkeleton } from '#web/content/editor/mail-editor-skeleton.tsx';
import type { MailEditorHandle } from '#web/content/editor/mail-editor.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { client } from '#web/platform/api.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { previewQuery } from './preview-query.ts';
import { StartChoice, type Start } from './start-choice.tsx';
import type { EmailForm } from './use-email-form.ts';
import { useTagSources } from './use-tag-sources.ts';

const MailEditor = lazyPart(loadMailEditor, { fallback: <MailEditorSkeleton /> });

/** A field to focus; another count focuses it again. */
export interface FieldFocus {
  field: string;
  /** A line of the body. */
  line?: number | undefined;
  count: number;
}

/** The source of an email, with the ways to begin it anew and to keep it as a template. */
export function BodyEditor({ form, focus }: { form: EmailForm; focus: FieldFocus | undefined }) {
  const { t } = useTranslation(['touchpoints', 'templates']);
  const scope = useOrganization();
  const { api, orgId, can } = scope;
  const { touchpoint, canEdit } = useTouchpoint();
  const editor = useRef<MailEditorHandle>(null);
  const [dialog, setDialog] = useState<'start' | 'template'>();
  const [initial] = useState(form.values.mjml);
  const sources = useTagSources();
  const preview = useQuery(previewQuery(scope, touchpoint.id, { hasBody: form.hasBody }));
  const saveAsTemplate = useMutation(api.templates.create.mutationOptions());
  const isEmpty = form.values.mjml.trim() === '';
  const canKeep = !isEmpty && can('create', 'Template');
  // Decided once: what stands above the editor would move it under the caret.
  const [beganEmpty] = useState(isEmpty);
  const [hasStart, setHasStart] = useState(!beganEmpty);
  const start = (
    <Button size="xs" variant={hasStart ? 'default' : 'light'} onClick={() => setDialog('start')}>
      {t(hasStart ? 'design.startOver' : 'design.start')}
    </Button>
  );
  const line = focus?.field === 'mjml' ? (focus.line ?? 1) : undefined;
  useEffect(() => {
    if (focus?.field === 'mjml') editor.current?.goTo(focus.line ?? 1);
  }, [focus]);
  return (
    <Stack gap="xs">
      {canEdit && beganEmpty && (
        <Group gap="xs">
          {start}
          {!hasStart && <QuietText>{t('design.startHint')}</QuietText>}
        </Group>
      )}
      <MailEditor
        initial={initial}
        onChange={(mjml) => form.fields.setFieldValue('mjml', mjml)}
        problems={preview.data?.problems ?? []}
        brandId={touchpoint.brand.id}
        sources={sources}
        readOnly={!canEdit}
        startLine={line}
        handle={editor}
      />
      {canEdit && (!beganEmpty || canKeep) && (
        <Group gap="xs">
          {!beganEmpty && start}
          {canKeep && (
            <Button size="xs" onClick={() => setDialog('template')}>
              {t('design.saveAsTemplate')}
            </Button>
          )}
        </Group>
      )}
      <Input.Error>{form.fields.errors['mjml']}</Input.Error>
      {dialog === 'start' && (
        <StartOver
          form={form}
          onClose={() => setDialog(undefined)}
          onBody={(mjml) => {
            editor.current?.replace(mjml);
            setHasStart(true);
          }}
        />
      )}
      {dialog === 'template' && (
        <NameDrawer
          title={t('design.saveAsTemplate')}
          label={t('design.templateTitle')}
          initial={touchpoint.name}
          submitLabel={t('design.saveAsTemplate')}
          done={t('design.templateSaved')}
          onClose={() => setDialog(undefined)}
          submit={(title) =>
            saveAsTemplate.mutateAsync({
              organization_id: orgId,
              client_id: touchpoint.client.id,
              brand_id: touchpoint.brand.id,
              title,
              mjml: form.values.mjml,
            })
          }
        />
      )}
    </Stack>
  );
}

interface StartOverProps {
  form: EmailForm;
  onClose: () => void;
  /** Shows the new source, so that the editor can undo it. */
  onBody: (mjml: string) => void;
}

/** Begins or replaces the body with a template, a default template, or that of another email. */
function StartOver({ form, onClose, onBody }: StartOverProps) {
  const { t, i18n } = useTranslation(['touchpoints', 'common']);
  const { touchpoint } = useTouchpoint();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const [isFirst] = useState(form.values.mjml.trim() === '');
  const replace = useMutation({
    mutationFn: async (start: Start) => {
      const mjml = await form.startOver(
        start.kind === 'goal'
          ? { starter: start.starter, language }
          : start.kind === 'template'
            ? { template_id: start.id }
            : { mjml: (await client.touchpoints.getEmail({ id: start.id })).mjml, template_id: null },
      );
      if (mjml !== undefined) onBody(mjml);
    },
    onSuccess: onClose,
  });
  return (
    <Dialog size="xl" title={t(isFirst ? 'newEmail.startTitle' : 'design.startOver')} onClose={onClose}>
      <Text mb="md">{t(isFirst ? 'newEmail.startHint' : 'design.startOverHint')}</Text>
      <ActionError error={replace.error} title={t('common:error.saveFailed')} />
      <StartChoice
        brandId={touchpoint.brand.id}
        except={touchpoint.id}
        disabled={replace.isPending}
        onStart={(start) => replace.mutate(start)}
      />
    </Dialog>
  );
}
