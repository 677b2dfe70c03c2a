/** Where a hook is called: its path below the tenant, and its methods. */
import type { TriggerOwner } from '../../../flows/automation-trigger.ts';

/** The methods by which hooks are called, as `triggerParams.method` names them; it may also be `all`. */
export const HOOK_METHODS = ['get', 'post', 'put'] as const;

/** An address of a hook. */
export interface HookAddress {
  /** Without slashes at its ends, not percent-encoded. */
  readonly path: string;
  readonly methods: readonly (typeof HOOK_METHODS)[number][];
}

/** The address of an automation's hook: the path that it names, else its key, and the methods that it takes. */
export function addressOf({ key, triggerParams: { path, method } }: TriggerOwner): HookAddress {
  const named = typeof path === 'string' ? trimSlashes(decode(path)) : '';
  const chosen = HOOK_METHODS.filter((each) => each === method);
  return { path: named === '' ? key : named, methods: chosen.length > 0 ? chosen : HOOK_METHODS };
}

/** A path as `HookAddress` has it. */
export function trimSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** The same as a part of a URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A path may be written percent-encoded or not. */
function decode(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    // A path that no request can have is kept as it is written.
    return decoded.includes('\u0000') ? path : decoded;
  } catch {
    return path;
  }
}
