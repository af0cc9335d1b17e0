import { pauseDays } from '@reachout/contract/rules/pauses.ts';
import { escapeHtml } from '../../email/liquid/escape-html.ts';
import { layOutPage } from '../public-pages/page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { fillHtml, fillText, type Values } from '../public-pages/page-texts.ts';
import { undoFields, type Button } from './preference-form.ts';
import { texts } from './preference-texts.ts';
import type { ChangedPreferences, ShownPreferences } from './preferences.ts';

type Text = (typeof texts)[Language];

/** What a section of the page is made with. */
interface Writer {
  shown: ShownPreferences;
  /** Unsubscribing from the brand is chosen beforehand, with a button of its own. */
  isLeaving: boolean;
  text: Text;
  /** @returns the text with its placeholders filled, as HTML */
  write: (template: string, more?: Values) => string;
  /** @returns a form of this page; `content` is HTML */
  form: (content: string) => string;
  dateOf: (at: string) => string;
}

const button = (change: Button, words: string, kind: 'main' | 'quiet' = 'quiet') =>
  `<button class="${kind}" name="change" value="${change}">${words}</button>`;
const section = (heading: string, content: string) => `<section><h2>${heading}</h2>${content}</section>`;

/**
 * The page behind `links.preferences` and `links.unsubscribe`. Works without scripts, cookies and other hosts.
 * @param token  in lower case
 * @param changed  what a form has just changed; undefined: the page was only opened
 * @param isLeaving  unsubscribing from the brand is chosen beforehand
 */
export function renderPreferencePage(
  language: Language,
  token: string,
  shown: ShownPreferences,
  {
    changed,
    isTest = false,
    isLeaving = false,
  }: { changed?: ChangedPreferences | undefined; isTest?: boolean; isLeaving?: boolean } = {},
): string {
  const text = texts[language];
  const values = { brand: shown.brand.name, organization: shown.organizationName, days: String(pauseDays) };
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const writer: Writer = {
    shown,
    isLeaving,
    text,
    write: (template, more = {}) => fillHtml(template, { ...values, ...more }),
    // Relative, so that it works under every host name of this installation.
    form: (content) => `<form method="post" action="../p/${token}?lang=${language}">${content}</form>`,
    dateOf: (at) => dates.format(new Date(at)),
  };
  const sections = [
    isTest ? `<p class="note">${writer.write(text.test)}</p>` : '',
    changed === undefined || isTest ? '' : confirmation(writer, changed),
    `<p class="address">${writer.write(text.address, { address: shown.maskedAddress })}</p>`,
    ...(shown.unsubscribedFrom === 'nothing'
      ? [
          isLeaving ? leavingForm(writer, `../u/${token}?lang=${language}`) : '',
          topicsSection(writer),
          pauseSection(writer),
          trackingSection(writer),
          unsubscribeSection(writer),
        ]
      : [leftSection(writer)]),
    dataSection(writer, `../p/${token}/data?lang=${language}`),
  ];
  const hasLeft = shown.unsubscribedFrom !== 'nothing';
  const title = isLeaving ? (hasLeft ? text.leftTitle : text.leaveTitle) : text.title;
  return layOutPage(language, fillText(title, values), sections.join(''), shown.brand);
}

/** Says what was changed, and offers to undo it. */
function confirmation({ text, write, form, dateOf }: Writer, { before, after }: ChangedPreferences): string {
  const sentences = [
    ...after.topics.flatMap(({ id, name, isSubscribed }) =>
      before.topics.some((topic) => topic.id === id && topic.isSubscribed !== isSubscribed)
        ? [write(isSubscribed ? text.topicChosen : text.topicDeclined, { topic: name })]
        : [],
    ),
    ...(before.pausedUntil === after.pausedUntil
      ? []
      : [
          after.pausedUntil === null
            ? write(text.pauseEnded)
            : write(text.paused, { date: dateOf(after.pausedUntil) }),
        ]),
    ...(before.unsubscribedFrom === after.unsubscribedFrom
      ? []
      : [write(text[`left_${after.unsubscribedFrom}`])]),
  ];
  if (before.isTrackingAllowed !== after.isTrackingAllowed)
    sentences.push(write(after.isTrackingAllowed === true ? text.trackingAllowed : text.trackingRefused));
  if (sentences.length === 0) return `<p role="status" class="note">${write(text.nothingChanged)}</p>`;
  const hidden = undoFields(before, after).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const undo = form(`${hidden.join('')}${button('undo', write(text.undo))}`);
  return `<div class="note"><div role="status"><strong>${write(text.changed)}</strong>${sentences.map((sentence) => `<p>${sentence}</p>`).join('')}</div>${undo}</div>`;
}

function topicsSection({ shown: { topics }, isLeaving, text, write, form }: Writer): string {
  if (topics.length === 0) return '';
  const boxes = topics.map(({ id, name, description, isSubscribed }) => {
    const hint = description === '' ? '' : `<span class="hint">${escapeHtml(description)}</span>`;
    return `<input type="hidden" name="shown" value="${id}"><label><input type="checkbox" name="topic" value="${id}"${isSubscribed ? ' checked' : ''}><span>${escapeHtml(name)}${hint}</span></label>`;
  });
  const legend = `<legend>${write(text.topicsHint)}</legend>`;
  return section(
    write(text.topics),
    form(
      `<fieldset>${legend}${boxes.join('')}</fieldset>${button('topics', write(text.saveTopics), isLeaving ? 'quiet' : 'main')}`,
    ),
  );
}

function pauseSection({ shown: { pausedUntil }, text, write, form, dateOf }: Writer): string {
  const content =
    pausedUntil === null
      ? `<p>${write(text.pauseHint)}</p>${form(button('pause', write(text.pauseNow)))}`
      : `<p>${write(text.paused, { date: dateOf(pausedUntil) })}</p>${form(button('end_pause', write(text.endPause)))}`;
  return section(write(text.pause), content);
}

function trackingSection({ shown: { isTrackingAllowed }, text, write, form }: Writer): string {
  if (isTrackingAllowed === null) return '';
  const content = isTrackingAllowed
    ? `<p>${write(text.trackingAllowed)}</p>${form(button('refuse_tracking', write(text.refuseTracking)))}`
    : `<p>${write(text.trackingRefused)}</p>${form(button('allow_tracking', write(text.allowTracking)))}`;
  return section(write(text.tracking), content);
}

/** Leads to the address of unsubscribing, which has no limit. @param action  relative */
const leavingForm = ({ text, write }: Writer, action: string): string =>
  `<form method="post" action="${action}"><button class="main" name="source" value="page">${write(text.leave)}</button></form>`;

function unsubscribeSection({ shown: { canResubscribe }, isLeaving, text, write, form }: Writer): string {
  // Only bounces are left here: everything else is shown as an opt-out.
  const bounced = canResubscribe ? '' : `<p>${write(text.undeliverable)}</p>`;
  const ofBrand = isLeaving ? '' : button('unsubscribe_brand', write(text.unsubscribeBrand));
  const ofAll = button('unsubscribe_organization', write(text.unsubscribeOrganization));
  return section(
    write(text.unsubscribe),
    `${bounced}<p>${write(text.unsubscribeHint)}</p>${form(`${ofBrand}${ofAll}`)}`,
  );
}

function leftSection({ shown: { unsubscribedFrom, canResubscribe }, text, write, form }: Writer): string {
  const state = `<p>${write(text[`left_${unsubscribedFrom}`])}</p>`;
  const back = canResubscribe ? button('resubscribe', write(text.resubscribe)) : '';
  const more =
    unsubscribedFrom === 'brand'
      ? button('unsubscribe_organization', write(text.unsubscribeOrganization))
      : '';
  const kept = canResubscribe ? '' : `<p>${write(text.kept)}</p>`;
  return section(
    write(text.subscription),
    `${state}${kept}${back + more === '' ? '' : form(`${back}${more}`)}`,
  );
}

/** Leads to what recipients can ask about their own data (operations/data-requests). */
const dataSection = ({ text, write }: Writer, address: string): string =>
  section(write(text.data), `<p><a href="${address}">${write(text.dataLink)}</a></p>`);
