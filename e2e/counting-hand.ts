import type { Locator, Page } from '@playwright/test';

/**
 * Records the actions of a user: each click, each filled field, each chosen file, each pressed key, each typed
 * paragraph.
 */
export function countingHand() {
  const done: string[] = [];
  return {
    done,
    click: async (where: Locator) => {
      done.push(`click ${String(where)}`);
      await where.click();
    },
    fill: async (where: Locator, text: string) => {
      done.push(`fill ${String(where)}`);
      await where.fill(text);
    },
    chooseFile: async (where: Locator, file: Parameters<Locator['setInputFiles']>[0]) => {
      done.push(`file ${String(where)}`);
      await where.setInputFiles(file);
    },
    press: async (page: Page, key: string) => {
      done.push(`press ${key}`);
      await page.keyboard.press(key);
    },
    type: async (page: Page, paragraph: string) => {
      done.push(`type ${paragraph}`);
      await page.keyboard.type(paragraph);
    },
    goBack: async (page: Page) => {
      done.push('back');
      await page.goBack();
    },
  };
}
