import { useState } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';

/** A form's submission: its state, and the server's errors. */
export interface Submission {
  /** Sends the form. Errors of the server are kept, others are thrown. */
  readonly submit: () => Promise<void>;
  readonly isPending: boolean;
  /** Returns the server's message about a field. */
  readonly errorOf: (field: string) => string | undefined;
  /** The server's message if it concerns none of the form's fields. */
  readonly message: string | null;
}

/** Sends a form with `send`; `fields` are the names of the API's fields that the form shows errors at. */
export function useSubmit(fields: readonly string[], send: () => Promise<void>): Submission {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<TesseraError | null>(null);
  const submit = async () => {
    if (isPending) return;
    setPending(true);
    setError(null);
    try {
      await send();
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      setError(cause);
    } finally {
      setPending(false);
    }
  };
  const issues = error?.issues ?? [];
  const errorOf = (field: string) => issues.find((issue) => isAbout(issue.field, field))?.message;
  const isShown =
    issues.length > 0 && issues.every((issue) => fields.some((field) => isAbout(issue.field, field)));
  return { submit, isPending, errorOf, message: error === null || isShown ? null : error.message };
}

/** True if an issue's path, such as `grants[0].bu_id`, belongs to a field. */
function isAbout(path: string | undefined, field: string): boolean {
  if (path === undefined || !path.startsWith(field)) return false;
  return path.length === field.length || /[.[]/.test(path.charAt(field.length));
}
