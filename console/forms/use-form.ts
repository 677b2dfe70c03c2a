import { useRef, useState } from 'react';
import { type CallOptions, TesseraError } from '../../sdk/src/index.ts';
import { checkFields, type Issue } from './check-fields.ts';
import type { FieldGroup, ShownFields } from './field-group.ts';
import { isAt } from './is-at.ts';
import { issueText } from './issue-text.ts';
import { isUpdate, type Operation } from './operation.ts';
import { useAccessReason } from './use-access-reason.ts';

/** Options of a call that the server runs once, also if it is repeated because its reply was lost. */
export type Once = Required<Pick<CallOptions, 'idempotencyKey'>>;

/** The value that a form edits, and how it is sent. */
export interface FormOptions<Body extends object, Reply> {
  /** `import create from 'operation:api_keys.create'` */
  readonly operation: Operation;
  /** Values of the parameters of the operation's path, in order. */
  readonly path?: readonly string[];
  /** Calls the operation. A call that creates something passes `once` on, so that a repeated one creates it once. */
  readonly call: (body: Body, once: Once) => Promise<Reply>;
  /** The body as it would be sent now. */
  readonly value: Partial<Body>;
  readonly onChange: (value: Partial<Body>) => void;
  /** Called after the operation has succeeded, with its reply. */
  readonly onDone: (reply: Reply) => Promise<void> | void;
  /** Returns the field that an error without a field concerns, with a message; null if it concerns none. */
  readonly explain?: (error: TesseraError) => Promise<Issue | null>;
}

/** A form that calls an operation of the API. */
export interface Form<Body extends object> extends FieldGroup<Body> {
  readonly operation: Operation;
  readonly path: readonly string[];
  /** Sends the form. Errors of the server are shown, others are thrown. */
  readonly submit: () => Promise<void>;
  readonly isPending: boolean;
  /** True if the user has changed the value since the start or the last success. */
  readonly isChanged: () => boolean;
  /** Message about the whole form, or about fields that are not shown. */
  readonly message: string | null;
  /** True if the last submission got no answer. */
  readonly isUnanswered: boolean;
  /** Number of refused submissions. */
  readonly refusals: number;
}

/** A refused submission: messages at fields, and one above the form. */
interface Refusal {
  readonly issues: readonly Issue[];
  readonly message: string | null;
  /** True without an answer of the server. */
  readonly isUnanswered?: boolean;
}

const NO_REFUSAL: Refusal = { issues: [], message: null };
/** The refusal of a submission that may have arrived or not. */
const UNANSWERED: Refusal = { issues: [], message: null, isUnanswered: true };

/** Edits the body of an operation and calls it. The caller holds the value, in a state or in a draft. */
export function useForm<Body extends object, Reply>(options: FormOptions<Body, Reply>): Form<Body> {
  const { operation, path = [], call, value, onChange, onDone, explain } = options;
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState(NO_REFUSAL);
  const [refusals, setRefusals] = useState(0);
  const shown: ShownFields = useRef(new Set<string>()).current;
  // The value before the first change since the start or the last success.
  const saved = useRef<string | null>(null);
  // Newer than `value` between a change and the render that follows it.
  const latest = useRef(value);
  latest.current = value;
  // The last submission without an answer: if it is sent again unchanged, the server runs it once.
  const unanswered = useRef<{ readonly body: string; readonly once: Once } | null>(null);
  const refuse = (next: Refusal) => {
    setRefusal(next);
    setRefusals((count) => count + 1);
  };
  const submit = async () => {
    if (isPending) return;
    const issues = checkFields(operation, value);
    if (!isComplete(value, issues)) return refuse(toRefusal(issues, shown));
    setPending(true);
    setRefusal(NO_REFUSAL);
    const body = JSON.stringify(value);
    const once =
      unanswered.current?.body === body ? unanswered.current.once : { idempotencyKey: crypto.randomUUID() };
    try {
      const reply = await call(value, once);
      unanswered.current = null;
      saved.current = null;
      await onDone(reply);
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      if (cause.status === 0) {
        unanswered.current = { body, once };
        return refuse(UNANSWERED);
      }
      const explained = await explain?.(cause);
      refuse(explained ? toRefusal([explained], shown) : refusalOf(cause, shown));
    } finally {
      setPending(false);
    }
  };
  return {
    operation,
    path,
    place: '',
    fields: operation.fields,
    isUpdate: isUpdate(operation),
    value,
    change: (update) => {
      saved.current ??= JSON.stringify(value);
      latest.current = { ...latest.current, ...update(latest.current) };
      onChange(latest.current);
    },
    issues: refusal.issues,
    forget: (field) =>
      setRefusal(({ issues, message }) => ({ issues: issues.filter((each) => !isAt(each, field)), message })),
    shown,
    disabledReason: useAccessReason(operation),
    submit,
    isPending,
    isChanged: () => saved.current !== null && JSON.stringify(value) !== saved.current,
    message: refusal.message,
    isUnanswered: refusal.isUnanswered === true,
    refusals,
  };
}

/** True if a body without issues: it has all that its operation requires. */
function isComplete<Body extends object>(_body: Partial<Body>, issues: readonly Issue[]): _body is Body {
  return issues.length === 0;
}

function refusalOf(error: TesseraError, shown: ShownFields): Refusal {
  const issues = error.issues.map(({ field = '', message }) => ({ field, message }));
  return issues.length === 0 ? { issues, message: error.message } : toRefusal(issues, shown);
}

/** Collects the issues of fields that are not shown in one message. */
function toRefusal(issues: readonly Issue[], shown: ShownFields): Refusal {
  const isShown = (issue: Issue) => [...shown].some((field) => isAt(issue, field));
  const others = issues.filter((issue) => !isShown(issue));
  const texts = others.map(({ field, message }) =>
    field === '' ? issueText(message) : `${field}: ${issueText(message)}`,
  );
  return { issues: issues.filter(isShown), message: texts.length === 0 ? null : texts.join('. ') };
}
