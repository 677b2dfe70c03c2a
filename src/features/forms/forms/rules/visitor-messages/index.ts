import { arabic } from './arabic.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import type { VisitorMessages } from './message-codes.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

/** Messages for visitors by primary language subtag (RFC 5646). */
export const languages: ReadonlyMap<string, VisitorMessages> = new Map([
  ['ar', arabic],
  ['de', german],
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['it', italian],
  ['ja', japanese],
  ['nl', dutch],
  ['pl', polish],
  ['pt', portuguese],
]);

/** Returns the messages for a locale and their language: English if there is no translation. */
export function visitorMessagesIn(locale: string): {
  readonly language: string;
  readonly messages: VisitorMessages;
} {
  const [primary = ''] = locale.toLowerCase().split('-');
  const messages = languages.get(primary);
  return messages === undefined ? { language: 'en', messages: english } : { language: primary, messages };
}
