/**
 * Verifies rsa-sha256 relaxed/relaxed signatures according to RFC 6376. It shares no code with the signer, so that
 * tests find errors in either.
 */
import { createHash, createVerify } from 'node:crypto';

/** Domain, selector and signed fields of a valid signature. */
export interface VerifiedSignature {
  readonly domain: string;
  readonly selector: string;
  /** Lower-case names, as the signature lists them. */
  readonly signedFields: readonly string[];
}

/** Verifies the first signature of a message. @throws Error if it is missing or invalid. */
export function verifyDkim(raw: Buffer, publicKey: string): VerifiedSignature {
  const split = raw.indexOf('\r\n\r\n');
  const fields = unfold(raw.subarray(0, split).toString('latin1'));
  const index = fields.findIndex((field) => /^dkim-signature\s*:/i.test(field));
  const own = fields[index];
  if (own === undefined) throw new Error('There is no signature.');
  const tags = readTags(own);
  if (tags.get('a') !== 'rsa-sha256' || tags.get('c') !== 'relaxed/relaxed' || tags.get('v') !== '1')
    throw new Error(`Unexpected kind of signature: ${own}`);
  const bodyHash = createHash('sha256')
    .update(canonicalBody(raw.subarray(split + 4)))
    .digest('base64');
  if (bodyHash !== tags.get('bh')) throw new Error('The body was changed.');
  const signedFields = (tags.get('h') ?? '').toLowerCase().split(':');
  const verifier = createVerify('RSA-SHA256');
  const left = fields.filter((_field, position) => position !== index);
  for (const name of signedFields) {
    const position = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name}:`));
    // A missing field is treated as an empty string (section 5.4.2).
    if (position >= 0) verifier.update(`${canonicalField(left.splice(position, 1).join())}\r\n`, 'latin1');
  }
  verifier.update(canonicalField(own.replace(/(;\s*b=)[^;]*/, '$1')), 'latin1');
  if (!verifier.verify(publicKey, tags.get('b') ?? '', 'base64'))
    throw new Error('The signature does not hold.');
  return { domain: tags.get('d') ?? '', selector: tags.get('s') ?? '', signedFields };
}

/** Header fields with their continuation lines, as written. */
function unfold(headers: string): string[] {
  const fields: string[] = [];
  for (const line of headers.split('\r\n')) {
    const isContinued = line.startsWith(' ') || line.startsWith('\t');
    if (isContinued) fields.push(`${fields.pop() ?? ''}\r\n${line}`);
    else fields.push(line);
  }
  return fields;
}

function readTags(field: string): Map<string, string> {
  const list = field.slice(field.indexOf(':') + 1).split(';');
  const pairs = list.map((tag) => tag.split(/=(.*)/s).map((part) => part.replaceAll(/\s/g, '')));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

function canonicalField(field: string): string {
  const [name = '', value = ''] = field.split(/:(.*)/s);
  const words = value.split(/[ \t\r\n]+/).filter((word) => word !== '');
  return `${name.toLowerCase().trimEnd()}:${words.join(' ')}`;
}

/**
 * Canonicalizes byte by byte: delays spaces until the next character on the line, and line ends until the next line.
 */
function canonicalBody(body: Buffer): Buffer {
  const canonical: number[] = [];
  let heldLines = 0;
  let hasHeldSpace = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === 0x20 || byte === 0x09) hasHeldSpace = true;
    else if (byte === 0x0d && body[at + 1] === 0x0a) {
      heldLines += 1;
      hasHeldSpace = false;
      at += 1;
    } else {
      for (; heldLines > 0; heldLines -= 1) canonical.push(0x0d, 0x0a);
      if (hasHeldSpace) canonical.push(0x20);
      hasHeldSpace = false;
      canonical.push(byte);
    }
  }
  if (canonical.length > 0) canonical.push(0x0d, 0x0a);
  return Buffer.from(canonical);
}
