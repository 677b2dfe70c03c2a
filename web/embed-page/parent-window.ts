import type { EmbedMessage, SubmissionReceipt } from '../embed-protocol.ts';

/** The page that frames the form. */
export interface ParentWindow {
  /** Says that the form is drawn, and from now on how tall it is. */
  ready(): void;
  /** Says that a submission was accepted. */
  complete(result: SubmissionReceipt): void;
}

function post(message: EmbedMessage): void {
  // Only origins of `frame-ancestors` can be the parent, and no message holds an answer: any origin may read it.
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

/** The page around the form, or null when the form is opened by itself; styles depend on which it is. */
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
