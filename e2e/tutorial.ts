import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { endWaitingTime } from './database.ts';
import { expect } from './fixtures.ts';
import type { StartedServer } from './start-server.ts';

// The steps of docs/tutorial.md. An item of a numbered list has one or more of the sentences below; a code block is a command
// (sh), what the terminal then shows (text), or a file, which the paragraph before it names. Everything else is explanation.

/** The address of the page, which tests replace by that of their server. */
const address = 'localhost:3000';

type Act = (reader: Reader, ...words: string[]) => Promise<void>;

const words = String.raw`\*\*([^*]+)\*\*`;
const typed = '`([^`]+)`';

/** The text as a part of a regular expression: the page gives upper and lower case as on screen. */
const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** What a sentence says, without its full stop, and what a reader does then. */
const sentences: readonly [sentence: RegExp, act: Act][] = [
  [
    new RegExp(`^Open the link below ${words} in the terminal$`),
    (reader, label) => reader.openPrinted(label),
  ],
  [new RegExp(`^Open ${typed}$`), async ({ page }, url) => void (await page.goto(url))],
  [new RegExp(`^Click ${words}$`), (reader, name) => reader.click(name)],
  [
    new RegExp(`^Click ${words} in the dialog$`),
    async (reader, name) => {
      const dialog = reader.page.getByRole('dialog');
      await reader.click(name, dialog);
      await expect(dialog).toBeHidden();
    },
  ],
  [
    new RegExp(`^Click ${words}, which opens a new tab$`),
    async (reader, name) => {
      const [opened] = await Promise.all([
        reader.context.waitForEvent('page', { timeout: 40_000 }),
        reader.click(name),
      ]);
      reader.tabs.push(opened);
    },
  ],
  [/^Close the tab$/, async ({ tabs }) => await tabs.pop()!.close()],
  [new RegExp(`^In ${words}, type ${typed}$`), (reader, label, text) => reader.field(label).fill(text)],
  [
    new RegExp(`^In ${words}, choose ${words}$`),
    async ({ page }, label, option) => {
      await page.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
  ],
  [new RegExp(`^Choose ${words}$`), ({ page }, name) => page.getByRole('radio', { name }).click()],
  [
    new RegExp(`^Click ${words}, and choose the file ${typed}$`),
    (reader, label, file) => reader.field(label).setInputFiles(join(reader.server.folder, file)),
  ],
  [
    new RegExp(`^In the email, replace ${words} by ${typed}$`),
    async ({ page }, old, text) => {
      await page.getByRole('treeitem', { name: `Text: ${old}` }).click();
      await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeFocused();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
  ],
  [
    new RegExp(`^In the email, click ${words}$`),
    ({ page }, name) => page.getByRole('treeitem', { name: new RegExp(`: ${literally(name)}`) }).click(),
  ],
  [new RegExp(`^You see ${words}$`), (reader, text) => reader.see(text)],
  [
    new RegExp(`^You see ${typed} at ${words}$`),
    ({ page }, value, label) =>
      expect(
        page
          .locator('dl > *')
          .filter({ has: page.getByText(label, { exact: true }), visible: true })
          .locator('dd')
          .first(),
      ).toHaveText(value),
  ],
  [
    new RegExp(`^Wait a minute, until you see ${words}$`),
    async (reader, text) => {
      await reader.page.waitForURL(/\/sends\/[0-9a-f-]{36}$/);
      // The minute in which a send can be cancelled is the only thing that this reader skips.
      await endWaitingTime(reader.server.databaseUrl, reader.page.url().split('/').at(-1)!);
      await reader.see(text);
    },
  ],
];

export interface Step {
  /** 1-based line of the page. */
  line: number;
  /** As it is written. */
  text: string;
  act: (reader: Reader) => Promise<void>;
}

export interface Tutorial {
  /** Starts the server. */
  command: string;
  /** What the terminal shows then. */
  output: readonly string[];
  files: readonly { name: string; text: string }[];
  steps: readonly Step[];
}

/**
 * @param host  replaces the host and port that the page names
 * @throws Error on a sentence of a numbered item, or a code block, that is none of the known ones
 */
export function readTutorial(markdown: string, host = address): Tutorial {
  const commands: string[] = [];
  const output: string[] = [];
  const files: { name: string; text: string }[] = [];
  const steps: Step[] = [];
  const lines = markdown.replaceAll(address, host).split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const text = lines[index]!;
    const line = index + 1;
    const item = /^\d+\. (.*)$/.exec(text)?.[1];
    const language = /^\s*```(\w*)/.exec(text)?.[1];
    if (item !== undefined) for (const each of splitSentences(item)) steps.push(readStep(line, each));
    if (language === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    const block = lines.slice(index + 1, end);
    const file = /^Save these lines as `([\w.-]+)`:$/.exec(lines[index - 2] ?? '')?.[1];
    if (language === 'sh') commands.push(block.join('\n'));
    else if (language === 'text') output.push(...block);
    else if (file !== undefined) files.push({ name: file, text: `${block.join('\n')}\n` });
    else throw new Error(`Line ${line}: nothing says what this code is for.`);
    index = end;
  }
  if (commands.length !== 1) throw new Error(`${commands.length} commands start the server.`);
  return { command: commands[0]!, output, files, steps };
}

/** Splits at full stops that are in no quotation. */
const splitSentences = (item: string): string[] =>
  (item.match(/(?:\*\*.+?\*\*|`.+?`|[^.])+\.?/g) ?? []).map((sentence) => sentence.trim());

function readStep(line: number, text: string): Step {
  for (const [sentence, act] of sentences) {
    const found = sentence.exec(text.replace(/\.$/, ''));
    if (found !== null) return { line, text, act: (reader) => act(reader, ...found.slice(1)) };
  }
  throw new Error(`Line ${line}: “${text}” is not a step that a test can perform.`);
}

/** Does what the tutorial says, in a browser. */
export class Reader {
  readonly server: StartedServer;
  readonly context: BrowserContext;
  readonly tabs: Page[];

  constructor(server: StartedServer, page: Page) {
    this.server = server;
    this.context = page.context();
    this.tabs = [page];
  }

  get page(): Page {
    return this.tabs.at(-1)!;
  }

  async openPrinted(label: string): Promise<void> {
    const index = this.server.lines.findIndex((line) => line.includes(label));
    expect(index, `the terminal shows “${label}”`).not.toBe(-1);
    await this.page.goto(this.server.lines[index + 1]!.trim());
  }

  /**
   * Clicks the only control with this name. Names may go on with a description, or with what an icon says, unless one has
   * exactly this name.
   */
  async click(name: string, where: Page | Locator = this.page): Promise<void> {
    const named = (text: string | RegExp) => {
      const [first, ...others] = (['button', 'link', 'tab', 'menuitem'] as const).map((role) =>
        where.getByRole(role, { name: text, exact: true }),
      );
      return others.reduce((all, other) => all.or(other), first!).filter({ visible: true });
    };
    const exact = named(name);
    const longer = named(new RegExp(`^${literally(name)}\\s`));
    const find = async () => ((await exact.count()) > 0 ? exact : longer);
    await expect.poll(async () => await (await find()).count(), `controls named “${name}”`).toBe(1);
    await (await find()).click();
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** Waits until the text is on the page, or in the email that the page shows. */
  async see(text: string): Promise<void> {
    const shown = async () => {
      // A frame that is replaced meanwhile shows nothing.
      const counts = this.page.frames().map((frame) =>
        frame
          .getByText(new RegExp(literally(text)))
          .filter({ visible: true })
          .count()
          .catch(() => 0),
      );
      return (await Promise.all(counts)).some((count) => count > 0);
    };
    await expect.poll(shown, { message: `“${text}” is on the page` }).toBe(true);
  }

  /** Waits until the page has what it loads. */
  async settle(): Promise<void> {
    await expect(this.page.locator('main [aria-busy=true]')).toHaveCount(0);
  }
}

/** Performs the steps in their order; an error names the line of the page. */
export async function perform(reader: Reader, { files, steps }: Tutorial): Promise<void> {
  for (const { name, text } of files) await writeFile(join(reader.server.folder, name), text);
  for (const { line, text, act } of steps) {
    try {
      await reader.settle();
      await act(reader);
    } catch (error) {
      throw new Error(`docs/tutorial.md, line ${line}: “${text}”`, { cause: error });
    }
  }
}
