import type { Website } from '@reachout/contract/websites.ts';

export const snippetKinds = ['html', 'gtm', 'react', 'vue', 'next', 'npm'] as const;
export type SnippetKind = (typeof snippetKinds)[number];

/** Kinds whose snippet is a script tag, where the others import the package. */
const tagKinds: readonly SnippetKind[] = ['html', 'gtm', 'next'];

type Installed = Pick<Website, 'id' | 'token' | 'tracker_url'>;

/** The origin that the tracking client is loaded from, and sends to. */
export const originOf = ({ tracker_url }: Installed): string => new URL(tracker_url).origin;

/** What a website needs to send events, by how it is built. */
export function snippetOf(kind: SnippetKind, website: Installed): string {
  const { id, token, tracker_url } = website;
  const npm = `import { createTracker } from '@reachout/tracker';

export const tracker = createTracker({
  url: '${originOf(website)}',
  websiteId: '${id}',
  token: '${token}',
});`;
  switch (kind) {
    case 'html':
      return `<script async src="${tracker_url}" data-website-id="${id}" data-token="${token}"></script>`;
    // It removes attributes that it does not know from script tags.
    case 'gtm':
      return `<script>
  var script = document.createElement('script');
  script.async = true;
  script.src = '${tracker_url}';
  script.dataset.websiteId = '${id}';
  script.dataset.token = '${token}';
  document.head.appendChild(script);
</script>`;
    case 'next':
      return `import Script from 'next/script';

// Within <body>:
<Script src="${tracker_url}" data-website-id="${id}" data-token="${token}" />`;
    default:
      return npm;
  }
}

/** What to add where visitors must agree first: to the snippet, and for when they did. */
export function consentOf(kind: SnippetKind): [option: string, call: string] {
  if (!tagKinds.includes(kind)) return [`consent: 'required',`, 'tracker.setConsent(true);'];
  const option = kind === 'gtm' ? `script.dataset.consent = 'required';` : 'data-consent="required"';
  return [option, `(window.reachout ||= []).push(['setConsent', true]);`];
}

export const policyOf = (website: Installed): string =>
  `script-src ${originOf(website)}; connect-src ${originOf(website)}`;
