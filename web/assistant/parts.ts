import { STYLES } from './styles.ts';
import type { Texts } from './texts.ts';

/** The elements of a panel. */
export interface Parts {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly log: HTMLElement;
  readonly status: HTMLElement;
  readonly error: HTMLElement;
  readonly form: HTMLFormElement;
  readonly input: HTMLTextAreaElement;
  readonly send: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
}

/** Makes them. The sheet is adopted, so that a page whose policy forbids inline styles shows it, too. */
export function createParts(texts: Texts): Parts {
  const host = create('div', {});
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  // With the keyboard a log is scrolled when it has the focus.
  const log = create('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': texts.title });
  const status = create('p', { class: 'status', role: 'status' });
  const error = create('p', { class: 'error', role: 'alert' });
  const input = create('textarea', { id: 'input', rows: '2', maxlength: '10000' });
  const send = create('button', { type: 'submit' }, texts.send);
  const stop = create('button', { type: 'button', hidden: '' }, texts.stop);
  const form = create('form', {}, create('label', { for: 'input' }, texts.label), input, send, stop);
  root.append(create('section', { 'aria-label': texts.title }, log, status, error, form));
  return { host, root, log, status, error, form, input, send, stop };
}

function create<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}
