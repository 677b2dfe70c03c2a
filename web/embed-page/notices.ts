import { requireElement } from './page-parts.ts';

/** The page's messages below the form. Screen readers announce changes of status and alert. */
export interface Notices {
  /** Shows a temporary state, such as "sending". An empty text clears it. */
  status(text: string): void;
  /** Announces to screen readers what the page already shows. */
  announce(text: string): void;
  /** Shows errors until the next attempt; an empty list clears them. */
  alert(lines: readonly string[]): void;
  /** Scrolls to the alert and focuses it. */
  focusAlert(): void;
  /** Shows a link for a redirect that the page must not follow by itself. */
  offerLink(url: string, text: string): void;
}

/** Connects the notices with their elements. */
export function createNotices(): Notices {
  const statusElement = requireElement('tessera-status');
  const alertElement = requireElement('tessera-alert');
  const linkElement = requireElement('tessera-continue');
  const setStatus = (text: string, isVisible: boolean): void => {
    statusElement.classList.toggle('tessera-unseen', !isVisible);
    statusElement.textContent = text;
  };
  return {
    status: (text) => setStatus(text, true),
    announce: (text) => setStatus(text, false),
    alert(lines) {
      const paragraphs = lines.map((line) => {
        const paragraph = document.createElement('p');
        paragraph.textContent = line;
        return paragraph;
      });
      alertElement.replaceChildren(...paragraphs);
    },
    focusAlert() {
      alertElement.focus({ preventScroll: true });
      alertElement.scrollIntoView({ block: 'nearest' });
    },
    offerLink(url, text) {
      const link = document.createElement('a');
      link.href = url;
      link.target = '_top';
      link.textContent = text;
      linkElement.replaceChildren(link);
    },
  };
}
