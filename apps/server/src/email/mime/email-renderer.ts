import { Context } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { escapeHtml } from '../liquid/escape-html.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import { createLiquidEngine, type LiquidEngine } from '../liquid/liquid-engine.ts';
import { checkAddress, checkHeaderValue, formatDate, formatMailbox, formatTextHeader } from './headers.ts';
import { alternativeHeaders, bodyEnd, htmlHead, textHead } from './mime-alternative.ts';
import { lineLimit, writeQuotedPrintable } from '../encoding/quoted-printable.ts';
import { RenderError } from '../liquid/render-error.ts';
import {
  createTemplatePart,
  isConditionMet,
  MessageBuffer,
  outputLimit,
  renderNodes,
  type Segment,
  type TemplatePart,
} from '../liquid/template-part.ts';
import { withTimeLimit } from '../liquid/time-limit.ts';
import type { TokenSigner } from '../links/tokens.ts';

export interface EmailRendererOptions {
  /** https origin (and optional path) of the tracking host, without a slash at the end. */
  publicUrl: string;
  signer: TokenSigner;
  sendNumber: number;
  /** Host that takes returned mail. Without it the envelope sender is the From address. */
  bounceDomain?: string;
  /** `listId` is the whole value, e.g. `"Brand" <b1.example.com>`. */
  headers: { feedbackId: string; listId: string };
}

export interface Recipient {
  /** 1-based number inside the send. */
  seq: number;
  contactId: string;
  /** As `parseAddress` returned it. */
  address: string;
  /** The contact's fields: `contact.*` in Liquid. */
  variables: Record<string, unknown>;
  /** False: plain destinations and no pixel. Default true. */
  tracked?: boolean;
}

export interface BuiltMessage {
  envelopeFrom: string;
  envelopeTo: string;
  /** With angle brackets, the same for every attempt. */
  messageId: string;
  /** Head and body, CRLF, 7 bit, no line starts with a dot, ends with CRLF. */
  message: Buffer;
  /** Tells the transport that nothing has to be made safe for SMTP any more. */
  isStrict: true;
  /** Where the body starts in `message`; the body is canonical under relaxed (RFC 6376 section 3.4.4). */
  bodyOffset: number;
}

export interface EmailRenderer {
  /** @throws RenderError when this recipient's data allow no message */
  build(recipient: Recipient, date: Date): BuiltMessage;
}

/** Milliseconds that rendering one message may take. */
const renderLimitMs = 500;

const head = `${alternativeHeaders}Precedence: bulk\r\nX-Auto-Response-Suppress: OOF, AutoReply\r\n`;

/**
 * Prepares a email snapshot for many messages: templates are parsed and their static text encoded here, once.
 * @throws RenderError `invalid_options`, `header_injection`; Error of Liquid
 */
export function createEmailRenderer(snapshot: EmailSnapshot, options: EmailRendererOptions): EmailRenderer {
  const { publicUrl, signer, sendNumber, bounceDomain } = options;
  if (!/^https?:\/\/[\w.:[\]-]+(?:\/[\w.~/-]*[\w~-])?$/.test(publicUrl)) {
    throw new RenderError(
      'invalid_options',
      'publicUrl must be an http(s) address without query and last slash.',
    );
  }
  if (bounceDomain !== undefined && !/^[a-z\d.-]{1,200}$/i.test(bounceDomain)) {
    throw new RenderError('invalid_options', 'bounceDomain must be a host name.');
  }
  const htmlEngine = createLiquidEngine('html', renderLimitMs);
  const plainEngine = createLiquidEngine('plain', renderLimitMs);
  const html = createTemplatePart(htmlEngine, snapshot.html);
  const text = createTemplatePart(plainEngine, snapshot.text);
  const subject = plainEngine.parse(snapshot.subject);
  const subjectPart = createTemplatePart(plainEngine, snapshot.subject);
  const targets = createLinkTargets(snapshot);
  // The link's number as it ends an address, with the soft break behind it.
  const linkNumbers = snapshot.links.map((_, index) => Buffer.from(`${index}=\r\n`));
  const shared = Object.assign(Object.create(null) as Record<string, unknown>, snapshot.context);
  const needsClock = html.needsClock || text.needsClock || subjectPart.needsClock;

  const fromDomain = snapshot.from_email.slice(snapshot.from_email.lastIndexOf('@') + 1);
  const replyTo = snapshot.reply_to === null ? '' : `Reply-To: ${checkAddress(snapshot.reply_to)}\r\n`;
  const fixedHead =
    `From: ${formatMailbox(snapshot.from_name, checkAddress(snapshot.from_email))}\r\n${replyTo}` +
    `List-Id: ${asciiHeader('List-Id', options.headers.listId)}\r\n` +
    `Feedback-ID: ${asciiHeader('Feedback-ID', options.headers.feedbackId)}\r\n` +
    `List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${head}`;
  const fixedSubject = subjectPart.segments.every((segment) => segment.kind === 'static')
    ? formatTextHeader('Subject', plainEngine.liquid.renderSync(subject, {}) as string)
    : undefined;

  const target = new MessageBuffer();
  const clickPrefix = Buffer.alloc(1024);

  function scopeOf(
    variables: Record<string, unknown>,
    linkScope: Record<string, string>,
  ): Record<string, unknown> {
    const scope = Object.assign(Object.create(null) as Record<string, unknown>, shared);
    scope['contact'] = variables;
    scope['links'] = linkScope;
    return scope;
  }

  function linkAddress(name: string, recipient: Recipient): string {
    const ref = { sendNumber, seq: recipient.seq };
    switch (name) {
      case 'unsubscribe':
        return `${publicUrl}/u/${signer.sign('unsubscribe', ref)}`;
      case 'preferences':
        return `${publicUrl}/p/${signer.sign('unsubscribe', ref)}`;
      case 'view_in_browser':
        return `${publicUrl}/v/${signer.sign('view', ref)}`;
      default:
        return '';
    }
  }

  function clickAddress(recipient: Recipient, linkNo: number, token: string): string {
    if (linkNumbers[linkNo] === undefined) return '';
    return recipient.tracked === false
      ? (targets.target(recipient.variables, linkNo) ?? '')
      : `${publicUrl}/t/c/${token}.${linkNo}`;
  }

  function nestedLinkScope(
    part: TemplatePart,
    recipient: Recipient,
    clickToken: string,
  ): Record<string, string> {
    const scope: Record<string, string> = {};
    for (const name of part.nestedLinks) {
      const linkNo = /^click_(\d{1,5})$/.exec(name)?.[1];
      scope[name] =
        linkNo === undefined
          ? linkAddress(name, recipient)
          : clickAddress(recipient, Number(linkNo), clickToken);
    }
    return scope;
  }

  function writePart(
    engine: LiquidEngine,
    part: TemplatePart,
    recipient: Recipient,
    clickToken: string,
  ): void {
    let context: Context | undefined;
    const getContext = () =>
      (context ??= new Context(
        scopeOf(recipient.variables, nestedLinkScope(part, recipient, clickToken)),
        engine.liquid.options,
        { sync: true },
      ));
    writeSegments(engine, part.segments, recipient, getContext);
  }

  function writeSegments(
    engine: LiquidEngine,
    segments: Segment[],
    recipient: Recipient,
    getContext: () => Context,
  ): void {
    const isHtml = engine === htmlEngine;
    for (const segment of segments) {
      switch (segment.kind) {
        case 'static':
          target.copy(segment.bytes);
          break;
        case 'slot':
          if (segment.name === 'click') writeClickAddress(segment.linkNo, recipient, isHtml);
          else if (segment.name === 'pixel') writePixel(recipient, isHtml);
          else target.quotedPrintable(linkAddress(segment.name, recipient));
          break;
        case 'field':
          writeField(engine, segment, recipient, getContext);
          break;
        case 'if': {
          const branch = segment.branches.find(({ condition }) => isConditionMet(condition, getContext()));
          writeSegments(engine, branch?.segments ?? segment.otherwise, recipient, getContext);
          break;
        }
        case 'liquid':
          target.quotedPrintable(renderNodes(engine, segment.nodes, getContext()));
      }
    }
  }

  function writeClickAddress(linkNo: number, recipient: Recipient, isHtml: boolean): void {
    const number = linkNumbers[linkNo];
    if (number === undefined) return;
    if (recipient.tracked === false) {
      const address = clickAddress(recipient, linkNo, '');
      target.quotedPrintable(isHtml ? escapeHtml(address) : address);
      return;
    }
    target.copyPart(clickPrefix, clickPrefixLength);
    if (clickPrefixColumn > lineLimit - 7) target.copy(softBreak);
    target.copy(number);
  }

  function writePixel(recipient: Recipient, isHtml: boolean): void {
    if (!isHtml || recipient.tracked === false) return;
    const token = signer.sign('open', { sendNumber, seq: recipient.seq });
    target.quotedPrintable(`<img src="${publicUrl}/t/o/${token}" width="1" height="1" alt="">`);
  }

  /** A short cut for what most personal templates consist of; anything but texts goes through Liquid. */
  function writeField(
    engine: LiquidEngine,
    { field, fallback, nodes }: Segment & { kind: 'field' },
    { variables }: Recipient,
    getContext: () => Context,
  ): void {
    const value = Object.hasOwn(variables, field) ? (variables[field] ?? '') : '';
    if (typeof value === 'string') {
      const printed = value === '' ? fallback : value;
      checkSize(printed);
      target.quotedPrintable(engine === htmlEngine ? escapeHtml(printed) : printed);
    } else {
      target.quotedPrintable(renderNodes(engine, nodes, getContext()));
    }
  }

  let clickPrefixLength = 0;
  let clickPrefixColumn = 0;

  function writeClickPrefix(token: string): void {
    clickPrefixLength = writeQuotedPrintable(`${publicUrl}/t/c/${token}.`, clickPrefix, 0, false);
    clickPrefixColumn = clickPrefixLength - 1 - clickPrefix.lastIndexOf(10, clickPrefixLength - 1);
  }

  function renderSubject(recipient: Recipient): string {
    if (fixedSubject !== undefined) return fixedSubject;
    const context = new Context(scopeOf(recipient.variables, {}), plainEngine.liquid.options, { sync: true });
    return formatTextHeader('Subject', renderNodes(plainEngine, subject, context));
  }

  function write(recipient: Recipient, date: Date): BuiltMessage {
    const { seq } = recipient;
    const ref = { sendNumber, seq };
    const address = checkAddress(recipient.address);
    const messageId = `<${signer.sign('message_id', ref)}@${fromDomain}>`;
    const clickToken = signer.sign('click', ref);
    const unsubscribe = signer.sign('unsubscribe', ref);
    const mailto = bounceDomain === undefined ? '' : `,\r\n <mailto:u+${unsubscribe}@${bounceDomain}>`;
    writeClickPrefix(clickToken);
    target.length = 0;
    target.ascii(
      `${fixedHead}To: ${address}\r\n${renderSubject(recipient)}Date: ${formatDate(date)}\r\n` +
        `Message-ID: ${messageId}\r\nList-Unsubscribe: <${publicUrl}/u/${unsubscribe}>${mailto}\r\n`,
    );
    // The blank line that ends the head belongs to `textHead`.
    const bodyOffset = target.length + 2;
    target.copy(textHead);
    writePart(plainEngine, text, recipient, clickToken);
    target.copy(htmlHead);
    writePart(htmlEngine, html, recipient, clickToken);
    target.copy(bodyEnd);
    if (target.length > messageLimit) throw new RenderError('too_large', 'The message is larger than 10 MB.');
    return {
      envelopeFrom:
        bounceDomain === undefined
          ? snapshot.from_email
          : `b.${signer.sign('return_path', ref)}@${bounceDomain}`,
      envelopeTo: address,
      messageId,
      message: Buffer.from(target.bytes.subarray(0, target.length)),
      isStrict: true,
      bodyOffset,
    };
  }

  return {
    build: (recipient, date) =>
      needsClock ? withTimeLimit(renderLimitMs, () => write(recipient, date)) : write(recipient, date),
  };
}

/** Bytes of one message: below what most mail servers accept. */
const messageLimit = 10_000_000;
const softBreak = Buffer.from('=\r\n');

function asciiHeader(name: string, value: string): string {
  if (/^[\u0020-\u007e]{1,500}$/.test(checkHeaderValue(name, value))) return value;
  throw new RenderError('invalid_options', `${name} must be 1 to 500 ASCII characters.`);
}

function checkSize(text: string): void {
  if (text.length > outputLimit)
    throw new RenderError('too_large', 'A contact field is too long to be printed.');
}
