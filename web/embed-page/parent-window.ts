import type { EmbedMessage, SubmissionReceipt } from '../embed-protocol.ts';

/** The page that frames the form. */
export interface ParentWindow {
  /** Reports that the form is rendered, and from then on its height. */
  ready(): void;
  /** Reports an accepted submission. */
  complete(result: SubmissionReceipt): void;
}

function post(message: EmbedMessage): void {
  // Only origins of `frame-ancestors` can be the parent, and no message contains answers, so any origin may read it.
  window.parent.postMessage(message, '*');
}

function reportHeight(publicCode: string): void {
  let reported = 0;
  const report = (): void => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height !== reported) {
      reported = height;
      post({ type: 'tessera:resize', publicCode, height });
    }
  };
  new ResizeObserver(report).observe(document.body);
  report();
}

/** Returns the parent page; null if the form is not embedded. Sets the class that styles depend on. */
export function findParent(publicCode: string): ParentWindow | null {
  const isFramed = window.parent !== window;
  document.documentElement.classList.add(isFramed ? 'tessera-framed' : 'tessera-standalone');
  if (!isFramed) return null;
  return {
    ready() {
      post({ type: 'tessera:ready', publicCode, title: document.title });
      reportHeight(publicCode);
    },
    complete(result) {
      post({ type: 'tessera:complete', publicCode, result });
    },
  };
}
