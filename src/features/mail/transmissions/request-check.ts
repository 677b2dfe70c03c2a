/** Rules for the body of a transmission that its schema cannot express: limits in bytes, addresses, content forms. */

import type { Issue } from '../../../errors/app-error.ts';
import { momentOf } from '../../../flows/wall-clock.ts';
import { type BodyCheck, check, checkEach } from '../../../http/body-checks.ts';
import { isAddress, normalizeAddress, sendableAddress } from '../../../mail/address.ts';
import { parseTarget } from '../../../outbound/target-policy.ts';
import type { TransmissionCreate } from './schema.ts';

const KB = 1024;
/** docs/specification/transmissions.md#limits. */
const MAX_BYTES = { campaignId: 64, description: 1024, metadata: 10 * KB, substitutionData: 100 * KB };
/** Maximum total size of a message's attachments, in bytes (docs/specification/templates.md#limits). */
export const MAX_ATTACHMENT_BYTES = 10 * KB * KB;
/** Error message for larger attachments. */
export const ATTACHMENTS_TOO_LARGE = 'must not exceed 10 MB in total';
/** Latest allowed time: RFC 3339 years have four digits (section 5.6). */
const LAST_MOMENT = new Date('9999-12-31T23:59:59.999Z');
/** Matches trimmed text. The parts match disjoint characters, so that matching is linear in the length. */
const NAMED_ADDRESS = /^(?:"([^"]*)"\s*|([^"<>]*))<([^<>]+)>$/;

type Recipient = TransmissionCreate['recipients'][number];

/** The parts of a recipient's address. */
export interface RecipientAddress {
  /** As returned by `sendableAddress`. */
  readonly email: string;
  readonly name: string | null;
  readonly headerTo: string | null;
}

/** Parses a sender: `ada@example.com`, `Ada <ada@example.com>`, or an object. */
export function readSender(from: NonNullable<TransmissionCreate['content']['from']>): {
  address: string;
  name?: string;
} {
  if (typeof from === 'object') {
    const { email, name = '' } = from;
    return { address: sendableAddress(email), ...(name.trim() === '' ? {} : { name: name.trim() }) };
  }
  const [, quoted, bare, address] = NAMED_ADDRESS.exec(from.trim()) ?? [];
  const name = (quoted ?? bare ?? '').trim();
  return { address: sendableAddress(address ?? from), ...(name === '' ? {} : { name }) };
}

/** Parses a recipient's address. */
export function readAddress(address: Recipient['address']): RecipientAddress {
  if (typeof address === 'string') return { email: sendableAddress(address), name: null, headerTo: null };
  const { email, name, header_to: headerTo } = address;
  return {
    email: sendableAddress(email),
    name: name?.trim() ?? null,
    headerTo: headerTo === undefined ? null : sendableAddress(headerTo),
  };
}

/** Rules of a body beyond its schema. */
export const TRANSMISSION_CHECKS: readonly BodyCheck<TransmissionCreate>[] = [
  check(['campaign_id', 'campaign_code', 'description', 'return_path'], toCheck(checkLabels)),
  check(
    ['metadata', 'substitution_data'],
    toCheck((body, report) => checkData(body, '', report)),
  ),
  check(['content', 'options'], toCheck(checkContent)),
  check(['options'], (body, now) => issuesOf((report) => checkSchedule(body, now, report))),
  checkEach('recipients', (recipient: Recipient, path) =>
    issuesOf((report) => {
      checkData(recipient, `${path}.`, report);
      checkAddress(recipient, `${path}.address`, report);
    }),
  ),
];

type Report = (field: string, message: string) => void;

function issuesOf(find: (report: Report) => void): Issue[] {
  const issues: Issue[] = [];
  find((field, message) => issues.push({ field, message }));
  return issues;
}

function toCheck(find: (body: TransmissionCreate, report: Report) => void) {
  return (body: TransmissionCreate) => issuesOf((report) => find(body, report));
}

function checkLabels(body: TransmissionCreate, report: Report): void {
  const { campaign_id: id, campaign_code: code, description, return_path: returnPath } = body;
  checkBytes('campaign_id', id, MAX_BYTES.campaignId, report);
  checkBytes('campaign_code', code, MAX_BYTES.campaignId, report);
  if (id !== undefined && code !== undefined && id !== code)
    report('campaign_code', 'must equal campaign_id, or be omitted');
  checkBytes('description', description, MAX_BYTES.description, report);
  if (returnPath !== undefined && !isAddress(normalizeAddress(returnPath)))
    report('return_path', 'must be a valid email address');
}

/** Checks the size of data as JSON in UTF-8 (docs/specification/transmissions.md#limits). */
function checkData(
  { metadata, substitution_data: data }: Pick<Recipient, 'metadata' | 'substitution_data'>,
  root: string,
  report: Report,
): void {
  checkBytes(`${root}metadata`, metadata, MAX_BYTES.metadata, report);
  checkBytes(`${root}substitution_data`, data, MAX_BYTES.substitutionData, report);
}

function checkBytes(field: string, value: object | string | undefined, limit: number, report: Report): void {
  if (value === undefined) return;
  const isText = typeof value === 'string';
  if (Buffer.byteLength(isText ? value : JSON.stringify(value)) <= limit) return;
  const limitText = isText ? `${limit} bytes` : `${limit / KB} KB (${limit} bytes of JSON)`;
  report(field, `must have at most ${limitText}`);
}

function checkAddress({ address }: Recipient, field: string, report: Report): void {
  const { email, headerTo } = readAddress(address);
  const isObject = typeof address === 'object';
  if (!isAddress(email)) report(isObject ? `${field}.email` : field, 'must be a valid email address');
  if (headerTo !== null && !isAddress(headerTo))
    report(`${field}.header_to`, 'must be a valid email address');
}

const INLINE_FIELDS = ['from', 'subject', 'html', 'text', 'reply_to'] as const;

function checkContent({ content, options }: TransmissionCreate, report: Report): void {
  const inline = INLINE_FIELDS.filter((field) => content[field] !== undefined);
  for (const form of ['ab_test_id', 'email_rfc822']) {
    if (form in content)
      report(`content.${form}`, 'is not supported: use template_id, or from, subject and html');
  }
  if (content.template_id === undefined) checkInline(content, inline, report);
  else if (inline.length > 0)
    report('content', `must be either template_id or inline content; it also has ${inline.join(', ')}`);
  if (content.template_id !== undefined && options.perform_substitutions !== undefined)
    report('options.perform_substitutions', 'is allowed only with inline content');
  checkAttachments(content.attachments ?? [], report);
}

function checkInline(
  content: TransmissionCreate['content'],
  fields: readonly string[],
  report: Report,
): void {
  if (fields.length === 0) {
    report('content', 'must have template_id, or from, subject and html');
    return;
  }
  for (const field of ['from', 'subject', 'html'] as const) {
    if (content[field] === undefined) report(`content.${field}`, 'is required');
  }
  if (content.from !== undefined && !isAddress(readSender(content.from).address))
    report('content.from', 'must be a valid email address');
  if (content.reply_to !== undefined && !isAddress(sendableAddress(content.reply_to)))
    report('content.reply_to', 'must be a valid email address');
}

function checkAttachments(
  attachments: NonNullable<TransmissionCreate['content']['attachments']>,
  report: Report,
): void {
  let size = 0;
  for (const [index, { url, data, asset_id: assetId, ...labels }] of attachments.entries()) {
    const field = `content.attachments[${index}]`;
    const forms = [url, data, assetId].filter((form) => form !== undefined);
    if (forms.length !== 1) report(field, 'must have one of url, data and asset_id');
    for (const label of ['name', 'type'] as const)
      if (labels[label] === undefined && assetId === undefined) report(`${field}.${label}`, 'is required');
    const target = url === undefined ? null : parseTarget(url);
    if (typeof target === 'string') report(`${field}.url`, target);
    if (data !== undefined && !isBase64(data)) report(`${field}.data`, 'must be base64');
    size += Buffer.byteLength(data ?? '', 'base64');
  }
  if (size > MAX_ATTACHMENT_BYTES) report('content.attachments', ATTACHMENTS_TOO_LARGE);
}

/** Uses two simple expressions, because the stack of a single one would grow with the file. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));
}

function checkSchedule({ options }: TransmissionCreate, now: Date, report: Report): void {
  if (options.scheduled_time === undefined) return;
  const { date, timezone } = options.scheduled_time;
  const moment = momentOf(date, timezone);
  if (moment === null)
    report(
      'options.scheduled_time.date',
      'must be a valid time: YYYY-MM-DDTHH:mm[:ss] in the time zone, or with Z or an offset',
    );
  else if (moment <= now) report('options.scheduled_time.date', 'is in the past');
  else if (moment > LAST_MOMENT)
    report('options.scheduled_time.date', 'must not be after the year 9999 in UTC');
}
