/** Links that show a message in a browser. */
import {
  type MessageRef,
  readMessageToken,
  signMessage,
  type TokenSigner,
} from '../../../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import { deriveKeys } from '../../../../secrets/derived-key.ts';
import { closedTenants } from '../../../../tenancy/closed-tenants.ts';

/** How long a link is valid (docs/specification/subscribers.md#preferences), in ms. */
const VALID_MS = 90 * 24 * 60 * 60 * 1000;

const signer = oncePerPlatform(
  ({ config }): TokenSigner => ({ keys: deriveKeys(config, 'message-link/view'), macBytes: 16 }),
);

/** Returns `PUBLIC_URL/view/{token}`, which is constant for a message. */
export function viewUrl(platform: Platform, message: MessageRef): string {
  return `${platform.publicUrl()}/view/${signMessage(signer(platform), message)}`;
}

/** Returns the tenant of a token that may have expired; null if the token is invalid. */
export function tenantOfView(platform: Platform, token: string): string | null {
  return readMessageToken(signer(platform), token)?.message.tenantId ?? null;
}

/** Returns the message of a token; null if the token is invalid or expired. */
export function readViewToken(platform: Platform, token: string): MessageRef | null {
  const read = readMessageToken(signer(platform), token);
  if (read === null || read.text !== '') return null;
  const { message } = read;
  if (closedTenants(platform).has(message.tenantId)) return null;
  const createdAt = Number.parseInt(message.messageId.replaceAll('-', '').slice(0, 12), 16);
  return platform.clock().getTime() - createdAt > VALID_MS ? null : message;
}
