import { oncePerPlatform, type Platform } from './platform.ts';

/** An implementation of an extension point. A feature lists it in its manifest, under `extensions`. */
export interface Extension {
  /** Adds the implementation to its point. Called once per platform, before the server listens. */
  readonly install: (platform: Platform) => void;
}

/**
 * A place where a feature calls code of features that depend on it: it declares the point, they implement it. So a
 * dependency between two features has one direction.
 */
export class ExtensionPoint<Implementation> {
  readonly #installed = oncePerPlatform((): Implementation[] => []);

  /** Returns the manifest entry for an implementation. */
  with(implementation: Implementation): Extension {
    return { install: (platform) => void this.#installed(platform).push(implementation) };
  }

  /** Returns the installed implementations, in the order of the features. */
  of(platform: Platform): readonly Implementation[] {
    return this.#installed(platform);
  }
}
