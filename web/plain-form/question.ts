import type { ChoiceValue, PlayedQuestion } from '../../src/features/forms/embed/plain-form/played-form.ts';
import { requireElement } from '../embed-page/page-parts.ts';
import { findFaults } from './checks.ts';
import { createErrorPlace } from './errors.ts';

/** A question where it stands on the page. */
export interface Question {
  readonly name: string;
  /** The answer as it is sent; undefined when there is none. */
  value(): unknown;
  /** Shows what is wrong with the answer. @returns whether nothing is */
  check(): boolean;
  /** Shows what the service found. */
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

/** Keeps choices in the order in which they were made, as SurveyJS sends them; known by the time errors are looked at. */
function followChoices(
  controls: readonly Control[],
  written: (text: string) => ChoiceValue,
): () => ChoiceValue[] | undefined {
  let chosen = controls.filter(isChecked).map(({ value }) => written(value));
  for (const control of controls)
    control.addEventListener('input', () => {
      const value = written(control.value);
      chosen = chosen.filter((other) => other !== value);
      if (isChecked(control)) chosen = [...chosen, value];
    });
  return () => (chosen.length === 0 ? undefined : chosen);
}

/** A box that nobody touched is no answer; one that was ticked and is no more says no. */
function followTick([control]: readonly Control[]): () => boolean | undefined {
  let isTouched = false;
  control?.addEventListener('input', () => {
    isTouched = true;
  });
  return () => {
    const isTicked = control !== undefined && isChecked(control);
    return isTicked || isTouched ? isTicked : undefined;
  };
}

function reader({ kind, values }: PlayedQuestion, controls: readonly Control[]): () => unknown {
  const written = (text: string): ChoiceValue => values.find((value) => String(value) === text) ?? text;
  const [first] = controls;
  switch (kind) {
    case 'choices':
      return followChoices(controls, written);
    case 'tick':
      return followTick(controls);
    case 'choice':
      return () => {
        const text = first instanceof HTMLSelectElement ? first.value : controls.find(isChecked)?.value;
        return text === undefined || text === '' ? undefined : written(text);
      };
    default:
      return () => {
        const text = first?.value ?? '';
        if (text === '') return undefined;
        return kind === 'number' ? Number(text) : text;
      };
  }
}

/** Shows how much of a bounded field is filled. */
function countCharacters(root: HTMLElement, control: Control | undefined): void {
  const counter = root.querySelector('.sd-remaining-character-counter');
  if (counter === null || control === undefined || control instanceof HTMLSelectElement) return;
  const update = (): void => {
    counter.textContent = `${control.value.length}/${control.maxLength}`;
  };
  control.addEventListener('input', update);
  update();
}

/** Takes over a question as the service drew it; what was answered this early counts. */
export function openQuestion(played: PlayedQuestion, id: string): Question {
  const root = requireElement(id);
  const controls = controlsOf(root);
  const value = reader(played, controls);
  const errors = createErrorPlace(root, requireElement(`${id}-field`));
  const faults = (): string[] => {
    const isReadable = controls.every(({ validity }) => !validity.badInput);
    return findFaults(played.checks, value(), isReadable);
  };
  countCharacters(root, controls[0]);
  // An error goes while its answer is put right: when it went later, with the focus, it would move what is being pressed.
  root.addEventListener('input', () => {
    if (errors.shown.length === 0) return;
    const still = faults();
    errors.show(errors.shown.filter((message) => still.includes(message)));
  });
  return {
    name: played.name,
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
