import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import type { TrackingPolicy } from '@reachout/contract/statuses.ts';
import type { StarterLanguage } from '@reachout/contract/templates.ts';

export const clientKeys = ['nordwind', 'solara', 'morrow'] as const;
export type ClientKey = (typeof clientKeys)[number];

/** Also used as contact tags that audiences select by, and as image names; none is a substring of another. */
export const brandKeys = ['nordwind', 'kids', 'solara', 'business', 'morrow', 'academy'] as const;
export type BrandKey = (typeof brandKeys)[number];

export interface BrandPlot {
  client: ClientKey;
  color: BrandColor;
  /** Domain reserved for examples (RFC 2606), so that no message reaches a real person. */
  domain: string;
  tracking: TrackingPolicy;
  /** Current number of contacts in the audience. */
  audience: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Hour of the day in UTC. */
  hour: number;
  everyDays: number;
  /** Days before now without a send. */
  quietDays: number;
  months: number;
  /** Share of delivered messages that people open; `clickRate`: share of opened messages that people click. */
  openRate: number;
  clickRate: number;
}

export const plots: Readonly<Record<BrandKey, BrandPlot>> = {
  nordwind: {
    client: 'nordwind',
    color: 'green',
    domain: 'nordwind.example',
    tracking: 'everyone',
    audience: 420,
    weekday: 2,
    hour: 8,
    everyDays: 14,
    quietDays: 0,
    months: 14,
    openRate: 0.42,
    clickRate: 0.17,
  },
  kids: {
    client: 'nordwind',
    color: 'orange',
    domain: 'nordwind-kids.example',
    tracking: 'nobody',
    audience: 190,
    weekday: 4,
    hour: 14,
    everyDays: 56,
    quietDays: 9,
    months: 14,
    openRate: 0.47,
    clickRate: 0.2,
  },
  solara: {
    client: 'solara',
    color: 'blue',
    domain: 'solara.example',
    tracking: 'everyone',
    audience: 310,
    weekday: 3,
    hour: 9,
    everyDays: 28,
    quietDays: 5,
    months: 13,
    openRate: 0.36,
    clickRate: 0.12,
  },
  business: {
    client: 'solara',
    color: 'slate',
    domain: 'solara-business.example',
    tracking: 'with_consent',
    audience: 130,
    weekday: 2,
    hour: 7,
    everyDays: 42,
    quietDays: 16,
    months: 12,
    openRate: 0.31,
    clickRate: 0.15,
  },
  morrow: {
    client: 'morrow',
    color: 'red',
    domain: 'morrow-coffee.example',
    tracking: 'everyone',
    audience: 360,
    weekday: 4,
    hour: 7,
    everyDays: 14,
    quietDays: 2,
    months: 9,
    openRate: 0.45,
    clickRate: 0.19,
  },
  academy: {
    client: 'morrow',
    color: 'violet',
    domain: 'morrow-academy.example',
    tracking: 'everyone',
    audience: 140,
    weekday: 3,
    hour: 15,
    everyDays: 42,
    quietDays: 12,
    months: 7,
    openRate: 0.53,
    clickRate: 0.24,
  },
};

/** The topic of an email: its subject and its first sentence. */
export type Topic = readonly [subject: string, text: string];

export interface BrandText {
  name: string;
  postal_address: string;
  audience: string;
  template: string;
  /** One per season, from winter to autumn; the year is appended. */
  campaigns: readonly [winter: string, spring: string, summer: string, autumn: string];
  /** The second paragraph of each email. */
  about: string;
  button: string;
  /** Below the button, side by side. */
  more: readonly [title: string, text: string, slug: string][];
  /** One per month, or one per two months. */
  topics: readonly Topic[];
  /** What recipients choose among; the last one goes only to those who have subscribed. */
  preferences?: readonly (readonly [name: string, description: string])[];
}

type WebPage = readonly [path: string, title: string];

export interface Story {
  language: StarterLanguage;
  organization: string;
  person: string;
  clients: Readonly<Record<ClientKey, string>>;
  brands: Readonly<Record<BrandKey, BrandText>>;
  audiences: { vip: string; region: string; recent: string };
  /** Of the first brand. */
  website: {
    campaign: string;
    name: string;
    /** The most visited ones first. */
    pages: readonly WebPage[];
    /** Where an order, and a sign-up for the newsletter, is made. */
    order: WebPage;
    signUp: WebPage;
  };
  /** Why a member has subscribed a contact to a topic. */
  basis: string;
  /** The sign-up form on that website; `waiting` is an address that has not confirmed. */
  signUps: { name: string; title: string; consent_text: string; first_name: string; waiting: string };
  /** Issues that are being written; the first is shown to the client by a link. */
  issues: readonly { title: string; subject: string; teaser: string; content: string }[];
  hello: string;
  vip: string;
  /** Subject of the second email of a topic. */
  reminder: (subject: string) => string;
  draft: string;
  /** Confirms an order. */
  onRequest: Topic;
  /** Of the email that people get a week after they clicked. */
  followUp: Topic;
  firstNames: readonly string[];
  lastNames: readonly string[];
  places: readonly (readonly [country: string, city: string, language: string])[];
}
