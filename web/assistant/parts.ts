import { create, createIcon, createShadow } from './elements.ts';
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

const SEND_ICON = 'M12 20V5M5 12l7-7 7 7';
const STOP_ICON = 'M7 7h10v10H7z';

/**
 * Creates the elements. Regions for screen readers exist from the start: one that appears with its text may not be
 * read.
 */
export function createParts(texts: Texts): Parts {
  const { host, root } = createShadow(STYLES);
  // The keyboard scrolls a log that has the focus.
  const log = create('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': texts.title });
  const status = create('p', { class: 'status', role: 'status' });
  const error = create('p', { class: 'error', role: 'alert' });
  const input = create('textarea', {
    ...{ id: 'input', rows: '1', maxlength: '10000', placeholder: texts.label },
  });
  const send = create('button', { type: 'submit', 'aria-label': texts.send, title: texts.send });
  send.append(createIcon(SEND_ICON));
  const stop = create('button', { type: 'button', 'aria-label': texts.stop, title: texts.stop, hidden: '' });
  stop.append(createIcon(STOP_ICON));
  const label = create('label', { for: 'input', class: 'visually-hidden' }, texts.label);
  const form = create('form', {}, label, input, send, stop);
  root.append(create('section', { 'aria-label': texts.title }, log, status, error, form));
  return { host, root, log, status, error, form, input, send, stop };
}
