/** Addresses of hooks: a path below the tenant, and HTTP methods. */
import type { TriggerOwner } from '../../../flows/automation-trigger.ts';

/** HTTP methods that can call hooks, as named in `triggerParams.method`, which can also be `all`. */
export const HOOK_METHODS = ['get', 'post', 'put'] as const;

/** The path and methods of one hook. */
export interface HookAddress {
  /** Without leading or trailing slashes, decoded. */
  readonly path: string;
  readonly methods: readonly (typeof HOOK_METHODS)[number][];
}

/** Returns the address of an automation's hook. The path defaults to the automation's key. */
export function addressOf({ key, triggerParams: { path, method } }: TriggerOwner): HookAddress {
  const customPath = typeof path === 'string' ? trimSlashes(decode(path)) : '';
  const chosen = HOOK_METHODS.filter((each) => each === method);
  return { path: customPath === '' ? key : customPath, methods: chosen.length > 0 ? chosen : HOOK_METHODS };
}

/** Removes leading and trailing slashes. */
export function trimSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** Percent-encodes each segment of a path. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Decodes a path that may or may not be percent-encoded. */
function decode(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    // No request can have a path with a NUL character, so leave it encoded.
    return decoded.includes('\u0000') ? path : decoded;
  } catch {
    return path;
  }
}
