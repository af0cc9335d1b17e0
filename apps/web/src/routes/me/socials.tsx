import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SocialList } from '#web/identity/contact-details/social-list.tsx';
import { api, client } from '#web/platform/api.ts';
import { preload } from '#web/platform/preload.ts';
import { MePage } from '#web/identity/account/me-page.tsx';

export const Route = createFileRoute('/me/socials')({
  loader: () =>
    preload(async () => [(await import('#web/platform/api.ts')).api.me.socials.list.queryOptions()]),
  component: Socials,
});

function Socials() {
  const { t } = useTranslation('account');
  return (
    <MePage title={t('entries.socials')} note={t('socials.note')}>
      <SocialList
        query={useQuery(api.me.socials.list.queryOptions())}
        purpose={t('socials.purpose')}
        operations={client.me.socials}
        owner="me"
      />
    </MePage>
  );
}
