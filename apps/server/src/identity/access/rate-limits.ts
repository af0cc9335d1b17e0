import type {
  Attempt as AttemptOf,
  RateLimit,
  RateLimits as RateLimitsOf,
} from '../../platform/rate-limits/rate-limits.ts';

/** Invitations are counted in the transaction that creates them (invitations/invitation-limits.ts). */
export const limits = {
  failed_sign_ins_of_account: { points: 10, duration: 15 * 60 },
  /** Per trusted device, which signed in to this account before; replaces the three other limits. */
  failed_sign_ins_of_trusted_device: { points: 10, duration: 15 * 60 },
  failed_sign_ins_of_ip_prefix: { points: 50, duration: 15 * 60, sitePoints: 200 },
  failed_sign_ins: { points: 1_000, duration: 60 },
  sign_ins_of_account: { points: 30, duration: 60 * 60 },
  provider_sign_ins_of_ip_prefix: { points: 60, duration: 15 * 60, sitePoints: 240 },
  passkey_sign_ins_of_ip_prefix: { points: 60, duration: 15 * 60, sitePoints: 240 },
  wrong_codes_of_ip_prefix: { points: 50, duration: 15 * 60, sitePoints: 200 },
  wrong_second_factors_of_account: { points: 10, duration: 15 * 60 },
  /** A code has only six digits: at this rate, guessing one takes about a century. */
  wrong_second_factors_of_account_in_a_day: { points: 30, duration: 24 * 60 * 60 },
  wrong_second_factors_of_trusted_device: { points: 10, duration: 15 * 60 },
  wrong_second_factors_of_trusted_devices_in_a_day: { points: 60, duration: 24 * 60 * 60 },
  /** Per purpose. */
  mails_to_address: { points: 5, duration: 60 * 60 },
  mails_for_ip_prefix: { points: 20, duration: 60 * 60, sitePoints: 80 },
  /** Mails that ask to confirm a sign-up for mail of a brand: docs/consent.md */
  sign_ups_of_ip_prefix: { points: 200, duration: 60 * 60, sitePoints: 800 },
  /** Per form and network. The setting of the installation, or the form itself, says how many of these. */
  sign_ups_of_form_by_ip_prefix: { points: 10_000, duration: 60 * 60, sitePoints: 40_000 },
  /** Of all sign-ups by a form, so that nobody closes it for the others; a setting replaces the number. */
  sign_ups_of_form_by_ip_prefix_in_a_day: { points: 500, duration: 24 * 60 * 60, sitePoints: 500 },
  /** Per form; a setting replaces the number. */
  sign_ups_of_form: { points: 1_000, duration: 24 * 60 * 60 },
  /** Of all its forms; five times that of a form. */
  sign_ups_of_organization: { points: 5_000, duration: 24 * 60 * 60 },
  /** Per organization and address. */
  sign_up_emails_to_address_of_organization_lately: { points: 1, duration: 5 * 60 },
  sign_up_emails_to_address_of_organization: { points: 3, duration: 24 * 60 * 60 },
  sign_up_emails_to_address: { points: 5, duration: 24 * 60 * 60 },
  wrong_current_passwords: { points: 10, duration: 15 * 60 },
  /** Per share of an item. */
  share_passwords: { points: 10, duration: 15 * 60 },
  /** By recipients. Unsubscribing by the link in a message is not limited. */
  preference_changes_of_address: { points: 60, duration: 60 * 60 },
  preference_changes_of_ip_prefix: { points: 600, duration: 60 * 60, sitePoints: 2_400 },
  /** Of one organization and kind: each sends an email to the address. */
  data_requests_of_address: { points: 3, duration: 24 * 60 * 60 },
  organizations_of_person: { points: 10, duration: 24 * 60 * 60 },
} as const satisfies Record<string, RateLimit>;

type LimitName = keyof typeof limits;
export type Attempt = AttemptOf<LimitName>;
export type RateLimits = RateLimitsOf<LimitName>;
