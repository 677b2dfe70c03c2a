/** Complaints without a feedback report (RFC 5965): a plain mail with the message attached. */
import { decodeWords } from './encoded-words.ts';
import type { ParsedMessage } from './mime-parts.ts';

/** Subjects of complaint programs: Microsoft JMRP, AOL and Yahoo, Comcast, abuse desks. */
const SUBJECT =
  /^(?:(?:fwd?|fw|re): ?)?\[?(?:complaint about (?:a )?message|email feedback report|e?-?mail abuse report|abuse report|spam (?:complaint|report)|user complaint|jmrp|feedback loop report)/i;
/** Field of the attached message in which Microsoft names the complaining recipient. */
const JMRP_FIELD = /^x-hmxmroriginalrecipient:/im;
const MAX_ORIGINAL = 20_000;

/** A complaint without a stated type. */
export interface UnstructuredComplaint {
  readonly kind: 'complaint';
  readonly feedbackType: 'abuse';
  readonly original: string;
}

/** Reads a mail without a feedback report as a complaint; null if it is not one. */
export function readUnstructuredComplaint({ headers, parts }: ParsedMessage): UnstructuredComplaint | null {
  const attached = parts.filter(({ type }) =>
    /^(?:message\/(?:global|rfc822)$|text\/rfc822-headers)/.test(type),
  );
  if (attached.length === 0) return null;
  const isNamed = SUBJECT.test(decodeWords(headers.get('subject') ?? ''));
  if (!isNamed && !attached.some(({ text }) => JMRP_FIELD.test(text.slice(0, MAX_ORIGINAL)))) return null;
  const original = attached.map(({ text }) => text.slice(0, MAX_ORIGINAL)).join('\n');
  return { kind: 'complaint', feedbackType: 'abuse', original };
}
