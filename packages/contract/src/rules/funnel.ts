import type { EmailStats, Funnel } from '../statistics.ts';

/** From delivered messages to those that led to a conversion, with the conversions and the sum of their values beside. */
export const funnelColumns = [
  'delivered',
  'not_measured',
  'clicked',
  'visited',
  'converted',
  'conversions',
  'conversion_value',
] as const satisfies readonly (keyof Funnel)[];

/** @returns the funnel of an email: its steps are numbers of messages, so that a message with several clicks is one */
export const toFunnel = ({
  delivered,
  not_measured,
  clicked,
  visited,
  converted,
  conversions,
  conversion_value,
}: EmailStats): Funnel => ({
  delivered,
  not_measured,
  clicked: clicked.unique,
  visited,
  converted,
  conversions,
  conversion_value,
});
