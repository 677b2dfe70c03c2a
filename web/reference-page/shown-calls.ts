/** Shows the SDK and curl calls of each open operation, side by side. */
import { type Call, readCalls } from './calls.ts';

/** The calls of the current document. */
export interface ShownCalls {
  /** Sets the document that describes the operations. */
  setDocument(text: string): void;
}

const CLASS = 'calls';

/** Adds calls to operations when they are opened in `container`. */
export function showCalls(container: HTMLElement): ShownCalls {
  let calls: ReadonlyMap<string, Call> = new Map();
  const complete = () => {
    for (const body of container.querySelectorAll(`.opblock.is-open .opblock-body:not(:has(> .${CLASS}))`)) {
      const call = calls.get(nameOf(body.closest('.opblock')));
      if (call) body.prepend(draw(call));
    }
  };
  new MutationObserver(complete).observe(container, { childList: true, subtree: true });
  return {
    setDocument(text) {
      calls = readCalls(text);
    },
  };
}

/** Returns the name of an operation, such as `GET /api/forms/{code}`. */
function nameOf(operation: Element | null): string {
  const method = operation?.querySelector('.opblock-summary-method')?.textContent ?? '';
  const path = operation?.querySelector('.opblock-summary-path')?.getAttribute('data-path') ?? '';
  return `${method} ${path}`;
}

function draw({ sdk, curl }: Call): HTMLElement {
  const box = document.createElement('div');
  box.className = CLASS;
  for (const [title, text] of [
    ['SDK', sdk],
    ['curl', curl],
  ])
    if (text) box.append(drawText(title ?? '', text));
  return box;
}

function drawText(title: string, text: string): HTMLElement {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = title;
  const code = document.createElement('pre');
  code.textContent = text;
  code.tabIndex = 0;
  figure.append(caption, code);
  return figure;
}
