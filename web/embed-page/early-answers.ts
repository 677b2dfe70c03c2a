import type { Model } from 'survey-core';

/** Answers that a visitor typed before the form was rendered, and the focused field. */
export interface EarlyAnswers {
  readonly values: ReadonlyMap<string, string | readonly string[]>;
  readonly focused: string | null;
}

/** Reads the answers of the first page that the service rendered, and removes the page. */
export function takeEarlyAnswers(container: HTMLElement): EarlyAnswers {
  const values = new Map<string, string | readonly string[]>();
  for (const field of container.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-early]'))
    if (field.value !== '') values.set(field.dataset.early ?? '', field.value);
  for (const { type, name, value } of container.querySelectorAll<HTMLInputElement>('input[name]:checked')) {
    const others = values.get(name);
    values.set(name, type === 'radio' ? value : [...(Array.isArray(others) ? others : []), value]);
  }
  const { activeElement } = document;
  const focused =
    activeElement instanceof HTMLElement && container.contains(activeElement)
      ? (activeElement.dataset.early ?? activeElement.getAttribute('name'))
      : null;
  container.replaceChildren();
  return { values, focused };
}

/** Sets early answers. Choices get the value of the form, which may be a number. */
export function setAnswers(survey: Model, { values, focused }: EarlyAnswers): void {
  for (const [name, value] of values) {
    const question = survey.getQuestionByName(name);
    if (!question) continue;
    const toChoice = (text: string): unknown => {
      const choices: readonly { value: unknown }[] = question.visibleChoices ?? [];
      return choices.find((choice) => String(choice.value) === text)?.value ?? text;
    };
    question.value = typeof value === 'string' ? toChoice(value) : value.map(toChoice);
  }
  if (focused !== null) setTimeout(() => survey.focusQuestion(focused), 0);
}
