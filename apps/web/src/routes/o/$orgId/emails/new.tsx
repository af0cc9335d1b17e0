import { createFileRoute } from '@tanstack/react-router';
import { loadTouchpointTexts } from '#web/i18n/i18n.ts';
import { NewEmail } from '#web/outreach/new-email/new-email.tsx';
import { checked, compact, readUuid } from '#web/platform/list-search.ts';

interface Search {
  brand?: string;
  campaign?: string;
}

export const Route = createFileRoute('/o/$orgId/emails/new')({
  beforeLoad: loadTouchpointTexts,
  validateSearch: checked((raw): Search =>
    compact({ brand: readUuid(raw['brand']), campaign: readUuid(raw['campaign']) }),
  ),
  component: NewEmailPage,
});

/** What a new email begins with. Once its draft exists, it is written on the page of the draft. */
function NewEmailPage() {
  const { orgId } = Route.useParams();
  const { brand, campaign } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <NewEmail
      brandId={brand}
      campaignId={campaign}
      onBrand={(id) => void navigate({ search: (before) => ({ ...before, brand: id }), replace: true })}
      onDraft={(touchpointId) =>
        void navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/email',
          params: { orgId, touchpointId },
          replace: true,
        })
      }
    />
  );
}
