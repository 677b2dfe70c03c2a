import { parseEmbedMessage, redirectTarget, type SubmissionReceipt } from './embed-protocol.ts';
import { watchForRefusal } from './embed-refusal.ts';

/** Options of `Tessera.mount`. */
export interface MountOptions {
  readonly publicCode: string;
  readonly themeCode?: string;
  /** A language tag such as `de`; takes precedence over the form's own language. */
  readonly locale?: string;
  /** Called once per accepted submission, before a redirect action is followed. */
  readonly onComplete?: (result: SubmissionReceipt) => void;
}

/** A form on the page; `unmount` removes it and its listeners. */
export interface MountedForm {
  unmount(): void;
}

/** The global `Tessera` (docs/specification/forms.md#embedding). */
export interface TesseraEmbed {
  /**
   * Appends a form to an element.
   *
   * @throws Error if no element matches or the public code is missing
   */
  mount(target: Element | string, options: MountOptions): MountedForm;
}

declare global {
  interface Window {
    Tessera?: TesseraEmbed;
  }
}

/** Height in px until the form page reports its own. */
const initialHeight = 400;
/** Maximum height in px. A larger value is an error and would hide the rest of the page. */
const maxHeight = 50_000;

/** Sandbox permissions of the iframe. It may navigate the top window only after a click. */
const permissions = [
  'allow-scripts',
  'allow-same-origin',
  'allow-forms',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-top-navigation-by-user-activation',
  'allow-downloads',
].join(' ');

function findElement(target: Element | string): Element {
  const element = typeof target === 'string' ? document.querySelector(target) : target;
  if (element === null) throw new Error(`Tessera.mount: no element matches "${target}".`);
  return element;
}

function createFrame(base: string, { publicCode, themeCode, locale }: MountOptions): HTMLIFrameElement {
  const url = new URL(`embed/${encodeURIComponent(publicCode)}`, base);
  if (themeCode !== undefined && themeCode !== '') url.searchParams.set('theme', themeCode);
  if (locale !== undefined && locale !== '') url.searchParams.set('locale', locale);
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', permissions);
  frame.setAttribute('allow', '');
  frame.title = 'Form';
  frame.loading = 'lazy';
  frame.style.cssText = `display:block;width:100%;height:${initialHeight}px;border:0`;
  frame.src = url.href;
  return frame;
}

/** Calls `onComplete` before a redirect, so that the page can still act, for example count a conversion. */
function finish(result: SubmissionReceipt, onComplete: MountOptions['onComplete']): void {
  try {
    onComplete?.(result);
  } finally {
    const target = redirectTarget(result.actions);
    if (target !== null) window.location.assign(target);
  }
}

/** Handles the messages of one frame and ignores other windows and origins. */
function listenTo(frame: HTMLIFrameElement, options: MountOptions): () => void {
  const { origin } = new URL(frame.src);
  const confirm = watchForRefusal(frame, options.locale ?? document.documentElement.lang);
  const receive = (event: MessageEvent<unknown>): void => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return;
    const message = parseEmbedMessage(event.data);
    if (message === null || message.publicCode !== options.publicCode) return;
    confirm();
    if (message.type === 'tessera:resize')
      frame.style.height = `${Math.min(Math.ceil(message.height), maxHeight)}px`;
    else if (message.type === 'tessera:ready') frame.title = message.title;
    else finish(message.result, options.onComplete);
  };
  window.addEventListener('message', receive);
  return () => {
    window.removeEventListener('message', receive);
    confirm();
  };
}

function mount(base: string, target: Element | string, options: MountOptions): MountedForm {
  if (typeof options?.publicCode !== 'string' || options.publicCode === '')
    throw new Error('Tessera.mount: publicCode is required.');
  const element = findElement(target);
  const frame = createFrame(base, options);
  const stopListening = listenTo(frame, options);
  element.append(frame);
  return {
    unmount() {
      stopListening();
      frame.remove();
    },
  };
}

/** Mounts forms in elements with `data-tessera-form="<public code>"`. */
function mountMarked(embed: TesseraEmbed): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-tessera-form]')) {
    const { tesseraForm, tesseraTheme, tesseraLocale } = element.dataset;
    if (tesseraForm)
      embed.mount(element, {
        publicCode: tesseraForm,
        ...(tesseraTheme && { themeCode: tesseraTheme }),
        ...(tesseraLocale && { locale: tesseraLocale }),
      });
  }
}

function start(): void {
  const script = document.currentScript;
  // A page may include the script once per form; only the first one runs.
  if (!(script instanceof HTMLScriptElement) || window.Tessera !== undefined) return;
  const base = new URL('.', script.src).href;
  const embed: TesseraEmbed = { mount: (target, options) => mount(base, target, options) };
  window.Tessera = embed;
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => mountMarked(embed), { once: true });
  else mountMarked(embed);
}

start();
