/** A message of a tenant, as the tokens that leave with it name it: the bytes of both ids. */

const UUID_BYTES = 16;

/** How long the bytes are. */
export const MESSAGE_REF_BYTES = 2 * UUID_BYTES;

/** Names a message. */
export interface MessageRef {
  readonly tenantId: string;
  readonly messageId: string;
}

/** The bytes that stand for a message. @throws RangeError when an id is not a UUID. */
export function messageRefBytes({ tenantId, messageId }: MessageRef): Buffer {
  return Buffer.concat([uuidBytes(tenantId), uuidBytes(messageId)]);
}

/** The message that `MESSAGE_REF_BYTES` bytes stand for. */
export function readMessageRef(bytes: Buffer): MessageRef {
  return {
    tenantId: uuidText(bytes.subarray(0, UUID_BYTES)),
    messageId: uuidText(bytes.subarray(UUID_BYTES)),
  };
}

function uuidBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  if (bytes.length !== UUID_BYTES || text.length !== 36) throw new RangeError(`${text} is not a UUID`);
  return bytes;
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
