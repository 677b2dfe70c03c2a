/**
 * Decodes unpadded base64url (RFC 4648 section 5); returns null for other text. Node's decoder skips invalid characters
 * and ignores spare bits, so many texts would decode to the same bytes. Here, each value has exactly one encoding.
 */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
