import { useState } from 'react';
import { TextArea } from '../ui/text-area.tsx';
import { type FieldGroup, useFieldState } from './field-group.ts';

interface JsonFieldProps<Value extends object> {
  readonly form: FieldGroup<Value>;
  /** Name of the member of the request: any JSON object. */
  readonly name: keyof Value & string;
  readonly label: string;
  readonly help?: string;
}

/** A JSON object as text. While the text is no JSON, the value of the field is the text, which the form refuses. */
export function JsonField<Value extends object>({ form, name, ...texts }: JsonFieldProps<Value>) {
  const { set, ...state } = useFieldState(form, name);
  const value: unknown = form.value[name];
  const [typed, setTyped] = useState('');
  // What was typed keeps its spaces and line breaks, until the value changes in another way, such as undo.
  const text = isSame(readJson(typed), value) ? typed : printJson(value);
  return (
    <TextArea
      {...texts}
      {...state}
      value={text}
      onChange={(next) => {
        setTyped(next);
        set(readJson(next));
      }}
      isMono
      spellCheck="false"
    />
  );
}

/** Returns the value of a JSON text; the text itself if it is no JSON, an empty object if it is empty. */
function readJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function printJson(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
