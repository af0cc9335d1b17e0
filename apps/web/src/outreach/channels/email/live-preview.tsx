import { Paper, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { InboxLine } from './inbox-line.tsx';

interface Props {
  sender: string;
  subject: string;
  preheader: string;
  templateId: string | null;
}

/** The email as it would be with what is typed right now, saved or not. */
export function LivePreview({ sender, subject, preheader, templateId }: Props) {
  const { t } = useTranslation('touchpoints');
  const { api, orgId } = useOrganization();
  const [settled] = useDebouncedValue({ subject, preheader }, 500);
  const template = useQuery(
    api.templates.get.queryOptions({
      input: { organization_id: orgId, id: templateId ?? '' },
      enabled: templateId !== null,
    }),
  );
  const preview = useQuery(
    api.templates.preview.queryOptions({
      input: { organization_id: orgId, mjml: template.data?.mjml ?? '', ...settled },
      enabled: template.data !== undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const region = { what: t('design.preview'), skeleton: <PanelSkeleton height={680} /> };
  return (
    <div>
      <InboxLine sender={sender} subject={subject} preheader={preheader} />
      {templateId === null ? (
        <Paper withBorder p="xl">
          <Text c="dimmed" ta="center">
            {t('design.previewEmpty')}
          </Text>
        </Paper>
      ) : (
        <AsyncRegion query={template} {...region}>
          {() => (
            <AsyncRegion query={preview} {...region}>
              {(rendered) => (
                <>
                  <PreviewFrame
                    html={rendered.html}
                    text={rendered.text}
                    title={t('design.preview')}
                    busy={preview.isPlaceholderData}
                  />
                  {/* Nothing about empty merge tags without a contact: Preview and Review tell about real ones. */}
                  <ProblemList problems={rendered.problems} />
                </>
              )}
            </AsyncRegion>
          )}
        </AsyncRegion>
      )}
    </div>
  );
}
