/**
 * Why events of a website were not stored: their page is on another host, the website is not active, too many came at a
 * time or on one day, or they are not what the endpoint describes.
 */
export const dropReasons = ['host', 'inactive', 'limit', 'quota', 'invalid'] as const;
export type DropReason = (typeof dropReasons)[number];

/** What visitors of a website do. */
export const visitorEventTypes = ['VIEW_PAGE', 'IDENTIFY', 'TRACK'] as const;
export type VisitorEventType = (typeof visitorEventTypes)[number];

/** By what page views, sessions and events of a website are broken down. */
export const websiteDimensions = [
  'path',
  'host',
  'referrer',
  'country',
  'language',
  'screen',
  'event',
] as const;
export type WebsiteDimension = (typeof websiteDimensions)[number];

/** Whether sessions have the dimension, too: pages, their hosts and events belong to single events. */
export const hasSessions = (dimension: WebsiteDimension): boolean =>
  dimension !== 'path' && dimension !== 'host' && dimension !== 'event';
