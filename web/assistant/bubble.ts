import { create, createIcon, createShadow } from './elements.ts';
import { BUBBLE_STYLES } from './styles.ts';
import type { Texts } from './texts.ts';

/** A round button at the corner of a page that opens a window. */
export interface Bubble {
  readonly host: HTMLElement;
  /** Container for the content of the window. */
  readonly body: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  remove(): void;
}

const CHAT_ICON = 'M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z';
const CLOSE_ICON = 'M6 6l12 12M18 6L6 18';

/**
 * Adds a bubble to the page. Calls `onOpen` each time it opens. Escape closes it and returns the focus to its button.
 */
export function showBubble(texts: Texts, onOpen: () => void): Bubble {
  const { host, root } = createShadow(BUBBLE_STYLES);
  const close = create('button', { type: 'button', class: 'close', 'aria-label': texts.close });
  close.append(createIcon(CLOSE_ICON));
  const title = create('h2', { id: 'title' }, texts.title);
  const body = create('div', { class: 'body' });
  const frame = create(
    'div',
    { id: 'window', class: 'window', role: 'dialog', 'aria-labelledby': 'title', hidden: '' },
    create('header', {}, title, close),
    body,
  );
  const launcher = create('button', { type: 'button', class: 'launcher', 'aria-controls': 'window' });
  root.append(frame, launcher);
  const show = (isOpen: boolean) => {
    frame.hidden = !isOpen;
    launcher.setAttribute('aria-expanded', String(isOpen));
    launcher.setAttribute('aria-label', isOpen ? texts.close : texts.open);
    launcher.replaceChildren(createIcon(isOpen ? CLOSE_ICON : CHAT_ICON));
  };
  const bubble: Bubble = {
    host,
    body,
    get isOpen() {
      return !frame.hidden;
    },
    open() {
      show(true);
      onOpen();
    },
    close() {
      show(false);
      launcher.focus();
    },
    remove: () => host.remove(),
  };
  launcher.addEventListener('click', () => (bubble.isOpen ? bubble.close() : bubble.open()));
  close.addEventListener('click', () => bubble.close());
  frame.addEventListener('keydown', (event) => {
    // The first Escape stops an answer.
    if (event.key === 'Escape' && !event.defaultPrevented) bubble.close();
  });
  show(false);
  document.body.append(host);
  return bubble;
}
