import { setAccent } from './assistant/accent.ts';
import { showBubble } from './assistant/bubble.ts';
import { type Panel, type ShownMessage, showPanel } from './assistant/panel.ts';
import { TalkError, talk } from './assistant/talk.ts';
import { TEXTS, type Texts, textOfError } from './assistant/texts.ts';

/** Options of a conversation on a page. */
export interface AssistantOptions {
  /** Token of a conversation, which the page's own server requests. */
  readonly token: string;
  /** First message of the assistant. The model does not see it. */
  readonly greeting?: string;
  /** Colour of buttons and of the visitor's messages: any CSS colour, such as the brand's. */
  readonly accent?: string;
  /** Replacements of the English texts. */
  readonly texts?: Partial<Texts>;
  /** Called with each complete answer. */
  readonly onAnswer?: (text: string) => void;
}

/** A conversation on the page; `unmount` removes it and stops an answer. */
export interface MountedAssistant {
  unmount(): void;
}

/** A conversation in a bubble. */
export interface AssistantBubble extends MountedAssistant {
  open(): void;
  close(): void;
}

/** The global `TesseraAssistant` (docs/specification/ai.md#conversations). */
export interface TesseraAssistantScript {
  /**
   * Adds a conversation to an element.
   *
   * @throws Error if no element matches or the token is missing
   */
  mount(target: Element | string, options: AssistantOptions): MountedAssistant;
  /**
   * Adds a bubble to the corner of the page, which opens a conversation.
   *
   * @throws Error if the token is missing
   */
  bubble(options: AssistantOptions): AssistantBubble;
}

declare global {
  interface Window {
    TesseraAssistant?: TesseraAssistantScript;
  }
}

function mount(url: string, target: Element | string, options: AssistantOptions): MountedAssistant {
  checkToken('mount', options);
  const element = typeof target === 'string' ? document.querySelector(target) : target;
  if (element === null) throw new Error(`TesseraAssistant.mount: no element matches "${target}".`);
  return startConversation(url, element, options);
}

function bubble(url: string, options: AssistantOptions): AssistantBubble {
  checkToken('bubble', options);
  const widget = showBubble({ ...TEXTS, ...options.texts }, () => conversation.panel.focus());
  if (options.accent !== undefined) setAccent(widget.host, options.accent);
  const conversation = startConversation(url, widget.body, { ...options, accent: undefined });
  conversation.panel.host.dataset.inBubble = '';
  return {
    open: widget.open,
    close: widget.close,
    unmount() {
      conversation.unmount();
      widget.remove();
    },
  };
}

function checkToken(caller: string, options: AssistantOptions | undefined): void {
  if (typeof options?.token !== 'string' || options.token === '')
    throw new Error(`TesseraAssistant.${caller}: token is required.`);
}

/** Shows a panel in an element and answers its messages. */
function startConversation(
  url: string,
  element: Element,
  { token, greeting, accent, texts: ownTexts, onAnswer }: AssistantOptions,
): MountedAssistant & { readonly panel: Panel } {
  const texts = { ...TEXTS, ...ownTexts };
  let pending = new AbortController();
  const panel = showPanel(element, texts, {
    sendMessage: (text) => void sendMessage(text),
    stop: () => pending.abort(),
  });
  if (accent !== undefined) setAccent(panel.host, accent);
  if (greeting !== undefined) panel.show('assistant', greeting);

  async function sendMessage(text: string): Promise<void> {
    pending = new AbortController();
    const { signal } = pending;
    panel.showError('');
    const sent = panel.show('you', text);
    panel.setAnswering(true);
    const answer = panel.openAnswer();
    try {
      await talk({ url, token, signal }, text, {
        onText: (more) => answer.add(more),
        onEnd: (full) => {
          answer.end(full);
          onAnswer?.(full);
        },
      });
    } catch (error) {
      sent.remove();
      giveUp(answer, text, error, signal.aborted);
    }
    panel.setAnswering(false);
  }

  /** The conversation contains neither the message nor an answer, so the message can be sent again. */
  function giveUp(answer: ShownMessage, text: string, error: unknown, isStopped: boolean): void {
    answer.remove();
    panel.restore(text);
    if (!isStopped) panel.showError(textOfError(error instanceof TalkError ? error.code : '', texts));
  }

  return {
    panel,
    unmount() {
      pending.abort();
      panel.remove();
    },
  };
}

/** Starts conversations in elements with `data-tessera-assistant="<token>"`. */
function mountMarked(assistant: TesseraAssistantScript): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-tessera-assistant]')) {
    const { tesseraAssistant: token, tesseraGreeting: greeting } = element.dataset;
    if (token) assistant.mount(element, { token, ...(greeting && { greeting }) });
  }
}

function start(): void {
  const script = document.currentScript;
  // A page may include the script more than once; only the first one runs.
  if (!(script instanceof HTMLScriptElement) || window.TesseraAssistant !== undefined) return;
  const url = new URL('api/ai/conversation/messages', script.src).href;
  const assistant: TesseraAssistantScript = {
    mount: (target, options) => mount(url, target, options),
    bubble: (options) => bubble(url, options),
  };
  window.TesseraAssistant = assistant;
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => mountMarked(assistant), { once: true });
  else mountMarked(assistant);
}

start();
