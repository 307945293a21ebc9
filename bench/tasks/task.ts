import type { Locator, Page } from 'playwright-core';
import type { Shop } from '../support/seed-shop.ts';
import type { Truth } from './truth.ts';

/** Acts on a page, and counts what a person would have to do. */
interface Hands {
  page: Page;
  click: (target: Locator) => Promise<void>;
  press: (key: string) => Promise<void>;
  /** Returns the text that a page shows, once it does. */
  read: (target: Locator) => Promise<string>;
}

/** A question that is answered on the page of an incident, or from there. */
export interface Task {
  asks: string;
  /** Returns the answer of the page. */
  answer: (hands: Hands) => Promise<string>;
  /** Returns true for an answer that agrees with what was sent. */
  isTrue: (answer: string, facts: Facts) => boolean | Promise<boolean>;
}

export interface Facts {
  truth: Truth;
  shop: Shop;
  /** Address of the incident. */
  address: string;
  /** Address of the page that answered. */
  page: string;
}

interface TaskAnswer {
  asks: string;
  clicks: number;
  keys: number;
  says: string;
  /** True if it was answered, and truly. */
  isTrue: boolean;
}

/** Opens the page of the incident, and answers a question there. */
export async function answerTask(page: Page, task: Task, facts: Omit<Facts, 'page'>): Promise<TaskAnswer> {
  let [clicks, keys] = [0, 0];
  const { asks } = task;
  const hands: Hands = {
    page,
    click: async (target) => {
      clicks++;
      await target.click();
    },
    press: async (key) => {
      keys++;
      await page.keyboard.press(key);
    },
    read: async (target) => flatten(await target.innerText()),
  };
  try {
    await page.goto(facts.address);
    await page.getByRole('list', { name: 'Groups' }).waitFor();
    const answer = await task.answer(hands);
    const isTrue = await task.isTrue(answer, { ...facts, page: page.url() });
    return { asks, clicks, keys, isTrue, says: `${isTrue ? '' : 'NOT TRUE: '}${answer}` };
  } catch (error) {
    const says = `MISSED: ${String(error).split('\n')[0]}`;
    return { asks, clicks, keys, isTrue: false, says };
  }
}

const flatten = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
