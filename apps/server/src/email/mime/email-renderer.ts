import type { Template } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { createLiquidEngine } from '../liquid/liquid-engine.ts';
import { BodyWriter } from './body-writer.ts';
import { checkAddress, formatDate, formatMailbox, formatTextHeader } from './headers.ts';
import { alternativeHeaders, bodyEnd, htmlHead, textHead } from './mime-alternative.ts';
import { RenderError } from '../liquid/render-error.ts';
import { quotedPrintable } from '../encoding/quoted-printable.ts';
import { createTemplatePart, renderNodes, type TemplatePart } from '../liquid/template-part.ts';
import { withTimeLimit } from '../liquid/time-limit.ts';
import { createLinkTargets, isOpenLink } from '../links/link-targets.ts';
import type { TokenSigner } from '../links/tokens.ts';

export interface EmailRendererOptions {
  /** As `readConfig` returns it: an origin. */
  publicUrl: string;
  signer: Pick<TokenSigner, 'sign'>;
  sendNumber: number;
  /** Unique to the send, in letters, digits and hyphens; forms the left side of the Message-ID with `seq`. */
  messageIdBase: string;
  /** As `readConfig` returns it. Host of this installation in the envelope sender: returned mail goes there, not to the From address. */
  bounceDomain: string;
  /** Whether mail to that host is read, so that recipients can also unsubscribe by it. Default false. */
  takesReturnedMail?: boolean | undefined;
  /** `listId` is the whole value, e.g. `"Brand" <b1.example.com>`. */
  headers: { feedbackId: string; listId: string };
  /** Whether the messages are trials, which nobody has to answer. Default false. */
  isTest?: boolean;
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
  fromDomain: string;
  /** With angle brackets, the same for every attempt. */
  messageId: string;
  /** Head and body, CRLF, 7 bit, no line starts with a dot, ends with CRLF. */
  message: Buffer;
  /** Tells the transport that the message is already safe for SMTP. */
  isStrict: true;
  /** Where the body starts in `message`; the body is canonical under relaxed (RFC 6376 section 3.4.4). */
  bodyOffset: number;
}

export interface EmailRenderer {
  /** @throws RenderError if no message can be built from this recipient's data */
  build(recipient: Recipient, date: Date): BuiltMessage;
}

/** Milliseconds that rendering one message may take. */
const renderLimitMs = 500;

/**
 * Prepares an email snapshot for many messages: templates are parsed and their static text encoded here, once.
 * @throws RenderError `invalid_options`, `too_large`; Error of Liquid
 */
export function createEmailRenderer(snapshot: EmailSnapshot, options: EmailRendererOptions): EmailRenderer {
  checkOptions(options);
  return new SnapshotRenderer(snapshot, options);
}

class SnapshotRenderer implements EmailRenderer {
  readonly #options: EmailRendererOptions;
  readonly #fromDomain: string;
  readonly #messageIdEnd: string;
  readonly #fixedHead: string;
  readonly #unsubscribeUrl: string;
  /** What follows the token of the second address; undefined without one. */
  readonly #unsubscribeMailEnd: string | undefined;
  readonly #htmlEngine = createLiquidEngine('html', renderLimitMs);
  readonly #plainEngine = createLiquidEngine('plain', renderLimitMs);
  readonly #html: TemplatePart;
  readonly #text: TemplatePart;
  readonly #subject: Template[];
  /** Undefined if it depends on the recipient. */
  readonly #fixedSubject: string | undefined;
  readonly #needsClock: boolean;
  /** For recipients whose links are plain. */
  readonly #linksNeedClock: boolean;
  readonly #writer: BodyWriter;

  constructor(snapshot: EmailSnapshot, options: EmailRendererOptions) {
    this.#options = options;
    this.#fromDomain = snapshot.from_email.slice(snapshot.from_email.lastIndexOf('@') + 1);
    this.#messageIdEnd = `${options.messageIdBase}@${this.#fromDomain}>`;
    this.#fixedHead = formatFixedHead(snapshot, options);
    this.#unsubscribeUrl = `${options.publicUrl}/u/`;
    this.#unsubscribeMailEnd = options.takesReturnedMail === true ? `@${options.bounceDomain}` : undefined;
    this.#html = createTemplatePart(this.#htmlEngine, snapshot.html, quotedPrintable);
    this.#text = createTemplatePart(this.#plainEngine, snapshot.text, quotedPrintable);
    this.#subject = this.#plainEngine.parse(snapshot.subject);
    const subjectPart = createTemplatePart(this.#plainEngine, snapshot.subject, quotedPrintable);
    this.#fixedSubject = subjectPart.segments.every((segment) => segment.kind === 'static')
      ? formatTextHeader('Subject', this.#plainEngine.liquid.renderSync(this.#subject, {}) as string)
      : undefined;
    const targets = createLinkTargets(snapshot);
    const costlyLinks = [...snapshot.links.keys()].filter((linkNo) => targets.isCostly(linkNo));
    this.#linksNeedClock = costlyLinks.length > 0;
    this.#needsClock =
      this.#html.needsClock ||
      this.#text.needsClock ||
      subjectPart.needsClock ||
      costlyLinks.some((linkNo) => isOpenLink(snapshot.links[linkNo]));
    this.#writer = new BodyWriter(snapshot, options.publicUrl, this.#htmlEngine, quotedPrintable);
  }

  build(recipient: Recipient, date: Date): BuiltMessage {
    return this.#needsClock || (recipient.tracked === false && this.#linksNeedClock)
      ? withTimeLimit(renderLimitMs, () => this.#write(recipient, date))
      : this.#write(recipient, date);
  }

  #write(recipient: Recipient, date: Date): BuiltMessage {
    const { signer, sendNumber, bounceDomain } = this.#options;
    const address = checkAddress(recipient.address);
    const tokens = signer.sign({ sendNumber, seq: recipient.seq });
    const messageId = `<${recipient.seq.toString(36)}.${this.#messageIdEnd}`;
    const writer = this.#writer;
    const { target } = writer;
    writer.start(tokens, renderLimitMs);
    target.ascii(
      `${this.#fixedHead}To: ${address}\r\n${this.#renderSubject(recipient)}Date: ${formatDate(date)}\r\n` +
        `Message-ID: ${messageId}\r\n${this.#formatUnsubscribe(tokens.unsubscribe)}`,
    );
    // The blank line that ends the head belongs to `textHead`.
    const bodyOffset = target.length + 2;
    target.copy(textHead);
    writer.writePart(this.#plainEngine, this.#text, recipient);
    target.copy(htmlHead);
    writer.writePart(this.#htmlEngine, this.#html, recipient);
    target.copy(bodyEnd);
    return {
      envelopeFrom: `b.${tokens.return_path}@${bounceDomain}`,
      envelopeTo: address,
      fromDomain: this.#fromDomain,
      messageId,
      message: target.finish(),
      isStrict: true,
      bodyOffset,
    };
  }

  /** RFC 2369, section 2: in the order of preference. One-click unsubscribe uses the first. */
  #formatUnsubscribe(token: string): string {
    const field = `List-Unsubscribe: <${this.#unsubscribeUrl}${token}>`;
    return this.#unsubscribeMailEnd === undefined
      ? `${field}\r\n`
      : `${field},\r\n <mailto:u+${token}${this.#unsubscribeMailEnd}>\r\n`;
  }

  #renderSubject({ variables }: Recipient): string {
    if (this.#fixedSubject !== undefined) return this.#fixedSubject;
    const context = this.#writer.createContext(this.#plainEngine, variables, {});
    return formatTextHeader('Subject', renderNodes(this.#plainEngine, this.#subject, context));
  }
}

/** `readConfig` decides on the form of the addresses: here they only must not end a header. */
function checkOptions({ publicUrl, bounceDomain, messageIdBase }: EmailRendererOptions): void {
  asciiHeader('publicUrl', publicUrl);
  asciiHeader('bounceDomain', bounceDomain);
  if (!/^[a-z\d-]{16,50}$/.test(messageIdBase)) {
    throw new RenderError('invalid_options', 'messageIdBase must be 16 to 50 letters, digits and hyphens.');
  }
}

/** The header fields that all messages share. */
function formatFixedHead(snapshot: EmailSnapshot, { headers, isTest = false }: EmailRendererOptions): string {
  const replyTo = snapshot.reply_to === null ? '' : `Reply-To: ${checkAddress(snapshot.reply_to)}\r\n`;
  return (
    `From: ${formatMailbox(snapshot.from_name, checkAddress(snapshot.from_email))}\r\n${replyTo}` +
    `List-Id: ${asciiHeader('List-Id', headers.listId)}\r\n` +
    `Feedback-ID: ${asciiHeader('Feedback-ID', headers.feedbackId)}\r\n` +
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n' +
    `${alternativeHeaders}Precedence: bulk\r\nX-Auto-Response-Suppress: OOF, AutoReply\r\n` +
    // RFC 3834 section 5.
    (isTest ? 'Auto-Submitted: auto-generated\r\n' : '')
  );
}

function asciiHeader(name: string, value: string): string {
  if (/^[\u0020-\u007e]{1,500}$/.test(value)) return value;
  throw new RenderError('invalid_options', `${name} must be 1 to 500 ASCII characters.`);
}
