import { Context } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { encodeBody, type BodyEncoder } from '../encoding/body-encoder.ts';
import { createLinkTargets, isOpenLink, nowhere, type LinkTargets } from '../links/link-targets.ts';
import { outputLimit, partTooLarge } from '../liquid/capped-emitter.ts';
import { type LiquidEngine } from '../liquid/liquid-engine.ts';
import { escapeHtml } from '../liquid/escape-html.ts';
import { isConditionMet, renderNodes, type Segment, type TemplatePart } from '../liquid/template-part.ts';
import type { MessageTokens } from '../links/tokens.ts';
import { MessageBuffer } from './message-buffer.ts';

/** The properties of a recipient that the body depends on. */
interface Recipient {
  variables: Record<string, unknown>;
  tracked?: boolean;
}

/**
 * Shared by all sends: messages are built one after the other, and large ones leave behind one large buffer, not one for
 * each send.
 */
const target = new MessageBuffer();

/** Writes the parts of one message at a time, each encoded. */
export class BodyWriter {
  readonly target = target;
  readonly #publicUrl: string;
  readonly #htmlEngine: LiquidEngine;
  readonly #context: Record<string, unknown>;
  readonly #targets: LinkTargets;
  /** Whether a link may lead to an address that is not tracked, or nowhere: `isOpenLink`. */
  readonly #isOpen: boolean[];
  readonly #encoder: BodyEncoder;
  /** The encoded number of each link, with which its click URL ends. */
  readonly #linkNumbers: Buffer[];
  /** Tokens of the current message. */
  #tokens!: MessageTokens;
  /** The click URL up to the link number, encoded once per message. */
  readonly #clickPrefix = Buffer.alloc(1024);
  #clickPrefixLength = 0;
  #clickPrefixColumn = 0;
  /** Characters that the current part may still render. */
  #charactersLeft = 0;

  constructor(snapshot: EmailSnapshot, publicUrl: string, htmlEngine: LiquidEngine, encoder: BodyEncoder) {
    this.#encoder = encoder;
    this.#publicUrl = publicUrl;
    this.#htmlEngine = htmlEngine;
    this.#context = Object.assign(Object.create(null) as Record<string, unknown>, snapshot.context);
    this.#targets = createLinkTargets(snapshot, true);
    this.#isOpen = snapshot.links.map(isOpenLink);
    this.#linkNumbers = snapshot.links.map((_, index) => encodeBody(encoder, String(index), true));
  }

  /** Starts the next message, which has to be finished within `limitMs` of CPU time. */
  start(tokens: MessageTokens, limitMs: number): void {
    this.target.start(limitMs);
    this.#tokens = tokens;
    const prefix = this.#clickPrefix;
    const length = this.#encoder.write(`${this.#publicUrl}/t/c/${tokens.click}.`, prefix, 0, false);
    this.#clickPrefixLength = length;
    this.#clickPrefixColumn = length - 1 - prefix.lastIndexOf(10, length - 1);
  }

  writePart(engine: LiquidEngine, part: TemplatePart, recipient: Recipient): void {
    this.#charactersLeft = outputLimit;
    let context: Context | undefined;
    const getContext = () =>
      (context ??= this.createContext(
        engine,
        recipient.variables,
        this.#nestedLinks(part, recipient, engine === this.#htmlEngine),
      ));
    this.#writeSegments(engine, part.segments, recipient, getContext);
  }

  createContext(
    engine: LiquidEngine,
    contact: Record<string, unknown>,
    links: Record<string, string>,
  ): Context {
    const scope = Object.assign(Object.create(null) as Record<string, unknown>, this.#context);
    scope['contact'] = contact;
    scope['links'] = links;
    return new Context(scope, engine.liquid.options, { sync: true });
  }

  #writeSegments(
    engine: LiquidEngine,
    segments: Segment[],
    recipient: Recipient,
    getContext: () => Context,
  ): void {
    const isHtml = engine === this.#htmlEngine;
    for (const segment of segments) {
      switch (segment.kind) {
        case 'static':
          this.#count(segment.characters);
          this.target.copy(segment.bytes);
          break;
        case 'slot':
          if (segment.name === 'click') this.#writeClickAddress(segment.linkNo, recipient, isHtml);
          else if (segment.name === 'pixel') this.#writePixel(recipient, isHtml);
          else this.#writeText(this.#linkAddress(segment.name));
          break;
        case 'field':
          this.#writeField(engine, segment, recipient, getContext);
          break;
        case 'if': {
          const branch = segment.branches.find(({ condition }) => isConditionMet(condition, getContext()));
          this.#writeSegments(engine, branch?.segments ?? segment.otherwise, recipient, getContext);
          break;
        }
        case 'liquid':
          this.#writeText(renderNodes(engine, segment.nodes, getContext(), this.#charactersLeft));
      }
    }
  }

  #writeClickAddress(linkNo: number, recipient: Recipient, isHtml: boolean): void {
    const number = this.#linkNumbers[linkNo];
    if (number === undefined) return;
    if (recipient.tracked === false || this.#isOpen[linkNo] === true) {
      const address = this.#clickAddress(linkNo, recipient, isHtml);
      this.#writeText(isHtml ? escapeHtml(address) : address);
      return;
    }
    this.#count(this.#clickPrefixLength + number.length);
    this.target.copyPart(this.#clickPrefix, this.#clickPrefixLength);
    const { softBreak } = this.#encoder;
    if (softBreak !== undefined && this.#clickPrefixColumn > softBreak.afterColumn)
      this.target.copy(softBreak.bytes);
    this.target.copy(number);
  }

  #writePixel(recipient: Recipient, isHtml: boolean): void {
    if (!isHtml || recipient.tracked === false) return;
    this.#writeText(`<img src="${this.#publicUrl}/t/o/${this.#tokens.open}" width="1" height="1" alt="">`);
  }

  /** Fast path for most personalized templates; only values that are not strings go through Liquid. */
  #writeField(
    engine: LiquidEngine,
    { field, fallback, nodes }: Segment & { kind: 'field' },
    { variables }: Recipient,
    getContext: () => Context,
  ): void {
    const value = Object.hasOwn(variables, field) ? (variables[field] ?? '') : '';
    if (typeof value === 'string') {
      const printed = value === '' ? fallback : value;
      if (printed.length > this.#charactersLeft) throw partTooLarge();
      this.#writeText(engine === this.#htmlEngine ? escapeHtml(printed) : printed);
    } else {
      this.#writeText(renderNodes(engine, nodes, getContext(), this.#charactersLeft));
    }
  }

  #writeText(text: string): void {
    this.#count(text.length);
    this.target.encode(this.#encoder, text);
  }

  #count(characters: number): void {
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw partTooLarge();
  }

  /** @returns the URLs that Liquid itself reads, by their names under `links.` */
  #nestedLinks(part: TemplatePart, recipient: Recipient, isHtml: boolean): Record<string, string> {
    const links: Record<string, string> = {};
    let characters = 0;
    for (const { name, linkNo } of part.nestedLinks) {
      const address =
        linkNo === undefined ? this.#linkAddress(name) : this.#clickAddress(linkNo, recipient, isHtml);
      characters += address.length;
      if (characters > outputLimit) throw partTooLarge();
      links[name] = address;
    }
    return links;
  }

  #linkAddress(name: string): string {
    switch (name) {
      case 'unsubscribe':
        return `${this.#publicUrl}/u/${this.#tokens.unsubscribe}`;
      case 'preferences':
        return `${this.#publicUrl}/p/${this.#tokens.unsubscribe}`;
      case 'view_in_browser':
        return `${this.#publicUrl}/v/${this.#tokens.view}`;
      default:
        return '';
    }
  }

  #clickAddress(linkNo: number, recipient: Recipient, isHtml: boolean): string {
    if (this.#linkNumbers[linkNo] === undefined) return '';
    const isTracked = recipient.tracked !== false;
    const tracked = `${this.#publicUrl}/t/c/${this.#tokens.click}.${linkNo}`;
    if (isTracked && this.#isOpen[linkNo] !== true) return tracked;
    const destination = this.#targets.find(recipient.variables, linkNo);
    if (destination === undefined) return isHtml ? nowhere : '';
    return isTracked && destination.kind === 'web' ? tracked : destination.address;
  }
}
