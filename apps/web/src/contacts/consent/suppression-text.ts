import type { Resubscription, Suppression } from '@reachout/contract/consent.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';

/**
 * @returns a function that describes when and how a contact was suppressed: "Nov 20, 2026 · by the link in “Spring news”"
 */
export function useSuppressionText(): (suppression: Suppression) => string {
  const { t } = useTranslation('consent');
  const format = useFormat();
  const how = ({ source, touchpoint, by, import: imported }: Suppression): string => {
    const email = touchpoint?.name;
    switch (source) {
      case 'link':
        return email === undefined ? t('how.link') : t('how.linkIn', { email });
      case 'bounce':
        return email === undefined ? t('how.bounce') : t('how.bounceOf', { email });
      case 'complaint':
        return email === undefined ? t('how.complaint') : t('how.complaintOf', { email });
      case 'import': {
        if (imported === null) return t('how.import');
        const file = imported.file_name;
        return by === null ? t('how.importOf', { file }) : t('how.importBy', { file, name: by.full_name });
      }
      case 'office':
        return by === null ? t('how.office') : t('how.officeBy', { name: by.full_name });
      default:
        return t('how.contact');
    }
  };
  return (suppression) =>
    [
      suppression.at === null ? '' : format.dateTime(suppression.at),
      how(suppression),
      suppression.note === null ? '' : t('note', { note: suppression.note }),
    ]
      .filter((part) => part !== '')
      .join(' · ');
}

/** @returns a function that describes who resubscribed a contact, on what basis, and the previous state */
export function useResubscriptionText(): (resubscription: Resubscription) => string {
  const { t } = useTranslation(['consent', 'common']);
  const format = useFormat();
  return ({ at, by, basis, state, suppressed_at }) => {
    const date = format.date(at);
    const said =
      by === null
        ? t('resubscribedBySomeone', { date, basis })
        : t('resubscribed', { date, basis, name: by.full_name });
    return suppressed_at === null
      ? said
      : `${said} ${t('before', { state: t(`common:status.${state}`), date: format.date(suppressed_at) })}`;
  };
}
