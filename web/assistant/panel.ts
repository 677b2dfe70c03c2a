import { createParts, type Parts } from './parts.ts';
import type { Texts } from './texts.ts';

/** What somebody can do on a panel. */
export interface PanelActions {
  say(text: string): void;
  stop(): void;
}

/** A message on the panel. */
export interface ShownMessage {
  add(text: string): void;
  /** It is complete, or this is all of it. */
  end(text?: string): void;
  remove(): void;
}

/** The panel of a conversation. It knows nothing of tokens and networks. */
export interface Panel {
  /** A message that is complete. */
  show(who: 'you' | 'assistant', text: string): ShownMessage;
  /** An answer that grows; it is announced when it is complete, not word by word. */
  openAnswer(): ShownMessage;
  /** Tells a sentence to whoever sees or hears the panel; empty: none. */
  tellError(text: string): void;
  setAnswering(isAnswering: boolean): void;
  /** Puts a text back that was not answered. */
  restore(text: string): void;
  remove(): void;
}

/**
 * Puts a panel at the end of an element, in a shadow root, so that neither the page's styles nor its scripts meet it by chance.
 * Messages are texts, never HTML.
 */
export function showPanel(parent: Element, texts: Texts, actions: PanelActions): Panel {
  const parts = createParts(texts);
  const { host, root, log, status, error, input, send, stop } = parts;
  parent.append(host);
  let isAnswering = false;
  listen(parts, actions, () => isAnswering);
  const open = (who: 'you' | 'assistant') => addMessage(log, who, texts[who]);
  return {
    show(who, text) {
      const message = open(who);
      message.end(text);
      return message;
    },
    openAnswer() {
      log.setAttribute('aria-busy', 'true');
      return open('assistant');
    },
    tellError(told) {
      error.textContent = told;
    },
    setAnswering(answering) {
      isAnswering = answering;
      status.textContent = answering ? texts.answering : '';
      send.hidden = answering;
      stop.hidden = !answering;
      // Whoever pressed the button that is gone goes on writing.
      if (root.activeElement === null) input.focus({ preventScroll: true });
    },
    restore(text) {
      if (input.value === '') input.value = text;
    },
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
    end(whole) {
      if (whole !== undefined) text.textContent = whole;
      log.removeAttribute('aria-busy');
      scroll();
    },
    remove() {
      item.remove();
      log.removeAttribute('aria-busy');
    },
  };
}

/** Enter sends, Shift and Enter begins a line, Escape ends an answer that is under way. */
function listen({ root, form, input, stop }: Parts, actions: PanelActions, isAnswering: () => boolean): void {
  const submit = () => {
    const text = input.value.trim();
    if (text === '' || isAnswering()) return;
    input.value = '';
    actions.say(text);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener('keydown', (event) => {
    // Somebody who is choosing a character by Enter has not ended the message.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape' && isAnswering()) actions.stop();
  });
  stop.addEventListener('click', () => actions.stop());
}
