import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { watchLinks } from './links.ts';

const checkout = 'https://pay.example';
const minute = 60_000;

/** As far as the listeners look at one. */
function createElement(attributes: Record<string, string>) {
  const isPost = (name: string) => attributes[name]?.toLowerCase() === 'post';
  const is = (selector: string) =>
    selector === ':any-link'
      ? 'href' in attributes
      : selector === '[formaction][formmethod=post i]'
        ? 'formaction' in attributes && isPost('formmethod')
        : selector === 'form[action][method=post i]' && 'action' in attributes && isPost('method');
  return {
    attributes,
    matches: (selectors: string) => selectors.split(',').some(is),
    hasAttribute: (name: string) => name in attributes,
    getAttribute: (name: string) => attributes[name] ?? null,
    setAttribute: (name: string, value: string) => {
      attributes[name] = value;
    },
  };
}
type FakeElement = ReturnType<typeof createElement>;

suite('links to hosts with other cookies', () => {
  let listeners: Record<string, (event: object) => void>;
  let asked: unknown[];
  let respond: () => Promise<Record<string, string>>;
  let visitor: string | undefined;
  let errors: unknown[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    listeners = {};
    asked = [];
    errors = [];
    visitor = 'v1';
    respond = async () => ({ ctm_vid: `M${asked.length}` });
    Object.assign(globalThis, {
      document: { baseURI: 'https://shop.example/cart' },
      addEventListener: (type: string, listener: (event: object) => void) => {
        listeners[type] = listener;
      },
    });
    watchLinks(
      ({ host }) => (host === 'pay.example' ? visitor : undefined),
      async (question) => {
        asked.push(question);
        return await respond();
      },
      async (work) => {
        try {
          await work();
        } catch (error) {
          errors.push(error);
        }
      },
    );
  });
  afterEach(() => {
    mock.timers.reset();
    for (const name of ['document', 'addEventListener']) Reflect.deleteProperty(globalThis, name);
  });

  const dispatch = (type: string, element: FakeElement, more: object = {}) =>
    listeners[type]!({ type, target: element, composedPath: () => [{}, element, {}], ...more });
  const point = async (element: FakeElement, type = 'pointerover') => {
    dispatch(type, element);
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** @returns the address when the browser reads it, and afterwards */
  const follow = (element: FakeElement, name: string, type = 'click', more: object = {}) => {
    dispatch(type, element, { button: 0, ...more });
    const followed = element.attributes[name];
    mock.timers.tick(0);
    return [followed, element.attributes[name]];
  };

  test('have a mark while they are followed, in a new tab, too', async () => {
    for (const [index, [address, marked, ...click]] of (
      [
        [`${checkout}/`, `${checkout}/?ctm_vid=M1`],
        [checkout, `${checkout}?ctm_vid=M2`],
        [`${checkout}/a?b=%20c&d#e?f`, `${checkout}/a?b=%20c&d&ctm_vid=M3#e?f`, 'click', { ctrlKey: true }],
        [`${checkout}/a#e?f`, `${checkout}/a?ctm_vid=M4#e?f`, 'auxclick', { button: 1 }],
        ['//pay.example/?a=signal', '//pay.example/?a=signal&ctm_vid=M5'],
      ] as [string, string, string?, object?][]
    ).entries()) {
      const element = createElement({ href: address });
      await point(element, index === 0 ? 'focusin' : 'pointerover');
      assert.equal(element.attributes['href'], address);
      assert.deepEqual(follow(element, 'href', ...click), [marked, address]);
    }
    assert.deepEqual(asked[0], { type: 'LINK', anonymous_id: 'v1', host: 'pay.example' });
    assert.deepEqual(errors, []);
  });

  test('without a mark, or for one of its menus, they stay as they are', async () => {
    const element = createElement({ href: `${checkout}/` });
    const unmarked = [`${checkout}/`, `${checkout}/`];
    assert.deepEqual(follow(element, 'href'), unmarked);
    let answer: (marks: Record<string, string>) => void = () => {};
    const answered = new Promise<Record<string, string>>((resolve) => {
      answer = resolve;
    });
    respond = () => answered;
    await point(element);
    assert.deepEqual(follow(element, 'href'), unmarked);
    answer({ ctm_vid: 'late' });
    await point(element);
    assert.deepEqual(follow(element, 'href', 'auxclick', { button: 2 }), unmarked);
    assert.deepEqual(follow(element, 'href'), [`${checkout}/?ctm_vid=late`, `${checkout}/`]);
  });

  test('of others, and addresses with a signature, nothing is asked', async () => {
    for (const href of [
      'https://other.example/',
      '/cart',
      'mailto:a@pay.example',
      'https://',
      `${checkout}/?signature=x`,
      `${checkout}/?X-Amz-Signature=x&a=1`,
      `${checkout}/?a=1&sig=x`,
      `${checkout}/?token=x&expires=1`,
      `${checkout}/?s=0123456789abcdef`,
      `${checkout}/?orderHash=x`,
      `${checkout}/?a=1&md5=x`,
      `${checkout}/?token=x&ttl=60`,
    ]) {
      const element = createElement({ href });
      await point(element);
      assert.deepEqual(follow(element, 'href'), [href, href]);
    }
    await point(createElement({ href: `${checkout}/`, rel: 'noopener noreferrer' }));
    visitor = undefined;
    await point(createElement({ href: `${checkout}/` }));
    assert.deepEqual(asked, []);
    visitor = 'v1';
    await point(createElement({ href: `${checkout}/?design=oak&machine=a&express=1` }));
    assert.equal(asked.length, 1);
  });

  test('each mark is asked once, for one click, of one visitor', async () => {
    const [one, other] = [createElement({ href: `${checkout}/1` }), createElement({ href: `${checkout}/2` })];
    await Promise.all([point(one), point(other), point(one, 'focusin')]);
    assert.equal(asked.length, 1);
    assert.equal(follow(other, 'href')[0], `${checkout}/2?ctm_vid=M1`);
    assert.equal(follow(other, 'href')[0], `${checkout}/2`);
    await point(one);
    visitor = 'v2';
    assert.equal(follow(one, 'href')[0], `${checkout}/1`);
    visitor = undefined;
    assert.equal(follow(one, 'href')[0], `${checkout}/1`);
  });

  test('an old mark is not used, and a failure is tried again later', async () => {
    const element = createElement({ href: `${checkout}/` });
    await point(element);
    mock.timers.tick(4 * minute);
    assert.equal(follow(element, 'href')[0], `${checkout}/`);
    for (const failure of [() => Promise.reject(new Error('away')), async () => ({})]) {
      respond = failure;
      const before = asked.length;
      await point(element);
      await point(element);
      assert.equal(asked.length, before + 1);
      mock.timers.tick(10_000);
    }
    assert.equal(errors.length, 1);
    respond = async () => ({ ctm_vid: 'M' });
    await point(element);
    assert.equal(follow(element, 'href')[0], `${checkout}/?ctm_vid=M`);
  });

  test('what others change in an address meanwhile stays', async () => {
    const element = createElement({ href: `${checkout}/?a=1` });
    await point(element);
    dispatch('click', element, { button: 0 });
    element.attributes['href'] += '&_gl=2';
    mock.timers.tick(0);
    assert.equal(element.attributes['href'], `${checkout}/?a=1&_gl=2`);
  });

  test('forms that are posted have it in their address', async () => {
    const post = createElement({ action: `${checkout}/`, method: 'POST' });
    await point(post);
    // A click into the form is no submission.
    assert.deepEqual(follow(post, 'action'), [`${checkout}/`, `${checkout}/`]);
    assert.deepEqual(follow(post, 'action', 'submit', { submitter: null }), [
      `${checkout}/?ctm_vid=M1`,
      `${checkout}/`,
    ]);

    const form = createElement({ action: '/save', method: 'get' });
    const button = createElement({ formaction: `${checkout}/`, formmethod: 'post' });
    await point(button);
    dispatch('click', button, { button: 0 });
    dispatch('submit', form, { submitter: button });
    assert.equal(button.attributes['formaction'], `${checkout}/?ctm_vid=M2`);
    mock.timers.tick(0);
    assert.equal(button.attributes['formaction'], `${checkout}/`);

    const get = createElement({ action: `${checkout}/` });
    const before = asked.length;
    await point(get);
    assert.equal(asked.length, before);
    assert.deepEqual(follow(get, 'action', 'submit', { submitter: null }), [`${checkout}/`, `${checkout}/`]);
    assert.deepEqual(errors, []);
  });
});
