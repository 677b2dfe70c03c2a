import type { Question } from './question.ts';

/** The pages of a form, one of which is visible. */
export interface Pages {
  readonly current: number;
  /** Shows a page and moves the focus to it (WCAG 2.2, 2.4.3 and 4.1.3). */
  open(page: number): void;
  /** Shows the page of a question and focuses the question. */
  focus(question: Question): void;
}

type ButtonName = 'previous' | 'next' | 'complete';

/** Enables the buttons below the form, which are disabled until the script runs. */
export function openButtons(container: HTMLElement, actions: Readonly<Record<ButtonName, () => void>>): void {
  for (const [name, action] of Object.entries(actions)) {
    const button = container.querySelector<HTMLInputElement>(`[data-button="${name}"] input`);
    if (button === null) continue;
    button.disabled = false;
    button.addEventListener('click', action);
  }
}

/** Connects the pages that the service rendered. */
export function openPages(container: HTMLElement, questions: readonly (readonly Question[])[]): Pages {
  const elements = [...container.querySelectorAll<HTMLElement>('.sd-page')];
  const last = elements.length - 1;
  let current = 0;

  const show = (page: number): void => {
    current = page;
    for (const [index, element] of elements.entries()) element.hidden = index !== page;
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
    focus(question) {
      show(questions.findIndex((onPage) => onPage.includes(question)));
      question.focus();
    },
  };
}
