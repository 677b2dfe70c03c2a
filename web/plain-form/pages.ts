import type { Question } from './question.ts';

/** The pages of a form, of which one is shown. */
export interface Pages {
  readonly current: number;
  /** Shows a page and leads keyboards and screen readers there (WCAG 2.2, 2.4.3 and 4.1.3). */
  open(page: number): void;
  /** Shows the page of a question and leads there. */
  lead(question: Question): void;
}

type ButtonName = 'previous' | 'next' | 'complete';

/** The buttons below the form, which wait for the script. */
export function openButtons(container: HTMLElement, presses: Readonly<Record<ButtonName, () => void>>): void {
  for (const [name, press] of Object.entries(presses)) {
    const button = container.querySelector<HTMLInputElement>(`[data-button="${name}"] input`);
    if (button === null) continue;
    button.disabled = false;
    button.addEventListener('click', press);
  }
}

/** Takes over the pages as the service drew them. */
export function openPages(container: HTMLElement, questions: readonly (readonly Question[])[]): Pages {
  const elements = [...container.querySelectorAll<HTMLElement>('.sd-page')];
  const last = elements.length - 1;
  let current = 0;

  const show = (page: number): void => {
    current = page;
    for (const [place, element] of elements.entries()) element.hidden = place !== page;
    const hidden = { previous: page === 0, next: page === last, complete: page !== last };
    for (const [name, isHidden] of Object.entries(hidden)) {
      const button = container.querySelector<HTMLElement>(`[data-button="${name}"]`);
      if (button !== null) button.hidden = isHidden;
    }
  };

  return {
    get current() {
      return current;
    },
    open(page) {
      show(page);
      const element = elements[page];
      if (element === undefined) return;
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
      if (container.getBoundingClientRect().top < 0) container.scrollIntoView();
    },
    lead(question) {
      show(questions.findIndex((onPage) => onPage.includes(question)));
      question.focus();
    },
  };
}
