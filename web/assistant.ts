import { type ShownMessage, showPanel } from './assistant/panel.ts';
import { TalkError, talk } from './assistant/talk.ts';
import { TEXTS, type Texts, textOfError } from './assistant/texts.ts';

/** What `TesseraAssistant.mount` needs to show a conversation. */
export interface AssistantOptions {
  /** The token of a conversation, which the page's own server has asked for. */
  readonly token: string;
  /** The assistant's first words; nobody is asked for them. */
  readonly greeting?: string;
  /** What the panel says in other words than English ones. */
  readonly texts?: Partial<Texts>;
  /** Called with each answer. */
  readonly onAnswer?: (text: string) => void;
}

/** A conversation on the page; `unmount` takes it away and ends what is under way. */
export interface MountedAssistant {
  unmount(): void;
}

/** The global `TesseraAssistant` (docs/specification/ai.md#conversations). */
export interface TesseraAssistantScript {
  /**
   * Puts a conversation at the end of an element.
   *
   * @throws Error when no element matches, or when there is no token
   */
  mount(target: Element | string, options: AssistantOptions): MountedAssistant;
}

declare global {
  interface Window {
    TesseraAssistant?: TesseraAssistantScript;
  }
}

function mount(url: string, target: Element | string, options: AssistantOptions): MountedAssistant {
  const { token, greeting, texts: ownTexts, onAnswer } = options ?? {};
  if (typeof token !== 'string' || token === '')
    throw new Error('TesseraAssistant.mount: give the token of a conversation.');
  const element = typeof target === 'string' ? document.querySelector(target) : target;
  if (element === null) throw new Error(`TesseraAssistant.mount: no element matches "${target}".`);
  const texts = { ...TEXTS, ...ownTexts };
  let underWay = new AbortController();
  const panel = showPanel(element, texts, {
    say: (text) => void say(text),
    stop: () => underWay.abort(),
  });
  if (greeting !== undefined) panel.show('assistant', greeting);

  async function say(text: string): Promise<void> {
    underWay = new AbortController();
    const { signal } = underWay;
    panel.tellError('');
    const own = panel.show('you', text);
    panel.setAnswering(true);
    const answer = panel.openAnswer();
    try {
      await talk({ url, token, signal }, text, {
        onText: (more) => answer.add(more),
        onEnd: (whole) => {
          answer.end(whole);
          onAnswer?.(whole);
        },
      });
    } catch (error) {
      own.remove();
      giveUp(answer, text, error, signal.aborted);
    }
    panel.setAnswering(false);
  }

  /** Nothing of it is in the conversation: what was said can be said again. */
  function giveUp(answer: ShownMessage, text: string, error: unknown, isStopped: boolean): void {
    answer.remove();
    panel.restore(text);
    if (!isStopped) panel.tellError(textOfError(error instanceof TalkError ? error.code : '', texts));
  }

  return {
    unmount() {
      underWay.abort();
      panel.remove();
    },
  };
}

/** Mounts the elements that ask for a conversation by `data-tessera-assistant="<token>"`. */
function mountMarked(assistant: TesseraAssistantScript): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-tessera-assistant]')) {
    const { tesseraAssistant: token, tesseraGreeting: greeting } = element.dataset;
    if (token) assistant.mount(element, { token, ...(greeting && { greeting }) });
  }
}

function start(): void {
  const script = document.currentScript;
  // A page may include the script more than once; the first one serves them all.
  if (!(script instanceof HTMLScriptElement) || window.TesseraAssistant !== undefined) return;
  const url = new URL('api/ai/conversation/messages', script.src).href;
  const assistant: TesseraAssistantScript = { mount: (target, options) => mount(url, target, options) };
  window.TesseraAssistant = assistant;
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => mountMarked(assistant), { once: true });
  else mountMarked(assistant);
}

start();
