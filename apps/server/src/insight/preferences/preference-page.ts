import { pauseDays } from '@reachout/contract/rules/pauses.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { button, checkbox, form, hidden, markup, type Content, type Html } from '../public-pages/markup.ts';
import type { PublicPage } from '../public-pages/page-layout.ts';
import { textsIn } from '../public-pages/page-texts.ts';
import { undoFields, type Button } from './preference-form.ts';
import { texts } from './preference-texts.ts';
import type { ShownPreferences } from './preferences.ts';

/** What the page shows. `before`: a form was sent; what differs from it was changed. */
export interface ShownChange {
  before?: ShownPreferences;
  after: ShownPreferences;
}

/** What a section of the page is made with. */
interface Writer {
  shown: ShownPreferences;
  /** Unsubscribing from the brand is chosen beforehand, with a button of its own. */
  isLeaving: boolean;
  text: ReturnType<typeof textsIn<keyof (typeof texts)['en']>>;
  /** A form of this page. */
  send: (content: Content) => Html;
  press: (change: Button, look?: 'main' | 'quiet') => Html;
  dateOf: (at: string) => string;
}

const section = (heading: string, content: Content): Html =>
  markup`<section><h2>${heading}</h2>${content}</section>`;

/**
 * The page behind `links.preferences` and `links.unsubscribe`.
 * @param token  in lower case
 */
export function preferencePage(
  language: Language,
  token: string,
  { before, after: shown }: ShownChange,
  { isTest, isLeaving }: { isTest: boolean } & Pick<Writer, 'isLeaving'>,
): PublicPage {
  const { brand, organizationName: organization, maskedAddress: address, unsubscribedFrom } = shown;
  const text = textsIn(texts, language, {
    brand: brand.name,
    organization,
    address,
    days: String(pauseDays),
  });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const writer: Writer = {
    shown,
    isLeaving,
    text,
    send: (content) => form(language, content, `../p/${token}`),
    press: (change, look = 'quiet') => button(look, text(`change_${change}`), ['change', change]),
    dateOf: (at) => dates.format(new Date(at)),
  };
  const hasLeft = unsubscribedFrom !== 'nothing';
  // The address of unsubscribing has no limit.
  const leave = form(language, button('main', text('leave'), ['source', 'page']), `../u/${token}`);
  const sections = [
    isLeaving && leave,
    topicsSection(writer),
    pauseSection(writer),
    trackingSection(writer),
    unsubscribeSection(writer),
  ];
  // What recipients can ask about their own data (operations/data-requests).
  const data = markup`<p><a href="../p/${token}/data?lang=${language}">${text('dataLink')}</a></p>`;
  return {
    title: text(isLeaving ? (hasLeft ? 'leftTitle' : 'leaveTitle') : 'title'),
    brand,
    content: [
      isTest && markup`<p class="note">${text('test')}</p>`,
      before && !isTest && confirmation(writer, before),
      markup`<p class="address">${text('addressLine')}</p>`,
      hasLeft ? leftSection(writer) : sections,
      section(text('data'), data),
    ],
  };
}

/** Says what was changed, and offers to undo it. */
function confirmation({ shown: after, text, send, press, dateOf }: Writer, before: ShownPreferences): Html {
  const sentences = after.topics.flatMap(({ id, name, isSubscribed }) =>
    before.topics.some((topic) => topic.id === id && topic.isSubscribed !== isSubscribed)
      ? [text(isSubscribed ? 'topicChosen' : 'topicDeclined', { topic: name })]
      : [],
  );
  const { pausedUntil, unsubscribedFrom, isTrackingAllowed } = after;
  if (before.pausedUntil !== pausedUntil)
    sentences.push(pausedUntil === null ? text('pauseEnded') : text('paused', { date: dateOf(pausedUntil) }));
  if (before.unsubscribedFrom !== unsubscribedFrom) sentences.push(text(`left_${unsubscribedFrom}`));
  if (before.isTrackingAllowed !== isTrackingAllowed)
    sentences.push(text(isTrackingAllowed === true ? 'measured' : 'trackingRefused'));
  if (sentences.length === 0) return markup`<p role="status" class="note">${text('nothingChanged')}</p>`;
  const fields = undoFields(before, after).map(([name, value]) => hidden(name, value));
  return markup`
    <div class="note">
      <div role="status">
        <strong>${text('changed')}</strong>
        ${sentences.map((sentence) => markup`<p>${sentence}</p>`)}
      </div>
      ${send([fields, press('undo')])}
    </div>`;
}

function topicsSection({ shown: { topics }, isLeaving, text, send, press }: Writer): Content {
  if (topics.length === 0) return undefined;
  const boxes = topics.map(({ id, name, description, isSubscribed }) => [
    hidden('shown', id),
    checkbox(markup`name="topic" value="${id}"`, isSubscribed, name, description),
  ]);
  const choice = markup`<fieldset><legend>${text('topicsHint')}</legend>${boxes}</fieldset>`;
  return section(text('topics'), send([choice, press('topics', isLeaving ? 'quiet' : 'main')]));
}

function pauseSection({ shown: { pausedUntil }, text, send, press, dateOf }: Writer): Html {
  const state = pausedUntil === null ? text('pauseHint') : text('paused', { date: dateOf(pausedUntil) });
  const change = press(pausedUntil === null ? 'pause' : 'end_pause');
  return section(text('pause'), markup`<p>${state}</p>${send(change)}`);
}

function trackingSection({ shown: { isTrackingAllowed }, text, send, press }: Writer): Content {
  if (isTrackingAllowed === null) return undefined;
  const state = text(isTrackingAllowed ? 'measured' : 'trackingRefused');
  const change = press(isTrackingAllowed ? 'refuse_tracking' : 'allow_tracking');
  return section(text('tracking'), markup`<p>${state}</p>${send(change)}`);
}

const unsubscribeSection = ({ shown: { canResubscribe }, isLeaving, text, send, press }: Writer): Html =>
  section(text('unsubscribe'), [
    // Only bounces are left here: everything else is shown as an opt-out.
    !canResubscribe && markup`<p>${text('undeliverable')}</p>`,
    markup`<p>${text('unsubscribeHint')}</p>`,
    send([!isLeaving && press('unsubscribe_brand'), press('unsubscribe_organization')]),
  ]);

function leftSection({ shown: { unsubscribedFrom, canResubscribe }, text, send, press }: Writer): Html {
  const isOfBrand = unsubscribedFrom === 'brand';
  return section(text('subscription'), [
    markup`<p>${text(`left_${unsubscribedFrom}`)}</p>`,
    !canResubscribe && markup`<p>${text('kept')}</p>`,
    (canResubscribe || isOfBrand) &&
      send([canResubscribe && press('resubscribe'), isOfBrand && press('unsubscribe_organization')]),
  ]);
}
