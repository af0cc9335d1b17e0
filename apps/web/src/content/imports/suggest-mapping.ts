import {
  guessConsentMeaning,
  plainHeading,
  type ConsentMeaning,
} from '@reachout/contract/rules/consent-column.ts';
import type { ColumnCells } from './new-fields.ts';

/**
 * Headings of the usual fields of contacts, in the order of preference, as Google, Outlook, Apple, Mailchimp, HubSpot, Brevo,
 * LinkedIn and Xing write them in English and German; in the form of `plainHeading`.
 */
const headings: Record<string, readonly string[]> = {
  email: [
    'email',
    'e_mail',
    'email_address',
    'e_mail_address',
    'e_mail_adresse',
    'email_adresse',
    'emailadresse',
    'mailadresse',
    'e_mail_1_value',
    'e_mail_1_wert',
    'email_1_value',
    'email_1',
    'e_mail_1',
    'e_mail_1_address',
    'primary_email',
    'email_primary',
    'contact_email',
    'subscriber_email',
    'subscriber',
    'mail',
    'e_mail_geschaftlich',
    'e_mail_arbeit',
    'email_work',
    'work_email',
    'business_email',
    'e_mail_privat',
    'email_home',
    'home_email',
    'private_email',
    'personal_email',
  ],
  first_name: [
    'first_name',
    'firstname',
    'fname',
    'given_name',
    'givenname',
    'forename',
    'vorname',
    'vornamen',
    'rufname',
    'first',
  ],
  last_name: [
    'last_name',
    'lastname',
    'lname',
    'surname',
    'family_name',
    'familyname',
    'nachname',
    'familienname',
    'zuname',
    'last',
    'name',
  ],
  country: [
    'country',
    'land',
    'country_code',
    'country_region',
    'land_region',
    'business_country_region',
    'business_country',
    'land_region_geschaftlich',
    'home_country_region',
    'home_country',
    'land_region_privat',
    'address_1_country',
    'adresse_1_land',
  ],
  city: [
    'city',
    'town',
    'ort',
    'stadt',
    'wohnort',
    'business_city',
    'ort_geschaftlich',
    'home_city',
    'ort_privat',
    'address_1_city',
    'adresse_1_ort',
    'adresse_1_stadt',
  ],
  company: [
    'company',
    'company_name',
    'firma',
    'firmenname',
    'unternehmen',
    'unternehmensname',
    'organisation',
    'organization',
    'organization_name',
    'organization_1_name',
    'organisation_1_name',
    'associated_company',
    'zugeordnetes_unternehmen',
    'current_company',
    'arbeitgeber',
  ],
  language: ['language', 'sprache', 'locale', 'preferred_language', 'bevorzugte_sprache'],
  phone: [
    'phone',
    'phone_number',
    'telefon',
    'telefonnummer',
    'telephone',
    'tel',
    'phone_1_value',
    'telefon_1_wert',
    'primary_phone',
    'haupttelefon',
    'business_phone',
    'telefon_geschaftlich',
    'mobile',
    'mobile_phone',
    'mobile_phone_number',
    'mobiltelefon',
    'mobil',
    'handy',
    'handynummer',
    'mobilnummer',
    'sms',
    'home_phone',
    'telefon_privat',
  ],
  birthday: ['birthday', 'geburtstag', 'date_of_birth', 'birth_date', 'birthdate', 'dob', 'geburtsdatum'],
  tags: ['tags', 'labels', 'schlagworter', 'kategorien', 'categories'],
  unsubscribed: ['unsubscribed', 'abgemeldet'],
};

/**
 * Suggests a field for each column; a field is suggested for one column only. A column of addresses is known by its cells, too.
 * @param columns  the cells of each column
 */
export function suggestMapping(
  header: readonly string[],
  columns: readonly ColumnCells[],
  fields: readonly string[],
): Record<string, string> {
  const plain = header.map(plainHeading);
  const free = new Set(header.flatMap((heading, index) => (heading === '' ? [] : [index])));
  const mapping: Record<string, string> = {};
  const [consent] = findConsentColumns(header, columns);
  for (const field of fields) {
    const named = [field, ...(headings[field] ?? [])].flatMap((name) =>
      [...free].filter((index) => plain[index] === name),
    );
    const index =
      field === 'email'
        ? findAddresses(named, [...free], columns)
        : field === 'unsubscribed'
          ? (named[0] ?? consent?.index)
          : named[0];
    if (index === undefined) continue;
    mapping[header[index]!] = field;
    free.delete(index);
  }
  return mapping;
}

/** A column that says who wants email. */
export interface ConsentColumn {
  index: number;
  heading: string;
  /** What “yes” means in it. */
  yesMeans: ConsentMeaning;
}

/** @param columns  the cells of each column */
export const findConsentColumns = (
  header: readonly string[],
  columns: readonly ColumnCells[],
): ConsentColumn[] =>
  header.flatMap((heading, index) => {
    const yesMeans = guessConsentMeaning(plainHeading(heading), columns[index]!.consents);
    return heading === '' || yesMeans === undefined ? [] : [{ index, heading, yesMeans }];
  });

/** Prefers columns by their headings, unless they have no addresses and others do. */
function findAddresses(
  named: readonly number[],
  all: readonly number[],
  columns: readonly ColumnCells[],
): number | undefined {
  const hasAny = (index: number) => columns[index]?.hasAddress === true;
  return named.find(hasAny) ?? all.find((index) => columns[index]?.isAddresses === true) ?? named[0];
}
