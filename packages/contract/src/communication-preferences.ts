import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { publicOperations, tooManyAttempts } from './operation.ts';
import { brandColors } from './rules/brand-colors.ts';
import { languages } from './rules/languages.ts';
import { unsubscribedScopes } from './statuses.ts';
import { id, timestamp } from './values.ts';

// What the recipients of an email choose about its brand, as on the page behind `links.preferences`. The token in that link is
// the permission. The rules: docs/consent.md

/** Maximum number of choices about topics in one request; more than a brand can have. */
const maxChoices = 100;

export const CommunicationPreferences = z.object({
  brand: z.object({ name: z.string(), logo_url: z.string().nullable(), color: z.enum(brandColors) }),
  /** Address of which only the first letter of the local part is shown. */
  masked_address: z.string(),
  /** The contact's language, or English. */
  language: z.enum(languages),
  /** In the order of the brand. */
  topics: z.array(z.object({ id, name: z.string(), description: z.string(), is_subscribed: z.boolean() })),
  unsubscribed_from: z.enum(unsubscribedScopes),
  /** Until when the brand sends nothing; null without a pause. */
  paused_until: timestamp.nullable(),
  /** Whether opens and clicks may be measured; null if the brand does not ask its recipients. */
  tracking: z.object({ is_allowed: z.boolean() }).nullable(),
  /**
   * False while something keeps emails from the address that its holder did not enter here or with a link: bounces,
   * complaints, and what the organization entered.
   */
  can_resubscribe: z.boolean(),
});
export type CommunicationPreferences = z.infer<typeof CommunicationPreferences>;

const token = z.string().min(1).max(100);
const forRecipients = publicOperations('Communication preferences');

/** `id` is the touchpoint of the message. */
export const communicationPreferences = {
  get: forRecipients(
    'GET /touchpoints/emails/communication_preferences/{id}',
    'What the recipient of a message gets from its brand',
  )
    .input({ id, token })
    .errors({ ...pickErrors('not_found'), ...tooManyAttempts })
    .output(CommunicationPreferences),
  /** Applied before the response. */
  update: forRecipients(
    'PUT /touchpoints/emails/communication_preferences/{id}',
    'Change what the recipient of a message gets from its brand',
    { bodyField: 'preferences' },
  )
    .input({
      id,
      /** Here or in the body; if in both, the same. */
      token: token.optional(),
      /** What is left out stays as it is. */
      preferences: z.strictObject({
        token: token.optional(),
        topics: z
          .array(z.strictObject({ id, is_subscribed: z.boolean() }))
          .max(maxChoices)
          .refine(
            (topics) => new Set(topics.map((topic) => topic.id.toLowerCase())).size === topics.length,
            'Two topics are the same.',
          )
          .optional(),
        /**
         * Resubscribing with `nothing` lifts only what the recipient entered here or with a link, and only for this brand:
         * what was entered for the organization stays for its other brands. `brand` after `organization` changes nothing.
         */
        unsubscribed_from: z.enum(unsubscribedScopes).optional(),
        /** True: for 30 days from now; false ends a pause. */
        pause: z.boolean().optional(),
        /** Ignored if the brand does not ask its recipients. */
        tracking_consent: z.boolean().optional(),
      }),
    })
    .errors({ ...pickErrors('not_found'), ...tooManyAttempts })
    .output(CommunicationPreferences),
};
