import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { templateStarters, type TemplateStarter } from '@reachout/contract/templates.ts';
import type { TFunction } from 'i18next';
import type { Start } from '#web/outreach/channels/email/start-choice.tsx';

/** Default names until the user changes them. */
export const defaultNames = (
  t: TFunction<'touchpoints'>,
  start: Start,
  language: string,
  now = new Date(),
) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(now);
  const month = format({ month: 'long', year: 'numeric' });
  return {
    campaignNames: {
      plain: month,
      withBrand: (brand: string) => cutText(t('newEmail.campaignOf', { month, brand }), maxName),
    },
    emailName: nameOfEmail(t, start.kind === 'goal' ? start.starter : undefined, format),
  };
};

export const defaultEmailNames = (t: TFunction<'touchpoints'>, language: string, day: Date): string[] => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(day);
  return [undefined, ...templateStarters].map((starter) => nameOfEmail(t, starter, format));
};

const nameOfEmail = (
  t: TFunction<'touchpoints'>,
  starter: TemplateStarter | undefined,
  format: (options: Intl.DateTimeFormatOptions) => string,
): string =>
  t('newEmail.nameOf', {
    what: starter === undefined ? t('words.email') : t(`newEmail.goal.${starter}.title`),
    date: format({ day: 'numeric', month: 'long' }),
  });

/** Maximum length of a name. */
const maxName = 120;

/**
 * An email with a default name is called by its subject, as long as nobody names it otherwise.
 * @param before  the subject until now
 * @returns the name to give it now; undefined to leave it
 */
export function nameBySubject(
  name: string,
  { defaults, before, subject }: { defaults: readonly string[]; before: string; subject: string },
): string | undefined {
  const next = toName(subject);
  if (next === '' || next === name) return undefined;
  return defaults.includes(name) || name === toName(before) ? next : undefined;
}

/** Without merge tags, which have no value in a name, and without the punctuation that only they need. */
const toName = (subject: string): string =>
  cutText(
    subject
      .replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ (?=[,;:.!?])/g, '')
      .replaceAll(/^[\s,;:.!?–-]+|[\s,;:–-]+$/g, '')
      .trim(),
    maxName,
  ).trim();

/**
 * Chooses the campaign of a brand by its name, or a name for a new one that no other brand uses.
 * @param names  the plain name, and the one with the brand
 */
export function chooseCampaign(
  known: readonly Pick<Campaign, 'id' | 'brand_id' | 'name' | 'status'>[],
  brandId: string,
  names: readonly [plain: string, withBrand: string],
): { id: string } | { name: string } {
  const own = known.find(
    ({ brand_id, name, status }) => brand_id === brandId && names.includes(name) && status !== 'archived',
  );
  if (own) return { id: own.id };
  const isTaken = known.some(({ brand_id, name }) => brand_id !== brandId && name === names[0]);
  return { name: names[isTaken ? 1 : 0] };
}
