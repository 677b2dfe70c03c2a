import { createParts, type Parts } from './parts.ts';
import type { Texts } from './texts.ts';

/** Callbacks of a panel. */
export interface PanelActions {
  sendMessage(text: string): void;
  stop(): void;
}

/** A message on a panel. */
export interface ShownMessage {
  add(text: string): void;
  /** Marks the message as complete. `text` replaces its content. */
  end(text?: string): void;
  remove(): void;
}

/** The panel of a conversation. It does not use the network. */
export interface Panel {
  readonly host: HTMLElement;
  /** Adds a complete message. */
  show(who: 'you' | 'assistant', text: string): ShownMessage;
  /** Adds an answer that grows. Screen readers announce it when it is complete, not word by word. */
  openAnswer(): ShownMessage;
  /** Shows and announces an error; empty: removes it. */
  showError(text: string): void;
  setAnswering(isAnswering: boolean): void;
  /** Puts a message that was not answered back into the input. */
  restore(text: string): void;
  focus(): void;
  remove(): void;
}

/**
 * Adds a panel to an element, in a shadow root, so that the page's styles do not apply to it. Messages are texts, never
 * HTML.
 */
export function showPanel(parent: Element, texts: Texts, actions: PanelActions): Panel {
  const parts = createParts(texts);
  const { host, root, log, status, error, input, send, stop } = parts;
  parent.append(host);
  let isAnswering = false;
  listen(parts, actions, () => isAnswering);
  const open = (who: 'you' | 'assistant') => addMessage(log, who, texts[who]);
  return {
    host,
    show(who, text) {
      const message = open(who);
      message.end(text);
      return message;
    },
    openAnswer() {
      log.setAttribute('aria-busy', 'true');
      return open('assistant');
    },
    showError(message) {
      error.textContent = message;
    },
    setAnswering(answering) {
      isAnswering = answering;
      status.textContent = answering ? texts.answering : '';
      send.hidden = answering;
      stop.hidden = !answering;
      // The focused button may be hidden now.
      if (root.activeElement === null) input.focus({ preventScroll: true });
    },
    restore(text) {
      if (input.value === '') input.value = text;
    },
    focus: () => input.focus({ preventScroll: true }),
    remove: () => host.remove(),
  };
}

function addMessage(log: HTMLElement, who: 'you' | 'assistant', name: string): ShownMessage {
  const item = document.createElement('div');
  item.className = `message ${who}`;
  const speaker = document.createElement('span');
  speaker.className = 'who';
  speaker.textContent = name;
  const text = document.createElement('p');
  text.className = 'text';
  item.append(speaker, text);
  log.append(item);
  const scroll = () => {
    log.scrollTop = log.scrollHeight;
  };
  return {
    add(more) {
      text.append(more);
      scroll();
    },
    end(full) {
      if (full !== undefined) text.textContent = full;
      log.removeAttribute('aria-busy');
      scroll();
    },
    remove() {
      item.remove();
      log.removeAttribute('aria-busy');
    },
  };
}

/** Enter sends, Shift+Enter starts a new line, Escape stops an answer. */
function listen({ root, form, input, stop }: Parts, actions: PanelActions, isAnswering: () => boolean): void {
  const submit = () => {
    const text = input.value.trim();
    if (text === '' || isAnswering()) return;
    input.value = '';
    actions.sendMessage(text);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener('keydown', (event) => {
    // Enter also confirms a character in an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  root.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || !isAnswering()) return;
    event.preventDefault();
    actions.stop();
  });
  stop.addEventListener('click', () => actions.stop());
}
