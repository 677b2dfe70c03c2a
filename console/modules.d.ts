/** Modules that the build provides. */

declare module '*.module.css' {
  /** Unique class names, by their name in the style sheet. */
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

declare module 'virtual:icons' {
  /** Tag and attributes of each shape of an icon, by the icon's name. */
  const icons: Readonly<
    Record<string, readonly (readonly [tag: string, attributes: Record<string, string>])[]>
  >;
  export default icons;
}

declare module 'operation:*' {
  import type { Operation } from './forms/operation.ts';

  const operation: Operation;
  export default operation;
}
