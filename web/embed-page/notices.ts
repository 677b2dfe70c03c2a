import { requireElement } from './page-parts.ts';

/** The page's own messages, below the form; both places are announced by screen readers when they change. */
export interface Notices {
  /** A passing state, such as "sending". An empty text clears it. */
  status(text: string): void;
  /** Tells only those who cannot see it what the page shows by itself. */
  announce(text: string): void;
  /** Shows errors until the next attempt; an empty list clears them. */
  alert(lines: readonly string[]): void;
  /** Brings the alert into view and the keyboard to it. */
  focusAlert(): void;
  /** Offers a way on for a page that may not be left by itself. */
  offerLink(url: string, text: string): void;
}

/** Connects the notices with their places in the page. */
export function createNotices(): Notices {
  const statusPlace = requireElement('tessera-status');
  const alertPlace = requireElement('tessera-alert');
  const linkPlace = requireElement('tessera-continue');
  const say = (text: string, isSeen: boolean): void => {
    statusPlace.classList.toggle('tessera-unseen', !isSeen);
    statusPlace.textContent = text;
  };
  return {
    status: (text) => say(text, true),
    announce: (text) => say(text, false),
    alert(lines) {
      const paragraphs = lines.map((line) => {
        const paragraph = document.createElement('p');
        paragraph.textContent = line;
        return paragraph;
      });
      alertPlace.replaceChildren(...paragraphs);
    },
    focusAlert() {
      alertPlace.focus({ preventScroll: true });
      alertPlace.scrollIntoView({ block: 'nearest' });
    },
    offerLink(url, text) {
      const link = document.createElement('a');
      link.href = url;
      link.target = '_top';
      link.textContent = text;
      linkPlace.replaceChildren(link);
    },
  };
}
