/** Shows in each operation that is open how it is called: with the SDK and with curl, side by side. */
import { type Call, readCalls } from './calls.ts';

/** Shows the calls of the document that is drawn. */
export interface ShownCalls {
  /** Sets the document of which the operations are. */
  setDocument(text: string): void;
}

const CLASS = 'calls';

/** Adds calls to the operations that are opened in `place`, now and later. */
export function showCalls(place: HTMLElement): ShownCalls {
  let calls: ReadonlyMap<string, Call> = new Map();
  const complete = () => {
    for (const body of place.querySelectorAll(`.opblock.is-open .opblock-body:not(:has(> .${CLASS}))`)) {
      const call = calls.get(nameOf(body.closest('.opblock')));
      if (call) body.prepend(draw(call));
    }
  };
  new MutationObserver(complete).observe(place, { childList: true, subtree: true });
  return {
    setDocument(text) {
      calls = readCalls(text);
    },
  };
}

/** The name of an operation: `GET /api/forms/{code}`. */
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
