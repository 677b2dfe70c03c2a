import type { TesseraError } from '../../sdk/src/index.ts';
import { formTexts } from './texts.ts';

/** Returns what to say about a failed call: the message of the server, or that it did not answer. */
export function failureText({ status, message }: TesseraError): string {
  return status === 0 ? formTexts.translate('offline') : message;
}
