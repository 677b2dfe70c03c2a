import { isRecord } from './is-record.ts';

/** What follows a submission (docs/specification/forms.md#form); unknown types travel along untouched. */
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

/** Reads the body of an accepted submission; null when it is none, for example a login page of a network. */
export function parseReceipt(value: unknown): SubmissionReceipt | null {
  return isReceipt(value) ? value : null;
}

/** Reads a message from a frame; null for anything that is not one of ours. */
export function parseEmbedMessage(data: unknown): EmbedMessage | null {
  if (!isRecord(data) || typeof data.publicCode !== 'string') return null;
  const { type, publicCode, title, height, result } = data;
  if (type === 'tessera:ready' && typeof title === 'string') return { type, publicCode, title };
  if (type === 'tessera:resize' && typeof height === 'number' && height >= 0 && Number.isFinite(height))
    return { type, publicCode, height };
  if (type === 'tessera:complete' && isReceipt(result)) return { type, publicCode, result };
  return null;
}

/** Where the first redirect action leads, or null. Only `http` and `https` pass: `javascript:` would run as us. */
export function redirectTarget(actions: readonly PostSubmitAction[]): string | null {
  const url = actions.find((action) => action.type === 'redirect')?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
