import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Custom properties of style sheets. */
    readonly [name: `--${string}`]: string;
  }
}
