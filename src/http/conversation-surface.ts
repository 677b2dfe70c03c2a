/**
 * The surface of conversations: callers with the token of one, from pages of any origin
 * (docs/specification/ai.md#conversations).
 */
import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, NOT_FOUND, RATE_LIMITED, UNAUTHORIZED } from '../errors/platform-errors.ts';
import type { TokenSigner } from '../secrets/signed-tokens.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import type { RequestContext } from './context.ts';
import type { InputOf, Route, RouteFacts, Work } from './route.ts';
import { isBelow, type Surface } from './surface.ts';

const PURPOSE = 'conversation';
/** The scheme's name is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer +(\S+) *$/i;

/** The conversation of a token. */
export interface ConversationRef {
  readonly tenantId: string;
  readonly id: string;
}

/** A request with the token of a conversation. */
export interface ConversationContext extends RequestContext {
  readonly conversation: ConversationRef;
}

/** The surface for callers with the token of a conversation. */
export const conversationSurface: Surface<ConversationContext> = {
  name: 'conversation',
  takes: (request) => isBelow('/api/ai/conversation', request),
  authenticate: authenticateHolder,
  identify: ({ conversation: { tenantId, id } }) => ({ tenantId, caller: `conversation ${id}`, unit: '' }),
  envelope: 'plain',
  security: {
    name: 'ConversationToken',
    scheme: { type: 'http', scheme: 'bearer', description: 'Token from engage-conversation.' },
  },
  headers: [],
  errors: () => [UNAUTHORIZED, NOT_FOUND, INVALID_REQUEST, RATE_LIMITED],
};

/** Makes the token of a conversation. */
export function signConversation(
  tokens: TokenSigner,
  { tenantId, id }: ConversationRef,
  until: Date,
): string {
  return tokens.sign(PURPOSE, { tenant: tenantId, id }, until);
}

/** Declares a route of this surface, which pages of any origin may call. */
export function defineConversationRoute<
  R extends TSchema,
  Prepared,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  route: Omit<RouteFacts<'public', P, Q, B>, 'surfaces' | 'cors' | 'access'> & {
    readonly events?: (
      ctx: ConversationContext,
      input: InputOf<P, Q, B, undefined>,
      signal: AbortSignal,
    ) => ReturnType<NonNullable<Route['events']>>;
  } & Work<ConversationContext, InputOf<P, Q, B, undefined>, R, Prepared>,
): Route;
export function defineConversationRoute(route: Omit<Route, 'access'>): Route {
  return {
    ...route,
    access: 'public',
    surfaces: [conversationSurface],
    cors: { origins: async () => ['*'] },
  };
}

function authenticateHolder({ headers }: FastifyRequest, base: RequestContext): ConversationContext {
  const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? [];
  const claims = base.platform.tokens.verify(PURPOSE, token, base.now);
  if (claims?.tenant === undefined || claims.id === undefined)
    throw new AppError(UNAUTHORIZED, {
      message: 'The token of the conversation is missing, expired or invalid.',
    });
  if (closedTenants(base.platform).has(claims.tenant)) throw new AppError(NOT_FOUND);
  return { ...base, conversation: { tenantId: claims.tenant, id: claims.id } };
}
