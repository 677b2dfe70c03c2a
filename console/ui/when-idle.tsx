import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';

/** Longest wait for an idle page, in ms. */
const MAX_WAIT_MS = 1_000;
/** Pause in browsers that cannot tell when they are idle, in ms. */
const PAUSE_MS = 200;

/** Resolves when the page has nothing else to do: for code that the next input may need, but not the first screen. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: MAX_WAIT_MS });
    else setTimeout(resolve, PAUSE_MS);
  });
}

/**
 * Returns a component whose code is loaded when it opens, or when the page is idle. It waits for its code alone: what
 * waits together with an open drawer would hide it for a moment, and the drawer would lose the focus. Code that cannot
 * be loaded in advance, because the network is away, is an error only when the component opens.
 */
export function lazyWhenIdle<Props extends { readonly isOpen?: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function WhenIdle(props: Props) {
    const [isLoaded, setLoaded] = useState(false);
    useEffect(
      () =>
        void whenIdle()
          .then(load)
          .then(() => setLoaded(true))
          .catch(() => {}),
      [],
    );
    if (!isLoaded && props.isOpen !== true) return null;
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
