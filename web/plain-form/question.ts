import type { ChoiceValue, ScriptQuestion } from '../../src/features/forms/embed/plain-form/script-form.ts';
import { requireElement } from '../embed-page/page-parts.ts';
import { findFaults } from './checks.ts';
import { createErrorBox } from './errors.ts';

/** A question on the page. */
export interface Question {
  readonly name: string;
  /** Returns the answer to send; undefined if there is none. */
  value(): unknown;
  /** Shows the errors of the answer. Returns true if there are none. */
  check(): boolean;
  /** Shows an error from the service. */
  addError(message: string): void;
  focus(): void;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controlsOf(root: HTMLElement): Control[] {
  return [...root.querySelectorAll<Control>('input, textarea, select')];
}

function isChecked(control: Control): boolean {
  return control instanceof HTMLInputElement && control.checked;
}

/** Tracks choices in the order of selection, as SurveyJS sends them. Must listen before errors are updated. */
function trackChoices(
  controls: readonly Control[],
  toChoice: (text: string) => ChoiceValue,
): () => ChoiceValue[] | undefined {
  let chosen = controls.filter(isChecked).map(({ value }) => toChoice(value));
  for (const control of controls)
    control.addEventListener('input', () => {
      const value = toChoice(control.value);
      chosen = chosen.filter((other) => other !== value);
      if (isChecked(control)) chosen = [...chosen, value];
    });
  return () => (chosen.length === 0 ? undefined : chosen);
}

/** Tracks a checkbox: undefined until it is ticked; false after it was ticked and unticked. */
function trackCheckbox([control]: readonly Control[]): () => boolean | undefined {
  let isTouched = false;
  control?.addEventListener('input', () => {
    isTouched = true;
  });
  return () => {
    const isTicked = control !== undefined && isChecked(control);
    return isTicked || isTouched ? isTicked : undefined;
  };
}

function createReader({ kind, values }: ScriptQuestion, controls: readonly Control[]): () => unknown {
  const toChoice = (text: string): ChoiceValue => values.find((value) => String(value) === text) ?? text;
  const [first] = controls;
  switch (kind) {
    case 'choices':
      return trackChoices(controls, toChoice);
    case 'checkbox':
      return trackCheckbox(controls);
    case 'choice':
      return () => {
        const text = first instanceof HTMLSelectElement ? first.value : controls.find(isChecked)?.value;
        return text === undefined || text === '' ? undefined : toChoice(text);
      };
    default:
      return () => {
        const text = first?.value ?? '';
        if (text === '') return undefined;
        return kind === 'number' ? Number(text) : text;
      };
  }
}

/** Shows the number of characters of a bounded field. */
function countCharacters(root: HTMLElement, control: Control | undefined): void {
  const counter = root.querySelector('.sd-remaining-character-counter');
  if (counter === null || control === undefined || control instanceof HTMLSelectElement) return;
  const update = (): void => {
    counter.textContent = `${control.value.length}/${control.maxLength}`;
  };
  control.addEventListener('input', update);
  update();
}

/** Connects a question that the service rendered. Answers given before that are included. */
export function openQuestion(definition: ScriptQuestion, id: string): Question {
  const root = requireElement(id);
  const controls = controlsOf(root);
  const value = createReader(definition, controls);
  const errors = createErrorBox(root, requireElement(`${id}-field`));
  const faults = (): string[] => {
    const isValid = controls.every(({ validity }) => !validity.badInput);
    return findFaults(definition.checks, value(), isValid);
  };
  countCharacters(root, controls[0]);
  // Removes errors while typing. Removing them on blur would move a control while it is being pressed.
  root.addEventListener('input', () => {
    if (errors.shown.length === 0) return;
    const remaining = faults();
    errors.show(errors.shown.filter((message) => remaining.includes(message)));
  });
  return {
    name: definition.name,
    value,
    check() {
      const found = faults();
      errors.show(found);
      return found.length === 0;
    },
    addError: (message) => errors.show([...errors.shown, message]),
    focus: () => (controls.find(isChecked) ?? controls[0])?.focus(),
  };
}
