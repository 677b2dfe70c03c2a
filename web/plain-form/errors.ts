/** The error messages of a question, as in SurveyJS: above the question and linked to its control. */
export interface ErrorBox {
  /** The visible messages. */
  readonly shown: readonly string[];
  /** Replaces the messages. Without messages the box is removed. */
  show(messages: readonly string[]): void;
}

function createBox(id: string, messages: readonly string[]): HTMLElement {
  const box = document.createElement('div');
  box.id = id;
  box.className =
    'sd-error sd-element__erbox sd-question__erbox sd-element__erbox--above-element sd-question__erbox--above-question';
  box.setAttribute('role', 'alert');
  box.setAttribute('aria-live', 'polite');
  box.setAttribute('aria-atomic', 'true');
  for (const message of messages) {
    const line = document.createElement('div');
    const item = document.createElement('span');
    item.className = 'sd-error__item';
    item.textContent = message;
    line.append(item);
    box.append(line);
  }
  return box;
}

/** Creates the error box of a question. @param field the control, or the group of its controls */
export function createErrorBox(root: HTMLElement, field: HTMLElement): ErrorBox {
  const id = `${root.id}-errors`;
  const help = field.getAttribute('aria-describedby');
  const title = root.querySelector('.sd-question__title');
  const items = root.querySelectorAll('.sd-item');
  let shown: readonly string[] = [];
  return {
    get shown() {
      return shown;
    },
    show(messages) {
      if (messages.join('\n') === shown.join('\n')) return;
      shown = messages;
      const isFaulty = messages.length > 0;
      document.getElementById(id)?.remove();
      if (isFaulty) root.prepend(createBox(id, messages));
      for (const name of ['sd-question--error', 'sd-question--error-top'])
        root.classList.toggle(name, isFaulty);
      title?.classList.toggle('sd-question__title--error', isFaulty);
      field.classList.toggle('sd-input--error', isFaulty && field.classList.contains('sd-input'));
      for (const item of items) item.classList.toggle('sd-item--error', isFaulty);
      field.setAttribute('aria-invalid', String(isFaulty));
      const description = isFaulty ? id : help;
      if (description === null) field.removeAttribute('aria-describedby');
      else field.setAttribute('aria-describedby', description);
    },
  };
}
