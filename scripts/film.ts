import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { drawCaptions } from './film-captions.ts';

// Makes a film of a page from screenshots. The cursor and the caption are drawn onto each screenshot, so that nothing is
// added to the page. Time is counted in frames, so that a slow machine makes the same film.

interface Point {
  x: number;
  y: number;
}

interface Frame {
  picture: Buffer;
  durationMs: number;
}

/** Duration of a frame while the cursor moves. */
const frameMs = 50;
const captionHeight = 56;

export interface Film {
  /** Shows a caption below the page until the next one. */
  caption: (text: string) => Promise<void>;
  hold: (durationMs: number) => Promise<void>;
  /** Moves the cursor there and clicks; the film continues once `shows` is visible and nothing is loading. */
  click: (where: Locator, shows?: Locator) => Promise<void>;
  /** Types into the field that has the focus. */
  type: (text: string) => Promise<void>;
  /** Scrolls until the element is `top` pixels below the top. */
  scrollTo: (where: Locator, top: number) => Promise<void>;
  /** Shows how the page changes until `shows` is visible: a picture every `everyMs`, each shown for `durationMs`. */
  watch: (shows: Locator, pace: { everyMs: number; durationMs: number }) => Promise<void>;
  /** Writes an animated WebP. */
  save: (path: string) => Promise<void>;
}

export async function startFilm(page: Page, browser: Browser): Promise<Film> {
  const { width, height } = page.viewportSize()!;
  const drawCaption = await drawCaptions(browser, { width, height: captionHeight });
  const frames: Frame[] = [];
  let cursor: Point = { x: width * 0.55, y: height * 0.6 };
  let shown = await page.screenshot();
  let caption = await drawCaption('');

  const add = async (durationMs: number, isPressed = false) => {
    const picture = await sharp(shown)
      .extend({ bottom: captionHeight })
      .composite([
        { input: caption, left: 0, top: height },
        ...(isPressed ? [{ input: ring, left: round(cursor.x) - 18, top: round(cursor.y) - 18 }] : []),
        { input: pointer, left: round(cursor.x) - 5, top: round(cursor.y) - 3 },
      ])
      .png({ compressionLevel: 1 })
      .toBuffer();
    const last = frames.at(-1);
    if (last?.picture.equals(picture)) last.durationMs += durationMs;
    else frames.push({ picture, durationMs });
  };
  const look = async (durationMs: number) => {
    shown = await page.screenshot();
    await add(durationMs);
  };
  const moveTo = async (where: Locator) => {
    const box = await where.boundingBox();
    if (box === null) throw new Error(`${String(where)} is not on the page.`);
    const from = cursor;
    const to = { x: box.x + Math.min(box.width / 2, 120), y: box.y + Math.min(box.height / 2, 60) };
    const count = Math.min(14, Math.max(6, round(Math.hypot(to.x - from.x, to.y - from.y) / 50)));
    for (const part of steps(count)) {
      cursor = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await add(frameMs);
    }
    await page.mouse.move(to.x, to.y);
    await look(300);
  };

  return {
    caption: async (text) => {
      caption = await drawCaption(text);
    },
    hold: look,
    click: async (where, shows) => {
      await moveTo(where);
      await add(120, true);
      await page.mouse.click(cursor.x, cursor.y);
      await shows?.waitFor();
      await settle(page);
      await look(500);
    },
    type: async (text) => {
      for (const [typed] of text.matchAll(/.{1,3}/g)) {
        await page.keyboard.type(typed);
        await look(120);
      }
    },
    scrollTo: async (where, top) => {
      const from = await page.evaluate<number>('scrollY');
      const to = from + ((await where.boundingBox())?.y ?? top) - top;
      // Few steps, because each one is a new picture of the whole page.
      for (const part of steps(5)) {
        await page.evaluate(`scrollTo(0, ${round(from + (to - from) * part)})`);
        await settle(page);
        await look(90);
      }
    },
    watch: async (shows, { everyMs, durationMs }) => {
      while (!(await shows.isVisible())) {
        await look(durationMs);
        await delay(everyMs);
      }
      await settle(page);
      await look(500);
    },
    save: async (path) => {
      await sharp(
        frames.map(({ picture }) => picture),
        { join: { animated: true }, limitInputPixels: false },
      )
        .webp({
          nearLossless: true,
          quality: 60,
          effort: 4,
          minSize: true,
          loop: 0,
          delay: frames.map(({ durationMs }) => durationMs),
        })
        .toFile(path);
    },
  };
}

const { round } = Math;

/** Eased steps up to 1, slow at both ends. */
const steps = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => (1 - Math.cos((Math.PI * (index + 1)) / count)) / 2);

/** Waits until nothing is loading and the result is painted. */
async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
}

const pointer = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="28" height="30"><path d="M5 3v21l5.2-4.6 3.6 7.6 3.6-1.7-3.5-7.4 7-.6z" fill="#111827" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/></svg>`,
);
const ring = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36"><circle cx="18" cy="18" r="16" fill="#006ec6" fill-opacity=".18" stroke="#006ec6" stroke-width="2"/></svg>`,
);
