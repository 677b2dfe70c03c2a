import type { MemberContext } from '../http/context.ts';
import type { PartContext } from './operation-kind.ts';

/** Returns a context in which a part can run the writes of routes, although no request has caused it. */
export function requestOfPart(ctx: PartContext): MemberContext {
  return {
    ...ctx,
    requestId: '',
    method: 'PATCH',
    url: '/',
    headers: {},
    client: { address: '', userAgent: null, origin: null, host: '' },
    setHeader: () => {},
    disconnectSignal: () => AbortSignal.any([]),
  };
}
