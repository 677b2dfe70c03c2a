import { isRecord } from './is-record.ts';

/** Action after a submission (docs/specification/forms.md#form). Unknown types are passed on unchanged. */
export interface PostSubmitAction {
  readonly type: string;
  readonly url?: string;
  readonly html?: string;
}

/** The answer to an accepted submission; `onComplete` receives it. */
export interface SubmissionReceipt {
  readonly submission_id: string;
  readonly actions: readonly PostSubmitAction[];
}

/** Messages from the form page to its parent page; `height` is in CSS pixels. */
export type EmbedMessage =
  | { readonly type: 'tessera:ready'; readonly publicCode: string; readonly title: string }
  | { readonly type: 'tessera:resize'; readonly publicCode: string; readonly height: number }
  | { readonly type: 'tessera:complete'; readonly publicCode: string; readonly result: SubmissionReceipt };

function isAction(value: unknown): value is PostSubmitAction {
  const isText = (field: unknown): boolean =>
    field === undefined || field === null || typeof field === 'string';
  return isRecord(value) && typeof value.type === 'string' && isText(value.url) && isText(value.html);
}

function isReceipt(value: unknown): value is SubmissionReceipt {
  if (!isRecord(value) || typeof value.submission_id !== 'string') return false;
  return Array.isArray(value.actions) && value.actions.every(isAction);
}

/** Parses the body of an accepted submission; null if it is something else, such as a network's login page. */
export function parseReceipt(value: unknown): SubmissionReceipt | null {
  return isReceipt(value) ? value : null;
}

/** Parses a message from a frame; null for other messages. */
export function parseEmbedMessage(data: unknown): EmbedMessage | null {
  if (!isRecord(data) || typeof data.publicCode !== 'string') return null;
  const { type, publicCode, title, height, result } = data;
  if (type === 'tessera:ready' && typeof title === 'string') return { type, publicCode, title };
  if (type === 'tessera:resize' && typeof height === 'number' && height >= 0 && Number.isFinite(height))
    return { type, publicCode, height };
  if (type === 'tessera:complete' && isReceipt(result)) return { type, publicCode, result };
  return null;
}

/** Returns the URL of the first redirect action, or null. Only `http` and `https` are allowed, not `javascript:`. */
export function redirectTarget(actions: readonly PostSubmitAction[]): string | null {
  const url = actions.find((action) => action.type === 'redirect')?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
